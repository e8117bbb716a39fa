package validate_test

import (
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/decode"
	"github.com/rollplay/rollplay/engine/api/validate"
)

// web is a Deployment that the tests change by replacing words.
const web = `
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 3
  selector:
    matchLabels: {app: web}
  strategy:
    type: RollingUpdate
  template:
    metadata:
      labels: {app: web}
    spec:
      restartPolicy: Always
      containers:
      - name: web
        image: nginx:1.27
`

// edit returns a text with words replaced, in pairs of old and new. Every old word must occur.
func edit(t *testing.T, text string, pairs ...string) string {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(text, pairs[i]) {
			t.Fatalf("no %q in the text", pairs[i])
		}
		text = strings.Replace(text, pairs[i], pairs[i+1], 1)
	}
	return text
}

// decodeYAML decodes a manifest.
func decodeYAML(t *testing.T, kind api.Kind, text string) (api.Object, []decode.Issue) {
	t.Helper()
	b, err := yaml.YAMLToJSONStrict([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return decode.JSON(kind, b)
}

// deployment decodes a Deployment that must be readable.
func deployment(t *testing.T, text string) *api.Deployment {
	t.Helper()
	o, issues := decodeYAML(t, api.KindDeployment, text)
	if len(issues) > 0 {
		t.Fatalf("issues: %v", issues)
	}
	return o.(*api.Deployment)
}

// wantErrors compares field errors with sentences.
func wantErrors(t *testing.T, got validate.FieldErrors, want ...string) {
	t.Helper()
	var texts []string
	for _, e := range got {
		texts = append(texts, e.Error())
	}
	if strings.Join(texts, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n\t%s\nwant\n\t%s", strings.Join(texts, "\n\t"), strings.Join(want, "\n\t"))
	}
}
