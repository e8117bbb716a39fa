package line

import (
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
)

// TestComplete: | is the cursor; what is offered stands in place of the letters before it from some place on.
func TestComplete(t *testing.T) {
	objects := map[string]string{"Deployment/default": "web db", "Deployment/shop": "cart", "Pod/default": "web-1 web-2 db-1",
		"Node/": "node-a node-b", "Namespace/": "default shop"}
	names := func(kind api.Kind, namespace string) []string {
		return strings.Fields(objects[string(kind)+"/"+namespace])
	}
	containers := func(key api.Key) []string {
		if key.String() == "Deployment/default/web" {
			return []string{"web", "log"}
		}
		return nil
	}
	for _, tt := range []struct{ line, want string }{
		{"ku|", "|kubectl"},
		{"kubectl sc|", "kubectl |scale"},
		{"r|", "|replace rollout run"},
		{"kubectl c|", "kubectl |cluster-info config cordon create"},
		{"kubectl rollout |", "kubectl rollout |history pause restart resume status undo"},
		{"kubectl rollout re|", "kubectl rollout |restart resume"},
		{"kubectl -n shop rollout re|", "kubectl -n shop rollout |restart resume"},
		{"kubectl set |", "kubectl set |env image resources"},
		{"kubectl create |", "kubectl create |configmap cronjob deployment job namespace poddisruptionbudget quota secret serviceaccount"},
		{"kubectl wait deploy/web --for=c|", "kubectl wait deploy/web --for=|condition=Available condition=Ready create"},
		{"kubectl wait pod w|", "kubectl wait pod |web-1 web-2"},
		{"kubectl autoscale deploy/web --c|", "kubectl autoscale deploy/web |--cpu= --cpu-percent="},
		{"kubectl autoscale |", "kubectl autoscale |deployments replicasets statefulsets replicationcontrollers deployment replicaset statefulset replicationcontroller deploy rs sts rc"},
		{"kubectl create pdb a --m|", "kubectl create pdb a |--min-available= --max-unavailable="},
		{"kubectl create -|", "kubectl create |--filename= --dry-run= --output= --namespace= --help"},
		{"kubectl create -f |", "kubectl create -f |-"},
		{"kubectl get |", "kubectl get |" +
			"deployments replicasets statefulsets daemonsets pods nodes poddisruptionbudgets horizontalpodautoscalers resourcequotas services endpointslices controllerrevisions persistentvolumeclaims events configmaps secrets namespaces serviceaccounts replicationcontrollers limitranges persistentvolumes jobs cronjobs ingresses ingressclasses networkpolicies storageclasses priorityclasses roles rolebindings clusterroles clusterrolebindings customresourcedefinitions httproutes " +
			"deployment replicaset statefulset daemonset pod node poddisruptionbudget horizontalpodautoscaler resourcequota service endpointslice controllerrevision persistentvolumeclaim event configmap secret namespace serviceaccount replicationcontroller limitrange persistentvolume job cronjob ingress ingressclass networkpolicy storageclass priorityclass role rolebinding clusterrole clusterrolebinding customresourcedefinition httproute " +
			"deploy rs sts ds po no pdb hpa quota svc pvc ev cm ns sa rc limits pv cj ing netpol sc pc crd"},
		{"kubectl get de|", "kubectl get |deployments deployment deploy"},
		{"kubectl rollout undo |", "kubectl rollout undo |deployments statefulsets daemonsets deployment statefulset daemonset deploy sts ds"},
		{"kubectl get pods web|", "kubectl get pods |web-1 web-2"},
		{"kubectl delete pod web-1 |", "kubectl delete pod web-1 |web-1 web-2 db-1"},
		{"kubectl delete pod/w|", "kubectl delete |pod/web-1 pod/web-2"},
		{"kubectl delete pod/web-1 pod/d|", "kubectl delete pod/web-1 |pod/db-1"},
		{"kubectl -n shop scale deploy/|", "kubectl -n shop scale |deploy/cart"},
		{"kubectl scale deploy --namespace=shop |", "kubectl scale deploy --namespace=shop |cart"},
		{"kubectl scale -nshop deploy |", "kubectl scale -nshop deploy |cart"},
		{"kubectl get pods -n |", "kubectl get pods -n |default shop"},
		{"kubectl get pods --namespace=s|", "kubectl get pods --namespace=|shop"},
		{"kubectl get pods -o |", "kubectl get pods -o |wide yaml json name jsonpath={.items[*].metadata.name} go-template={{.metadata.name}} custom-columns=NAME:.metadata.name"},
		{"kubectl get pods --output=y|", "kubectl get pods --output=|yaml"},
		{"kubectl scale deploy/web --r|", "kubectl scale deploy/web |--replicas= --record"},
		{"kubectl patch deploy/web --type |", "kubectl patch deploy/web --type |strategic merge json"},
		{"kubectl delete deploy/web --cascade=|", "kubectl delete deploy/web --cascade=|background foreground orphan"},
		{"kubectl set image deployment/web |", "kubectl set image deployment/web |web= log= *= deployment/ replicaset/ statefulset/ daemonset/"},
		{"kubectl set image deploy web l|", "kubectl set image deploy web |log="},
		{"kubectl cordon node-|", "kubectl cordon |node-a node-b"},
		{"kubectl scale sts |", "kubectl scale sts |"},
		{"kubectl nope |", "kubectl nope |"},
		{"kubectl annotate deploy/web a='|", "kubectl annotate deploy/web |"},
		{"kubectl get po|", "kubectl get |pods poddisruptionbudgets pod poddisruptionbudget po"},
	} {
		kept, candidates := Complete(strings.TrimSuffix(tt.line, "|"), "default", names, containers)
		if got := kept + "|" + strings.Join(candidates, " "); got != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.line, got, tt.want)
		}
	}
	for _, line := range lines {
		for i := range len(line) + 1 {
			if kept, candidates := Complete(line[:i], "default", names, containers); !strings.HasPrefix(line[:i], kept) || len(candidates) > 100 {
				t.Errorf("%q: %q %v", line[:i], kept, candidates)
			}
		}
	}
}
