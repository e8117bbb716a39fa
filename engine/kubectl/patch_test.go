package kubectl

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/kubectl/line"
	"github.com/rollplay/rollplay/engine/kubectl/read"
)

// containersOf prints the containers of web as name=image and their ports and variables.
func (w *world) containersOf() string {
	var list []string
	tree := api.TreeOf(&w.deployment().Spec.Template)
	for _, item := range tree["spec"].(map[string]any)["containers"].([]any) {
		c := item.(map[string]any)
		text := c["name"].(string) + "=" + c["image"].(string)
		for _, field := range []string{"env", "ports", "resources"} {
			if m, ok := c[field].(map[string]any); ok && len(m) == 0 {
				continue
			}
			if v, ok := c[field]; ok {
				b, err := json.Marshal(v)
				if err != nil {
					w.t.Fatal(err)
				}
				text += " " + string(b)
			}
		}
		list = append(list, text)
	}
	return strings.Join(list, ", ")
}

// run carries out a line that must be done.
func (w *world) run(line string) string {
	w.t.Helper()
	a := w.answer(line)
	if a.Failed {
		w.t.Errorf("%s: %s", line, a.Output)
	}
	return a.Output
}

const spec = `{"spec":{"template":{"spec":`

// TestPatchContainers is how lists are patched, one after the other in one cluster: strategic by name, merge as a whole,
// JSON by place.
func TestPatchContainers(t *testing.T) {
	w := newWorld(t)
	for _, tt := range []struct{ flags, want string }{
		{"-p '" + spec + `{"containers":[{"name":"log","image":"fluent:2"}]}}}}'`, "web=nginx:1, log=fluent:2"},
		// What is new stands in front: upstream sorts the patch's entries before those that only the server has.
		{"-p '" + spec + `{"containers":[{"name":"new","image":"new:1"}]}}}}'`, "new=new:1, web=nginx:1, log=fluent:2"},
		{"-p '" + spec + `{"containers":[{"name":"new","$patch":"delete"}]}}}}'`, "web=nginx:1, log=fluent:2"},
		// Given entries come in the given order, and each behind what the server has before it.
		{"-p '" + spec + `{"containers":[{"name":"log","image":"fluent:3"},{"name":"web","image":"nginx:2"}]}}}}'`, "log=fluent:3, web=nginx:2"},
		{"-p '" + spec + `{"$setElementOrder/containers":[{"name":"web"},{"name":"log"}]}}}}'`, "web=nginx:2, log=fluent:3"},
		{"-p '" + spec + `{"$setElementOrder/containers":[{"name":"log"},{"name":"web"}],"containers":[{"name":"web","image":"nginx:3"}]}}}}'`,
			"log=fluent:3, web=nginx:3"},
		{"-p '" + spec + `{"containers":[{"name":"web","env":[{"name":"A","value":"1"},{"name":"B","value":"2"}]}]}}}}'`,
			`log=fluent:3, web=nginx:3 [{"name":"A","value":"1"},{"name":"B","value":"2"}]`},
		{"-p '" + spec + `{"containers":[{"name":"web","env":[{"name":"A","value":"3"}]}]}}}}'`,
			`log=fluent:3, web=nginx:3 [{"name":"A","value":"3"},{"name":"B","value":"2"}]`},
		{"-p '" + spec + `{"containers":[{"name":"web","env":null,"ports":[{"containerPort":80}]}]}}}}'`,
			`log=fluent:3, web=nginx:3 [{"containerPort":80,"protocol":"TCP"}]`},
		{"-p '" + spec + `{"containers":[{"name":"web","ports":[{"containerPort":80,"name":"http"}]}]}}}}'`,
			`log=fluent:3, web=nginx:3 [{"containerPort":80,"name":"http","protocol":"TCP"}]`},
		{"-p '" + spec + `{"containers":[{"name":"web","ports":[{"$patch":"replace"},{"containerPort":81}]}]}}}}'`,
			`log=fluent:3, web=nginx:3 [{"containerPort":81,"protocol":"TCP"}]`},
		{"--type=merge -p '" + spec + `{"containers":[{"name":"one","image":"one:1"}]}}}}'`, "one=one:1"},
		{`--type=json -p '[{"op":"add","path":"/spec/template/spec/containers/0","value":{"name":"zero","image":"zero:1"}}]'`, "zero=zero:1, one=one:1"},
		{`--type=json -p '[{"op":"test","path":"/spec/template/spec/containers/1/name","value":"one"},{"op":"remove","path":"/spec/template/spec/containers/0"}]'`,
			"one=one:1"},
		{`--type=json -p '[{op: copy, from: /spec/template/spec/containers/0, path: /spec/template/spec/containers/-}, ` +
			`{op: replace, path: /spec/template/spec/containers/1/name, value: two}]'`, "one=one:1, two=one:1"},
		{`--type=json -p '[{op: move, from: /spec/template/spec/containers/1, path: /spec/template/spec/containers/0}]'`, "two=one:1, one=one:1"},
		{"-p '" + spec + `{"containers":[{"$patch":"replace"},{"name":"web","image":"nginx:1"}]}}}}'`, "web=nginx:1"},
	} {
		w.run("patch deployment web " + tt.flags)
		if got := w.containersOf(); got != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.flags, got, tt.want)
		}
	}
}

// TestPatchFields: null removes, directives remove and replace, atomic lists are replaced, and nothing else moves.
func TestPatchFields(t *testing.T) {
	w := newWorld(t)
	template := func() *api.PodTemplateSpec { return &w.deployment().Spec.Template }
	w.run(`patch deploy web -p '{"metadata":{"labels":{"a":"1","b/c":"2"},"finalizers":["x.io/y"]}}'`)
	if d := w.deployment(); d.Labels["a"] != "1" || d.Labels["b/c"] != "2" || len(d.Finalizers) != 1 || d.Generation != 1 {
		t.Errorf("labels %v, finalizers %v, generation %d", d.Labels, d.Finalizers, d.Generation)
	}
	w.run(`patch deploy web -p '{"metadata":{"labels":{"a":null},"$deleteFromPrimitiveList/finalizers":["x.io/y"]}}'`)
	w.run(`patch deploy web --type=json -p '[{"op":"remove","path":"/metadata/labels/b~1c"}]'`)
	if d := w.deployment(); len(d.Labels) != 0 || len(d.Finalizers) != 0 {
		t.Errorf("labels %v, finalizers %v", d.Labels, d.Finalizers)
	}
	before := template().Spec
	for _, how := range []string{"strategic", "merge"} {
		w.run(`patch deploy web --type=` + how + ` -p 'spec: {replicas: null, minReadySeconds: 7}'`)
		if d := w.deployment(); *d.Spec.Replicas != 1 || d.Spec.MinReadySeconds != 7 || !template().Spec.Equal(before) {
			t.Errorf("%s: replicas %d, minReadySeconds %d", how, *d.Spec.Replicas, d.Spec.MinReadySeconds)
		}
		w.run("scale deploy web --replicas=4")
	}
	w.run("patch deploy web -p '" + spec + `{"tolerations":[{"key":"a","operator":"Exists"}]}}}}'`)
	w.run("patch deploy web -p '" + spec + `{"tolerations":[{"key":"b","operator":"Exists"}]}}}}'`)
	tree := api.TreeOf(template())
	if list := tree["spec"].(map[string]any)["tolerations"].([]any); len(list) != 1 {
		t.Errorf("tolerations are one atomic list: %v", list)
	}
	if w.run(`patch deploy web -p '{"spec":{"strategy":{"$patch":"replace","type":"Recreate"}}}'`); w.deployment().Spec.Strategy.RollingUpdate != nil {
		t.Error("a replaced strategy keeps nothing")
	}
}

// TestSetChangesTemplates: what set env and set resources do to the template.
func TestSetChangesTemplates(t *testing.T) {
	w := newWorld(t)
	for _, tt := range []struct{ line, want string }{
		{"set env deploy/web A=1 B=x=y", `web=nginx:1 [{"name":"A","value":"1"},{"name":"B","value":"x=y"}], log=fluent:1 [{"name":"A","value":"1"},{"name":"B","value":"x=y"}]`},
		{"set env deploy/web -c 'l*g' A- B- C=3", `web=nginx:1 [{"name":"A","value":"1"},{"name":"B","value":"x=y"}], log=fluent:1 [{"name":"C","value":"3"}]`},
		{"set env deploy/web -c web -e B=2 -e A=2", `web=nginx:1 [{"name":"A","value":"2"},{"name":"B","value":"2"}], log=fluent:1 [{"name":"C","value":"3"}]`},
		{"set env deploy --all A- B- C-", `web=nginx:1, log=fluent:1`},
		{"set resources deploy/web -c web --limits=cpu=1,memory=1Gi --requests=cpu=500m",
			`web=nginx:1 {"limits":{"cpu":"1","memory":"1Gi"},"requests":{"cpu":"500m"}}, log=fluent:1`},
		{"set resources deploy/web --limits=cpu=2", `web=nginx:1 {"limits":{"cpu":"2","memory":"1Gi"},"requests":{"cpu":"500m"}}, log=fluent:1 {"limits":{"cpu":"2"}}`},
	} {
		w.run(tt.line)
		if got := w.containersOf(); got != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.line, got, tt.want)
		}
	}
}

// TestRecord: --record keeps the line, its words first and then its flags by their long names.
func TestRecord(t *testing.T) {
	w := newWorld(t)
	w.run("kubectl -n default set image deploy/web web=nginx:2 --record")
	want := "kubectl set image deploy/web web=nginx:2 --namespace=default --record=true"
	if got := w.deployment().Annotations[api.ChangeCauseAnnotation]; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestDryRun: nothing is written, and only the server's way asks the server.
func TestDryRun(t *testing.T) {
	w := newWorld(t)
	before := len(w.s.Store.Log)
	for _, line := range []string{"scale deploy/web --replicas=9", "set image deploy/web web=x", "set env deploy/web A=1", "set resources deploy/web --limits=cpu=1",
		"label deploy/web a=b", "annotate deploy/web a=b", `patch deploy/web -p '{"spec":{"replicas":9}}'`, "delete deploy/web",
		"create deployment db --image=db", "create quota q --hard=pods=1"} {
		for flag, suffix := range map[string]string{"client": " (dry run)", "server": " (server dry run)"} {
			if strings.HasPrefix(line, "patch") { // kubectl does not say it there
				suffix = " patched"
			}
			if got := w.run(line + " --dry-run=" + flag); !strings.HasSuffix(got, suffix) {
				t.Errorf("%s: %q", line, got)
			}
		}
	}
	w.run(`patch deploy/web -p '{"spec":{"replicas":-1}}' --dry-run=client`)
	if a := w.answer(`patch deploy/web -p '{"spec":{"replicas":-1}}' --dry-run=server`); !a.Failed {
		t.Errorf("the server would refuse: %+v", a)
	}
	if n := len(w.s.Store.Log) - before; n != 0 {
		t.Errorf("%d changes", n)
	}
}

// TestEdit: the answer names the object, and nothing is written.
func TestEdit(t *testing.T) {
	w := newWorld(t)
	before := len(w.s.Store.Log)
	r := read.Reader{Cluster: stored{w.s.Store}}
	typed := line.Parse("kubectl edit deploy web")
	object, _ := r.Edit(typed)
	if a := saidBy(w.k.Run(typed)); object != "Deployment/default/web" || a.Failed || len(w.s.Store.Log) != before {
		t.Errorf("got %q, %+v", object, a)
	}
	typed = line.Parse("kubectl edit deploy nope")
	object, _ = r.Edit(typed)
	if a := saidBy(w.k.Run(typed)); object != "" || !a.Failed {
		t.Errorf("got %q, %+v", object, a)
	}
}
