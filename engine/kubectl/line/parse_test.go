package line

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/validate"
)

// parsed words what a line means: verb, types, objects, other words, flags.
func parsed(line string) string {
	c := Parse(line)
	if answer, refused := c.Refused(); refused {
		return answer
	}
	text := c.Verb
	for _, k := range c.Kinds {
		text += " " + string(k)
	}
	for _, t := range c.Targets {
		text += " " + t.String()
	}
	for _, w := range c.Rest {
		text += fmt.Sprintf(" %q", w)
	}
	for _, name := range slices.Sorted(maps.Keys(c.Flags)) {
		text += " --" + name + "=" + c.Flags[name]
	}
	if c.HasStdin {
		text += fmt.Sprintf(" <%q", c.Stdin)
	}
	return text
}

// TestParse is how lines are read: flags anywhere, types in all their spellings, quotes as a shell has them.
func TestParse(t *testing.T) {
	const web = "Deployment/default/web"
	for _, tt := range []struct{ line, want string }{
		{"kubectl get pods", "get Pod"},
		{"k get po", "get Pod"},
		{"get deploy,rs,pods", "get Deployment ReplicaSet Pod"},
		{"get all", "get Pod ReplicationController Service DaemonSet Deployment ReplicaSet StatefulSet HorizontalPodAutoscaler CronJob Job"},
		{"get deploy web db", "get " + web + " Deployment/default/db"},
		{"get deploy/web rs/x no/a", "get " + web + " ReplicaSet/default/x Node/a"},
		{"get deploy,rs web", "get " + web + " ReplicaSet/default/web"},
		{"get deployments.apps/web", "get " + web},
		{"get deployments.v1.apps web", "get " + web},
		{"get pods.v1.", "get Pod"},
		{"get Deployment web", "get " + web},
		{"get deployments.batch", `error: the server doesn't have a resource type "deployments" in group "batch"`},
		{"get gadgets", `error: the server doesn't have a resource type "gadgets"`},
		{"get sts,ds,pdb,pvc", "get StatefulSet DaemonSet PodDisruptionBudget PersistentVolumeClaim"},
		{"get statefulsets.apps/db poddisruptionbudget.v1.policy/db", "get StatefulSet/default/db PodDisruptionBudget/default/db"},
		{"patch controllerrevision/a -p {}", `error: rollplay models "kubectl patch" for deployments, replicasets, ` +
			`statefulsets, daemonsets, pods, nodes, poddisruptionbudgets, horizontalpodautoscalers, resourcequotas, services and objects that are only stored, not for controllerrevisions`},
		{"get .apps", "error: the server doesn't have a resource type \"\" in group \"apps\""},
		{"get ep", "error: rollplay does not simulate ep: v1 Endpoints is deprecated in v1.33+; kubectl get endpointslices shows the same"},
		{"get leases", "error: rollplay does not simulate leases; kubectl api-resources lists what it simulates"},
		{"get deploy/web/x", "error: arguments in resource/name form may not have more than one slash"},
		{"get deploy/", "error: arguments in resource/name form must have a single resource and name"},
		{"get deploy web rs/x", ErrorText(errMixed)},
		{"get pods web -l app=web", "error: name cannot be provided when a selector is specified"},
		{"get pods/web -l app=web", "error: selectors and the all flag cannot be used when passing resource/name arguments"},
		{"get pods web -A", "error: a resource cannot be retrieved by name across all namespaces"},
		{"delete pods", "error: resource(s) were provided, but no name was specified"},
		{"delete pods --all -l a=b", "error: setting 'all' parameter but found a non empty selector. "},
		{"rollout restart", "error: required resource not specified"},
		{"annotate a=b", "error: one or more resources must be specified as <resource> <name> or <resource>/<name>"},
		{"annotate deploy/web a=b web", "error: all resources must be specified before annotation changes: web"},
		{"set env deploy/web A=b web", "error: all resources must be specified before environment changes: deploy/web A=b web"},
		{"delete events --all", `error: rollplay models "kubectl delete" for deployments, replicasets, ` +
			`statefulsets, daemonsets, pods, nodes, poddisruptionbudgets, horizontalpodautoscalers, resourcequotas, services, endpointslices, controllerrevisions, persistentvolumeclaims and objects that are only stored, not for events`},

		{"-n shop get pods", "get Pod --namespace=shop"},
		{"--namespace=shop get -o wide pods web", "get Pod/shop/web --namespace=shop --output=wide"},
		{"get pods web -nshop -owide", "get Pod/shop/web --namespace=shop --output=wide"},
		{"get pods -n=shop -Aw", "get Pod --all-namespaces=true --namespace=shop --watch=true"},
		{"rollout -n shop restart deploy/web", "rollout restart Deployment/shop/web --namespace=shop"},
		{"--replicas 5 scale deploy/web", "scale " + web + " --replicas=5"},
		{"scale --replicas=0x10 deploy/web", "scale " + web + " --replicas=16"},
		{"rollout status deploy/web --watch=false", "rollout status " + web + " --watch=false"},
		{"rollout status deploy/web --watch=0", "rollout status " + web + " --watch=false"},
		{"delete -- pod web", "delete Pod/default/web"},
		{"delete pod web --cascade", "delete Pod/default/web --cascade=background"},
		{"create deploy web --image=a --image=b", `create deployment "web" --image=a` + Separator + "b"},
		{"scale deploy/web --replicas", "error: flag needs an argument: --replicas\nSee 'kubectl scale --help' for usage."},
		{"get pods -n", "error: flag needs an argument: 'n' in -n\nSee 'kubectl get --help' for usage."},
		{"scale deploy/web --replicas=x", `error: invalid argument "x" for "--replicas" flag: strconv.ParseInt: parsing "x": invalid syntax` +
			"\nSee 'kubectl scale --help' for usage."},
		{"get pods --watch=x", `error: invalid argument "x" for "-w, --watch" flag: strconv.ParseBool: parsing "x": invalid syntax` + "\nSee 'kubectl get --help' for usage."},
		{"get pods --context=prod", `error: rollplay does not model the flag --context of "kubectl get": there is one cluster`},
		{"delete pod web -z", "error: unknown shorthand flag: 'z' in -z\nSee 'kubectl delete --help' for usage."},
		{"scale deploy/web --replicas=1 -R", `error: rollplay does not model the flag -R of "kubectl scale": kubectl scale --help lists its flags`},
		{"scale deploy/web --replicas=2 --dry-run=maybe", `error: Invalid dry-run value (maybe). Must be "none", "server", or "client".`},

		{"scale deploy/web", `error: required flag(s) "replicas" not set`},
		{"scale deploy/web --replicas=0", "scale " + web + " --replicas=0"},
		{"scale deploy/web --replicas=2147483647", "scale " + web + " --replicas=2147483647"},
		{"scale deploy/web --replicas=2147483648", "error: The --replicas=COUNT flag is required, and COUNT must be greater than or equal to 0"},
		{"delete pod web --now", "delete Pod/default/web --now=true"},
		{"create secret", "error: rollplay models kubectl create secret generic NAME --from-literal=KEY=VALUE; give other secrets to kubectl apply -f - <<EOF"},
		{"create secret generic a --from-literal=k=v", `create secret "a" --from-literal=k=v`},
		{"create deploy a b --image=c", "error: exactly one NAME is required, got 2\nSee 'kubectl create deployment -h' for help and examples"},
		{"get pods --show-labels", "get Pod --show-labels=true"},
		{"get pods --show-labels -o wide", "get Pod --output=wide --show-labels=true"},
		{"get pods --show-labels -o yaml", "error: --show-labels option cannot be used with yaml printer"},
		{"get pods -L a", "get Pod --label-columns=a"},
		{"get pods -L a -o custom-columns=A:.b", "error: --label-columns option cannot be used with custom-columns=A:.b printer"},
		{"get pods -o custom-columns=A:.b", "get Pod --output=custom-columns=A:.b"},
		{"get pods.v1.", "get Pod"}, {"get pods.v1", `error: the server doesn't have a resource type "pods" in group "v1"`}, {"get deploy.apps", "get Deployment"},
		{"get deployments.v1 web", `error: the server doesn't have a resource type "deployments" in group "v1"`},
		{"port-forwrad", "error: unknown command \"port-forwrad\" for \"kubectl\"\n\nDid you mean this?\n\tport-forward"},

		{"exec web -- ls", `error: rollplay does not model "kubectl exec": no program runs in its containers; ` +
			"try kubectl describe pod/NAME or kubectl logs NAME"},
		{"exec pod/a", `error: rollplay does not model "kubectl exec": no program runs in its containers; ` +
			"try kubectl describe pod/NAME or kubectl logs NAME"},
		{"create role a", `error: rollplay does not model "kubectl create role": nothing is forbidden here; kubectl apply -f - <<EOF stores one`},
		{"create secret tls a", "error: rollplay models kubectl create secret generic NAME --from-literal=KEY=VALUE; give other secrets to kubectl apply -f - <<EOF"},
		{"scael deploy/web", "error: unknown command \"scael\" for \"kubectl\"\n\nDid you mean this?\n\tscale"},
		{"rollout udno deploy/web", "error: unknown command \"udno deploy/web\"\nSee 'kubectl rollout -h' for help and examples\nDid you mean undo?"},
		{"rollout", "error: kubectl rollout needs one of history, pause, restart, resume, status, undo"},

		{`annotate deploy/web a='x  "y"' b="it's \"\\\$5\"" c\ d=e`, "annotate " + web + ` "a=x  \"y\"" "b=it's \"\\$5\"" "c d=e"`},
		{`annotate deploy/web ""=x`, "error: at least one annotation update is required"}, // =x is no pair
		{"get pods # all of them", "get Pod"},
		{"annotate deploy/web a=b#c price=5$", "annotate " + web + ` "a=b#c" "price=5$"`},
		{"get \\\n  pods", "get Pod"},
		{`TAG=nginx:2 && kubectl set image deployment/web web="$TAG"`, "set image " + web + ` "web=nginx:2"`},
		{`K='deploy/web' && k get "$K"`, "get " + web},
		{`A=x && B=deploy/web && get "$B"`, "get " + web},
		{`TAG=2 && get "$TAGS"`, "error: rollplay is not a shell and does not expand $TAGS; in single quotes it stands for itself"},
		{"TAG=2 && get $TAG", "error: rollplay is not a shell and does not expand $TAG; in single quotes it stands for itself"},
		{"-n=2 && get pods", "error: rollplay is not a shell and does not model && here: its prompt has " + shellHas},
		{"set image deployment/web web=nginx:$TAG", "error: rollplay is not a shell and does not expand $TAG; in single quotes it stands for itself"},
		{"annotate deploy/web \"by=`whoami`\"", "error: rollplay is not a shell and does not expand `whoami; in single quotes it stands for itself"},
		{"get pods | awk web", "error: rollplay is not a shell: behind | it has cut, grep, head, jq, sort, tail, wc -l and xargs, not awk"},
		{"get pods > out.txt", "get Pod"},
		{"cat > web.yaml <<EOF\nkind: Pod\nEOF", `cat <"kind: Pod\n"`},
		{"cat > web.yaml", "error: unknown command \"cat\" for \"kubectl\"\n\nDid you mean this?\n\tcp\n\tget\n\tset\n\twait"},
		{"| grep x", "error: a command is missing; for example: kubectl scale deployment/web --replicas=5"},
		{"KUBE_EDITOR=vim kubectl get pods", "get Pod"},
		{"A=b kubectl get pods", "error: rollplay is not a shell and sets no variable A; begin with kubectl"},
		{"drain node-1", "drain Node/node-1"},
		{"drain node-1 | grep x", "error: rollplay does not model a pipe or > behind kubectl drain, which prints more later"},
		{"drain node-1 > out.txt", "error: rollplay does not model a pipe or > behind kubectl drain, which prints more later"},
		{"annotate deploy/web a=$zZ9aA0", "error: rollplay is not a shell and does not expand $zZ9aA0; in single quotes it stands for itself"},
		{"annotate deploy/web a=$?", "error: rollplay is not a shell and does not expand $; in single quotes it stands for itself"},
		{"get pods > out.txt more", "error: write one name behind >, at the end of the line"},
		{"get pods 2> out.txt", "error: rollplay is not a shell and does not model > here: its prompt has here-documents, > FILE, pipes to cut, grep, head, jq, sort, tail, wc -l and xargs, echo $(kubectl …), ; && || and watch"},
		{"get pods && get rs", "error: rollplay is not a shell and does not model && here: its prompt has here-documents, > FILE, pipes to cut, grep, head, jq, sort, tail, wc -l and xargs, echo $(kubectl …), ; && || and watch"},
		{"watch scale deploy/web", `error: rollplay's watch shows what kubectl get and kubectl events print, not "scale deploy/web"`},
		{"get pods; get rs", "error: rollplay is not a shell and does not model ; here: its prompt has here-documents, > FILE, pipes to cut, grep, head, jq, sort, tail, wc -l and xargs, echo $(kubectl …), ; && || and watch"},
		{"get pods\nget rs", "error: rollplay runs one command at a time; end a line with a backslash to continue it"},
		{"get pods -l app in (a,b)", "error: a shell does not accept ( here; put the word into single quotes"},
		{"delete pod {a,b}", "delete Pod/default/a Pod/default/b"},
		{"delete pod {a,{b,c}}", "error: rollplay is not a shell: of braces it expands {a,b} and {1..3}; in single quotes they stand for themselves"},
		{"delete pod a{1..3000}", "error: rollplay is not a shell: of braces it expands {a,b} and {1..3}; in single quotes they stand for themselves"},
		{"delete pod {1..50}{1..50}", "error: rollplay reads at most 500 words of {…}, not 2500"},
		{"get pods 'web", "error: a closing ' is missing"},

		{"kubectl apply -f - <<EOF\nkind: Pod\nEOF\n", `apply --filename=- <"kind: Pod\n"`},
		{"kubectl apply -f - <<-'END'\n\tcost: $5\n\tEND", `apply --filename=- <"cost: $5\n"`},
		{"cat <<EOF | kubectl apply -f -\nkind: Pod\nEOF", `apply --filename=- <"kind: Pod\n"`},
		{"cat a.yaml | kubectl apply -f -", "apply --filename=a.yaml"},
		{"get pods -o yaml | k apply -f - | grep x", "apply --filename=- <\"\""},
		{"get pods --nope | kubectl apply -f -", `apply --filename=- <""`}, // which the first one's words do not reach
		{"exec a -- ls | kubectl apply -f -", "error: rollplay does not model \"kubectl exec\": no program runs in its containers; try kubectl describe pod/NAME or kubectl logs NAME"},
		{"apply -f - <<EOF\nkind: Pod", `error: the here-document has no line "EOF" that ends it`},
		{"apply -f - <<EOF\nname: $NAME\nEOF", "error: rollplay is not a shell and does not expand $NAME; in single quotes it stands " +
			"for itself; or quote the word that ends the here-document: <<'EOF'"},
		{"apply -f - <<EOF\n`x`\nEOF", "error: rollplay is not a shell and does not expand `x; in single quotes it stands " +
			"for itself; or quote the word that ends the here-document: <<'EOF'"},
		{"apply -f - <<EOF\na: b\nEOF\nget pods", "error: rollplay runs one command at a time; there is another behind the here-document"},
		{"apply -f - <<< x", "error: rollplay is not a shell: of redirections it reads one here-document, <<EOF"},
	} {
		if got := parsed(tt.line); got != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.line, got, tt.want)
		}
	}
}

// TestSelector is the syntax of -l, with the answers of apimachinery's parser.
func TestSelector(t *testing.T) {
	labels := map[string]string{"app": "web", "tier": "front", "empty": ""}
	for _, tt := range []struct {
		text string
		want bool
	}{
		{"", true}, {"  ", true}, {"app=web", true}, {"app==web", true}, {"app = web", true}, {"app=db", false}, {"nope=web", false},
		{"app!=db", true}, {"app!=web", false}, {"nope!=x", true},
		{"app", true}, {"nope", false}, {"!nope", true}, {"!app", false}, {"! nope", true},
		{"app in (web,db)", true}, {"app in (db)", false}, {"app notin (db)", true}, {"app notin (web)", false}, {"nope notin (x)", true},
		{"empty=", true}, {"app=", false}, {"empty in ()", true}, {"empty in (,x)", true}, {"app in (x,)", false},
		{"app=web,tier in (front, back),!nope", true}, {"app=web,tier=back", false}, {"in in (in)", false},
	} {
		s, err := ParseSelector(tt.text)
		if err != nil || s.Matches(labels) != tt.want {
			t.Errorf("%q: %t, want %t (%v)", tt.text, s.Matches(labels), tt.want, err)
		}
	}
	for text, want := range map[string]string{
		"=":           "found '=', expected: !, identifier, or 'end of string'",
		"a=b,":        "found '', expected: identifier after ','",
		"a=b c":       "found 'c', expected: ',' or 'end of string'",
		"a b":         "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt",
		"a in x":      "unable to parse requirement: found 'x' expected: '('",
		"a in (x y)":  "unable to parse requirement: found 'y', expected: ',' or ')'",
		"a=(":         "unable to parse requirement: found '(', expected: identifier",
		"!":           "unable to parse requirement: found '', expected: identifier",
		"a>x":         "unable to parse requirement: values[0]: Invalid value: \"x\": for 'Gt', 'Lt' operators, the value must be an integer",
		"-a=b":        "unable to parse requirement: <nil>: Invalid value: \"-a\": " + validate.LabelKey("-a"),
		"a=b*":        "unable to parse requirement: values[0][a]: Invalid value: \"b*\": " + validate.LabelValue("b*"),
		"a in (b,c/)": "unable to parse requirement: values[1][a]: Invalid value: \"c/\": " + validate.LabelValue("c/"),
	} {
		if _, err := ParseSelector(text); err == nil || err.Error() != want {
			t.Errorf("%q\n got %v\nwant %s", text, err, want)
		}
	}
}

// TestSplitLines: a pasted text is cut into commands.
// TestSequences: ; && and || end a command, but not in quotes, and not before a here-document.
func TestSequences(t *testing.T) {
	for text, want := range map[string]string{
		"get pods; get rs":                           "get pods|get rs",
		"get pods ;get rs;":                          "get pods|get rs",
		"scale a && get b || get c":                  "scale a|&& get b|\\|\\| get c",
		"scale a &&\n  get b\nget c":                 "scale a|&& get b|get c",
		"scale a && \\\n  get b":                     "scale a|&& get b",
		"patch a -p 'b; c && d'; get \"x || y\"":     "patch a -p 'b; c && d'|get \"x \\|\\| y\"",
		"get a | grep b && get c":                    "get a \\| grep b|&& get c",
		"get a # b; c\nget d":                        "get a|get d",
		"apply -f - <<EOF\na: b; c && d\nEOF\nget x": "apply -f - <<EOF\na: b; c && d\nEOF|get x",
		"&& get a": "&& get a", ";": "", "a && && b": "a|&& b",
	} {
		got := SplitLines(text)
		for i := range got {
			got[i] = strings.ReplaceAll(got[i], "|", `\|`)
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%q: got %q", text, got)
		}
	}
}

// TestWatch: watch is what -w does, for what can be watched.
func TestWatch(t *testing.T) {
	for text, want := range map[string]string{
		"watch kubectl get pods -o wide": "kubectl get -w pods -o wide", "watch -n 1 -d k get pods | grep web": "kubectl get -w pods | grep web",
		`watch -n2 "kubectl get deploy web"`: "kubectl get -w deploy web", "watch events": "kubectl events -w ", "watch --interval=1 get po": "kubectl get -w po",
	} {
		if c := Parse(text); c.Text != strings.TrimSpace(want) || c.Err != nil || !c.On("watch") {
			t.Errorf("%s: got %q, %v", text, c.Text, c.Err)
		}
	}
}

func TestSplitLines(t *testing.T) {
	text := `# first
$ kubectl scale deploy/web --replicas=3   # three
  kubectl set image deploy/web \
      web=nginx:2 \
      log=fluent:2

kubectl annotate deploy/web a=b\
c # don't
kubectl patch deploy web -p '{
  "spec": {"replicas": 5} # not a comment
}'
$ kubectl apply -f - <<EOF
# a comment of the manifest
kind: Pod   # and another \
EOF
kubectl get pods -l "a=b" \`
	want := []string{
		"kubectl scale deploy/web --replicas=3",
		"kubectl set image deploy/web web=nginx:2 log=fluent:2",
		"kubectl annotate deploy/web a=bc",
		"kubectl patch deploy web -p '{\n  \"spec\": {\"replicas\": 5} # not a comment\n}'",
		"kubectl apply -f - <<EOF\n# a comment of the manifest\nkind: Pod   # and another \\\nEOF",
		`kubectl get pods -l "a=b" \`,
	}
	if got := SplitLines(text); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if got := SplitLines("a \\\n \\\n b\r\n\r\n$ c\r\n"); !slices.Equal(got, []string{"a b", "c"}) {
		t.Errorf("got %q", got)
	}
	if got := SplitLines("A='x y' \\\n&& kubectl get pods \"$A\" && kubectl get rs"); !slices.Equal(got, []string{`A='x y' && kubectl get pods "$A"`, "&& kubectl get rs"}) {
		t.Errorf("got %q", got)
	}
	if got := SplitLines(" \n# nothing\n"); got != nil {
		t.Errorf("got %q", got)
	}
}

// lines are seeds for the fuzz tests: one of every verb, and what is hard to read.
var lines = []string{"kubectl set image deployment/web web=nginx:2", "scale deploy web --replicas 3", "rollout undo deploy/web --to-revision=1",
	"annotate deploy/web a=b c-", `delete pod "a b"`, "set image deploy/web *=x", "-n kube-system scale", "scale --replicas",
	"label deploy --all a=b", "delete deploy -l a!=b,c in (d)", "rollout restart deploy", "set env deploy/web A=b B-",
	"set resources deploy/web --limits=cpu=1", `patch deploy web -p '{"spec":{"replicas":5}}'`, "patch deploy web --type=json -p '[{op: remove, path: /spec/replicas}]'",
	"patch deploy web --type merge -p '{spec: {template: null}}'", `patch deploy web -p '{"spec":{"template":{"spec":{"containers":[{"name":"log","$patch":"delete"}]}}}}'`,
	"cordon a", "create deployment x --image=a/b:1 --port=80", "create quota q --hard=pods=3", "apply -f - <<EOF\nkind: Pod\nEOF",
	"cat <<EOF | kubectl create -f -\nkind: Pod\nEOF", "edit deploy/web", "get pods -owide -w", "$ a \\\n b", "x <<-'A'\n\tA\n", "help set", "-- a", "get pods a{1..300}{1..300}{b,c}{{d,e}}", "get a | grep b | k apply -f - | grep x"}

// FuzzSplitLines: no text panics or hangs, no command is empty or longer than its text.
func FuzzSplitLines(f *testing.F) {
	f.Add("# first\n$ kubectl a \\\n b\nkubectl c -p '{\n}'\n" + lines[20] + "\nd # e")
	for _, line := range lines {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, text string) {
		commands := SplitLines(text)
		for _, c := range commands {
			if c == "" || len(c) > len(text) {
				t.Errorf("%q gives %q", text, c)
			}
			if line, err := split(c); err == nil && len(line.words) == 0 && !line.hasStdin {
				t.Errorf("%q has no words", c)
			}
		}
	})
}

// TestPluralList: types in a sentence; those that are only stored have one name together.
func TestPluralList(t *testing.T) {
	for want, list := range map[string][]api.Kind{
		"pods": {api.KindPod}, "pods and replicasets": {api.KindPod, api.KindReplicaSet},
		"pods, replicasets and nodes":           {api.KindPod, api.KindReplicaSet, api.KindNode},
		"pods and objects that are only stored": {api.KindPod, "ConfigMap", "Secret"}} {
		if got := PluralList(list); got != want {
			t.Errorf("%v: %q, want %q", list, got, want)
		}
	}
}

// TestBracesAsShell: words with braces are those of bash, or refused.
func TestBracesAsShell(t *testing.T) {
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("no bash")
	}
	r, refused := rand.New(rand.NewPCG(1, 2)), 0
	for range 600 {
		text := ""
		for range 1 + r.IntN(7) {
			text += []string{"{", "}", ",", "..", "a", "1", "3", "{1..3}", "{a,b}", "'{'", " ", ".x", "0"}[r.IntN(13)]
		}
		want, err := exec.Command("bash", "-c", `printf '%s\n' `+text).Output()
		if err != nil {
			t.Fatal(text, err)
		}
		line, err := split(text)
		if refused++; err != nil {
			continue
		}
		refused--
		if got := strings.Join(line.words, "\n") + "\n"; got != string(want) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
	if refused > 100 {
		t.Errorf("%d of 600 are refused", refused)
	}
}
