package kubectl

import (
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/kubectl/line"
)

// TestTable: each verb of the table is complete, and its help says all its flags.
func TestTable(t *testing.T) {
	docs := line.Modelled()
	if !slices.IsSortedFunc(docs, func(a, b line.VerbDoc) int { return strings.Compare(a.Name, b.Name) }) {
		t.Error("the table must be in the order of the alphabet")
	}
	for _, d := range docs {
		if d.Brief == "" || !strings.HasPrefix(d.Use, "kubectl "+d.Name) {
			t.Errorf("%s has no brief or no use: %+v", d.Name, d)
		}
		_, writes := writers[d.Name]
		if writes = writes || line.Parse(d.Name+" x").Configures(); d.Writes != writes {
			t.Errorf("%s must write: %v", d.Name, d.Writes)
		}
		c := line.Parse(d.Name + " --help")
		if c.Err != nil || !c.WantsHelp {
			t.Errorf("%s --help: %v", d.Name, c.Err)
		}
		for _, f := range d.Flags {
			if text := c.Help(); f.Brief == "" || !strings.Contains(text, "  "+f.Name+": "+f.Brief) {
				t.Errorf("the help of %s lacks %s:\n%s", d.Name, f.Name, text)
			}
		}
	}
	for line, part := range map[string]string{"kubectl --help": "kubectl scale: ", "help rollout": "kubectl rollout undo: ", "rollout -h": "kubectl rollout pause: ",
		"help create deploy": "kubectl create deployment NAME"} {
		w := newWorld(t)
		if a := w.answer(line); a.Failed || !strings.Contains(a.Output, part) {
			t.Errorf("%s: %+v", line, a)
		}
	}
}

// FuzzParse: no line panics or hangs, and one that is refused before it begins with its objects changes nothing.
func FuzzParse(f *testing.F) {
	for _, line := range seeds {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, text string) {
		w := newWorld(t)
		before := len(w.s.Store.Log)
		c := line.Parse(text)
		a := w.answer(text)
		if a.Failed && a.Output == "" {
			t.Errorf("%q was refused without a word", text)
		}
		changed := len(w.s.Store.Log) != before
		if changed && (c.Err != nil || c.WantsHelp || c.Dry != line.NoDryRun) {
			t.Errorf("%q changed something: %s", text, a.Output)
		}
		if changed && a.Failed && len(c.Targets)+len(c.Kinds) < 2 && c.Verb != "set image" {
			t.Errorf("%q was refused (%s) and changed something", text, a.Output)
		}
	})
}

// seeds are lines for the fuzz test: one of every verb, and what is hard to read.
var seeds = []string{"kubectl set image deployment/web web=nginx:2", "scale deploy web --replicas 3", "rollout undo deploy/web --to-revision=1",
	"annotate deploy/web a=b c-", `delete pod "a b"`, "set image deploy/web *=x", "-n kube-system scale", "scale --replicas",
	"label deploy --all a=b", "delete deploy -l a!=b,c in (d)", "rollout restart deploy", "set env deploy/web A=b B-",
	"set resources deploy/web --limits=cpu=1", `patch deploy web -p '{"spec":{"replicas":5}}'`, "patch deploy web --type=json -p '[{op: remove, path: /spec/replicas}]'",
	"patch deploy web --type merge -p '{spec: {template: null}}'", `patch deploy web -p '{"spec":{"template":{"spec":{"containers":[{"name":"log","$patch":"delete"}]}}}}'`,
	"cordon a", "create deployment x --image=a/b:1 --port=80", "create quota q --hard=pods=3", "apply -f - <<EOF\nkind: Pod\nEOF",
	"cat <<EOF | kubectl create -f -\nkind: Pod\nEOF", "edit deploy/web", "get pods -owide -w", "rollout undo deploy/web --to-revision=1",
	"wait deploy/web --for=create --for=jsonpath='{.spec.replicas}'=3", "wait pod -l a --for delete --timeout=-1s", "autoscale deploy/web --max=3 --cpu=5%",
	"create pdb a --selector='a=b,c in (d)' --min-available=5%", "$ a \\\n b", "x <<-'A'\n\tA\n", "help set", "-- a"}
