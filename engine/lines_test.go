package engine

import (
	"strings"

	"github.com/rollplay/rollplay/engine/kubectl/line"
	"github.com/rollplay/rollplay/engine/past"
)

// Random lines of kubectl and of the environment, for whatever there may be in a small cluster.

var lineObjects = [...]string{"deployment/web", "deploy web", "sts/web", "statefulset web", "ds/web", "rs", "rs --all", "pods", "pod/web", "pod web-0", "pods --all", "node-1",
	"node-1 node-2", "nodes", "node node-1", "node/node-2", "pdb/web", "hpa/web", "quota/web", "all", "nope", "deployment/nope", "deployments", "", "deploy,sts,ds web", "web",
	"deploy/web sts/web", "pods web web-0", "pvc", "controllerrevisions", "pod,pdb -A", "replicaset/web"}

var lineNodes = [...]string{"node-1", "node-2", "node-1 node-2", "node-3", "nodes node-1", "nodes --all"}

var lineWords = [...]string{"", "web=web:2", "web=bad", "*=web:3", "nope=web:2", "a=b", "a-", "A=B", "A-", "gpu=yes:NoSchedule", "gpu=yes:NoExecute", "gpu-", "gpu:NoExecute-",
	"app=other", "app-", "kubernetes.io/change-cause=x", "spec.template.spec.containers", "zone=a", "web=", "=", "--", "-", "'a b'", "web=\u202e"}

var lineValues = [...]string{"0", "1", "2", "3", "-1", "300", "99999999999999999999", "1.5", "", "50%", "-5%", "1000%", "0%", "app=web", "app!=web", "zone=a", "zone", "!zone", "app in (web,other)",
	"app notin (web)", "kubernetes.io/hostname=node-1", "a==b,c", "in in (in)", "(", "10s", "0s", "-1s", "1h", "1x", "web=web:2", "web:2", "other", "true", "false", "yaml", "json", "wide", "name", "custom-columns=A:.a",
	"jsonpath={.spec.replicas}", "{.metadata.name}", ".metadata.creationTimestamp", "condition=Available", "condition=Ready=false", "jsonpath={.status.readyReplicas}=1", "create", "delete", "status.phase=Running", "metadata.name=web",
	"background", "foreground", "orphan", "none", "client", "server", "unchanged", "strategic", "merge", "pods=3,cpu=1", "cpu=100m,memory=64Mi", "cpu=0", "A=B", "*", "w*", "Warning", "deployment/web", "-", "\u202e", "a=b=c"}

var linePatches = [...]string{`{"spec":{"replicas":%d}}`, `{"spec":{"paused":true}}`, `{"spec":{"minReadySeconds":%d}}`, `{"spec":{"template":{"spec":{"terminationGracePeriodSeconds":%d}}}}`,
	`{"spec":{"strategy":{"$retainKeys":["type"],"type":"Recreate"}}}`, `{"spec":{"template":{"spec":{"containers":[{"name":"web","$patch":"delete"}]}}}}`,
	`{"spec":{"template":{"spec":{"containers":[{"name":"two","image":"b"}]}}}}`, `{"metadata":{"labels":{"app":null}}}`, `{"metadata":{"finalizers":["a/b"]}}`, `{"metadata":{"ownerReferences":null}}`, `{"spec":null}`, `null`, `[]`, `{`,
	`{"spec":{"updateStrategy":{"rollingUpdate":{"partition":%d}}}}`, `{"spec":{"updateStrategy":{"type":"OnDelete","rollingUpdate":null}}}`, `{"spec":{"minAvailable":"%d0%%"}}`, `{"spec":{"selector":{"matchLabels":{"x":"y"}}}}`,
	`[{"op":"remove","path":"/spec/replicas"}]`, `[{"op":"replace","path":"/spec/template/spec/containers/0/image","value":"web:%d"}]`, `[{"op":"copy","from":"/spec","path":"/spec/template"}]`, `[{"op":"test","path":"/a","value":1}]`, `{"status":{"replicas":%d}}`}

// fuzzLine is a line with any verb, any objects and any flags of that verb.
func fuzzLine(next func(int) int) string {
	verbs := past.Modelled()
	v := &verbs[next(len(verbs))]
	words := []string{v.Name}
	switch node := strings.Contains("drain cordon uncordon taint", v.Name); {
	case node && next(3) == 0:
		words = append(words, "-l", quote(lineValues[13+next(8)]))
	case node && next(3) > 0:
		words = append(words, lineNodes[next(len(lineNodes))])
	default:
		words = append(words, lineObjects[next(len(lineObjects))])
	}
	if next(2) == 1 {
		words = append(words, quote(lineWords[next(len(lineWords))]))
	}
	if v.Name == "patch" {
		words = append(words, "-p", "'"+fill(linePatches[next(len(linePatches))], next(4))+"'")
	}
	for range next(4) {
		words = append(words, fuzzFlag(next, v.Flags))
	}
	return strings.Join(words, " ")
}

// fuzzFlag is a flag of a verb, often with a value.
func fuzzFlag(next func(int) int, flags []line.FlagDoc) string {
	if len(flags) == 0 || next(20) == 0 {
		return "-n " + quote(lineValues[next(len(lineValues))])
	}
	return flagLine(flags[next(len(flags))].Name, next(3), lineValues[next(len(lineValues))])
}

// flagLine writes a flag of the documentation, "-l, --selector" or "--type=merge|json", in one of three ways.
func flagLine(name string, way int, value string) string {
	short, long, two := strings.Cut(name, ", ")
	if !two {
		short, long = name, name
	}
	long, choices, _ := strings.Cut(long, "=")
	short, _, _ = strings.Cut(short, "=")
	if choices != "" && len(value)%2 == 0 {
		list := strings.Split(choices, "|")
		value = list[len(value)/2%len(list)]
	}
	return [...]string{long, long + "=" + quote(value), short + " " + quote(value)}[way]
}

// quote makes one word of a shell of a text.
func quote(s string) string {
	if strings.ContainsAny(s, " ()!*{}") || s == "" {
		return "'" + strings.ReplaceAll(s, "'", "") + "'"
	}
	return s
}

var deedLines = [...]string{"kill node/node-1", "kill node/node-2", "restore node/node-1", "remove node/node-2", "add node/node-9", "add node/node-8 cpu=1 memory=1Gi pods=2 zone=a", "add node/x cpu=-1",
	"crash pod/web", "crash pod/web-0", "fail-readiness pod/web-0", "restore-readiness pod/web-0", "crash pod/web-1", "kill node/nope", "crash pod/web -n other", "add node/node-1"}
