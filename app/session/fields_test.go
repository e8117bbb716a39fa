package session

import (
	"fmt"
	"strings"
	"testing"
)

func TestFields(t *testing.T) {
	s := New(true)
	s.Document.Set("# a text\nkind: Scenario\nspec:\n  seed: 1\n---\napiVersion: apps/v1\nkind: Deployment\nspec:\n  replicas: 3\n  strategy:\n    rollingUpdate: {maxSurge: 1}\n" +
		"  template:\n    spec:\n      containers:\n      - name: web\n        image: \"nginx:1\"\n      - name: side\n      volumes:\n        - name: data\n          emptyDir: {}\n---\nkind: Service\n  bad\n")
	var got []string
	for _, f := range s.Document.Fields() {
		got = append(got, fmt.Sprintf("%d %s %s=%s", f.Line, f.Kind, f.Path, f.Value))
	}
	want := `6 Deployment apiVersion=apps/v1
7 Deployment kind=Deployment
8 Deployment spec=
9 Deployment spec.replicas=3
10 Deployment spec.strategy=
11 Deployment spec.strategy.rollingUpdate={maxSurge: 1}
12 Deployment spec.template=
13 Deployment spec.template.spec=
14 Deployment spec.template.spec.containers=
15 Deployment spec.template.spec.containers.name=web
16 Deployment spec.template.spec.containers.image="nginx:1"
17 Deployment spec.template.spec.containers.name=side
18 Deployment spec.template.spec.volumes=
19 Deployment spec.template.spec.volumes.name=data
20 Deployment spec.template.spec.volumes.emptyDir={}
22 Service kind=Service`
	if text := strings.Join(got, "\n"); text != want {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
	s.Document.Set(strings.Repeat("a: 1\n", 5000))
	if n := len(s.Document.Fields()); n != fieldsMax {
		t.Errorf("%d fields of a long text", n)
	}
}
