package kubectl_test

import (
	"strings"
	"testing"
)

// TestRequests: kubectl get -v=6 says which addresses it asks, and what the server answers where it refuses.
func TestRequests(t *testing.T) {
	scenario := sheetScenario()
	for line, want := range map[string]string{
		"get pods,deploy -v=6":          "api/v1/namespaces/default/pods?limit=500 200 OK, apis/apps/v1/namespaces/default/deployments?limit=500 200 OK",
		"get deploy -A -l app=b --v=6":  "apis/apps/v1/deployments?labelSelector=app%3Db&limit=500 200 OK",
		"get pods -v6 -o json":          "api/v1/namespaces/default/pods?limit=500 200 OK",
		"get nodes nope -v=6":           "api/v1/nodes/nope 404 Not Found",
		"get pods/nope -n gone -v 6":    "api/v1/namespaces/gone/pods/nope 404 Not Found, api/v1/namespaces/gone 404 Not Found",
		"get pods foo nope -v=6":        "api/v1/namespaces/default/pods/foo 200 OK, api/v1/namespaces/default/pods/nope 404 Not Found",
		"get pods -l -a=b -v=6":         "api/v1/namespaces/default/pods?labelSelector=-a%3Db&limit=500 400 Bad Request",
		"get pods -v=6 --sort-by=.kind": "api/v1/namespaces/default/pods?includeObject=Object 200 OK",
		"get pods -v=6 --bogus":         "",
		"get pods -v=3":                 "",
		"get pods -v=6 -w":              "",
		"get pods -v=6 -o name":         "",
		"get pods -v=7":                 "",
	} {
		var got []string
		answer := answerAt(t, scenario, line)
		for _, l := range answer.Lines {
			if _, rest, ok := strings.Cut(l.Text, `"Response" verb="GET" url="https://rollplay.invalid/`); ok {
				got = append(got, strings.TrimSuffix(strings.Replace(rest, `" status="`, " ", 1), `" milliseconds=0`))
				if !l.Stderr {
					t.Errorf("$ %s: a request is not in stderr", line)
				}
			}
		}
		if text := strings.Join(got, ", "); text != want {
			t.Errorf("$ %s\ngot  %s\nwant %s", line, text, want)
		}
		if want != "" && !strings.Contains(answer.Lines[0].Text, "Config loaded from file") {
			t.Errorf("$ %s begins with %q", line, answer.Lines[0].Text)
		}
	}
}

// TestRefusalLogged: an answer that refuses is printed in full, and its words are JSON.
func TestRefusalLogged(t *testing.T) {
	scenario := sheetScenario()
	for line, want := range map[string]string{
		"get deploy nope -v=6": `"status": "Failure",
  "message": "deployments.apps \"nope\" not found",
  "reason": "NotFound",
  "details": {
    "name": "nope",
    "group": "apps",
    "kind": "deployments"
  },
  "code": 404
}
Error from server`,
		"get pods nope -v=6": `"details": {
    "name": "nope",
    "kind": "pods"
  },
  "code": 404`,
		"get pods -l -a=b -v=6": `requirement: \u003cnil\u003e: Invalid value: \"-a\"`,
	} {
		if got := answerAt(t, scenario, line).Text(); !strings.Contains(got, want) {
			t.Errorf("$ %s\ngot  %s\nwant %s", line, got, want)
		}
	}
}
