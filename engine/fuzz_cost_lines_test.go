package engine

import (
	"fmt"
	"strings"
)

// fixedLine is a command that does not grow.
func fixedLine(text string) func(int) string { return func(int) string { return text } }

// patchOf is a patch of the template of w0.
func patchOf(kind, body string) string {
	return `patch deployment w0 --type=` + kind + ` -p '{"spec":{"template":{"spec":{` + body + `}}}}'`
}

// costLines are commands that grow with a number: each was chosen because its work depends on what is typed, or on the cluster.
var costLines = [...]func(n int) string{
	fixedLine("get pods -o yaml"), fixedLine("get pods -o json"), fixedLine("describe pods"), fixedLine("get all,hpa,pdb,quota,cm -o wide"),
	fixedLine("describe deployment w0"), fixedLine("describe nodes"), fixedLine("get pods --show-labels -A"), fixedLine("events"), fixedLine("get events -o yaml"),
	fixedLine("delete pods --all"), fixedLine("rollout restart deployment w0"), fixedLine("rollout history deployment w0"), fixedLine("rollout undo deployment w0"),
	fixedLine("scale deployment w0 --replicas=0"), fixedLine("scale deployment w0 --replicas=5000"), fixedLine("get pods -w -o yaml"),
	fixedLine("get pods -w -o jsonpath={...*}"), fixedLine("top pods"), fixedLine("drain --all --ignore-daemonsets"), fixedLine("drain -l zone --force"),
	fixedLine("taint nodes --all a=b:NoExecute"), fixedLine("label nodes --all a=b"), fixedLine("wait pods --all --for=condition=Ready --timeout=1s"),
	fixedLine("get pods --sort-by=.metadata.uid"), fixedLine("get pods --sort-by={...*}"), fixedLine("get pods -o jsonpath={..name}"),
	fixedLine("get nodes -o jsonpath={..labels...*}"), fixedLine("explain pods --recursive"), fixedLine("get pods -o 'jsonpath={.items[?(@.metadata.name>\"a\")]...*}'"),
	fixedLine("get pods -o 'jsonpath={.items[?(@.spec.containers[0].name==\"web\")].metadata.name}'"), fixedLine("delete deployments,pods --all --force"),
	fixedLine("get pods -o 'jsonpath={range .items[*]}{.metadata.name} {.spec}{\"\\n\"}{end}'"), fixedLine("get rs,deploy -o yaml"),
	fixedLine("get pods --field-selector status.phase=Running -o name"), fixedLine("wait pods --all --for=jsonpath='{...*}'=1 --timeout=1m"),
	fixedLine("set image deployment/w0 *=z"), fixedLine("set resources deployment w0 --limits=cpu=1"), fixedLine("annotate pods --all x-"),
	fixedLine("patch deployment w0 -p '{\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"name\":\"web\",\"$patch\":\"replace\",\"image\":\"q\"}]}}}}'"),
	func(n int) string { return "label pods --all " + repeated(n, "k#=v ") },
	func(n int) string { return "annotate deployment w0 " + repeated(n, "k#="+strings.Repeat("v", n)+" ") },
	func(n int) string { return "label pods --all " + repeated(n, "k#- ") },
	func(n int) string { return "set env deployment/w0 " + repeated(n, "W#=v ") },
	func(n int) string { return "set env deployment --all " + repeated(n, "V#- ") },
	func(n int) string { return "set image deployment/w0 " + repeated(n, "web#=j ") },
	func(n int) string { return "get pods -l '" + joined(n, "a!=b#") + "'" },
	func(n int) string { return "delete pods -l 'app notin (" + joined(n, "x#") + ")'" },
	func(n int) string { return "get pods -L " + joined(n/5+1, "k#") },
	func(n int) string { return "get pods -o custom-columns=" + joined(n/5+1, "A#:.spec") },
	func(n int) string { return "get pods -o custom-columns=" + joined(n/5+1, "A#:..name") },
	func(n int) string { return "get pods -o jsonpath=" + strings.Repeat("{...*}", n/4+1) },
	func(n int) string { return "get pods -o jsonpath={" + strings.Repeat("...*", n/20+1) + "}" },
	func(n int) string { return "get pods -o jsonpath={.items[0]" + strings.Repeat("[0:]", n) + "}" },
	func(n int) string {
		return "get pods -o 'jsonpath=" + strings.Repeat("{range .items[*]}", n/100+1) + "{.metadata.name}" + strings.Repeat("{end}", n/100+1) + "'"
	},
	func(n int) string { return "get pods --field-selector '" + joined(n, "metadata.name!=x#") + "'" },
	func(n int) string { return "get " + joined(n, "pods/x#") },
	func(n int) string { return "get " + joined(n/10+1, "pods") + " -o yaml" },
	func(n int) string { return "delete " + repeated(n*4, "pod/x# ") },
	func(n int) string { return "taint nodes --all " + repeated(n, "k#=v:NoSchedule ") },
	func(n int) string { return "label nodes --all " + repeated(n, "k#=v ") },
	func(n int) string {
		return "create deployment x" + fmt.Sprint(n) + " --image=i --replicas=" + fmt.Sprint(n*4)
	},
	func(n int) string { return "create quota x" + fmt.Sprint(n) + " --hard=" + joined(n, "count/x#=5") },
	func(n int) string {
		return "create pdb x" + fmt.Sprint(n) + " --min-available=1 --selector='" + joined(n, "a!=b#") + "'"
	},
	func(n int) string {
		return patchOf("strategic", `"containers":[`+joined(n, `{"name":"web#","image":"q"}`)+`]`)
	},
	func(n int) string {
		return patchOf("strategic", `"containers":[`+joined(n, `{"name":"web#","$patch":"delete"}`)+`]`)
	},
	func(n int) string {
		return patchOf("strategic", `"$setElementOrder/containers":[`+joined(n, `{"name":"web#"}`)+`]`)
	},
	func(n int) string {
		return patchOf("merge", `"containers":[`+joined(n, `{"name":"web#","image":"q"}`)+`]`)
	},
	func(n int) string { return patchOf("merge", `"nodeSelector":{`+joined(n, `"k#":"w"`)+`}`) },
	func(n int) string { return patchOf("strategic", `"tolerations":[`+joined(n, `{"key":"t#"}`)+`]`) },
	func(n int) string { return patchOf("strategic", strings.Repeat(`"x":{`, n/5)+strings.Repeat(`}`, n/5)) },
	func(n int) string {
		return "patch deployment w0 --type=json -p '[" + joined(n*18, `{"op":"test","path":"/kind","value":"Deployment"}`) + "]'"
	},
	func(n int) string {
		return "patch deployment w0 --type=json -p '[" + joined(n*18, `{"op":"add","path":"/spec/template/spec/containers/0/args","value":["x#"]}`) + "]'"
	},
	func(n int) string {
		return "patch deployment w0 --type=json -p '[" + joined(n, `{"op":"copy","from":"/spec/template/spec/containers/0","path":"/spec/template/spec/containers/-"}`) + "]'"
	},
	func(n int) string {
		return "patch deployment w0 --type=json -p '[" + joined(n, `{"op":"move","from":"/spec/template/spec","path":"/spec/template/spec"}`) + "]'"
	},
	func(n int) string { return "logs " + strings.Repeat("w", n*20) },
	func(n int) string { return "get pods " + strings.Repeat("\\", n*20) },
	func(n int) string { return "get pods " + strings.Repeat("'\"", n*20) },
	func(n int) string { return "explain pods" + strings.Repeat(".spec", n) },
}
