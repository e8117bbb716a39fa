package command

import "testing"

func TestSuggestImage(t *testing.T) {
	for image, want := range map[string]string{
		"nginx:1.18.0": "nginx:1.18.1", "nginx": "nginx:2", "registry.local:5000/web": "registry.local:5000/web:2",
		"app:v9": "app:v10", "app:9-alpine": "app:10-alpine", "app:latest": "app:latest-2",
	} {
		if got := SuggestImage(image); got != want {
			t.Errorf("suggestImage(%q) = %q, want %q", image, got, want)
		}
	}
}

// TestJoinImage: what is typed in the place of a tag is a tag, a digest, or a whole image.
func TestJoinImage(t *testing.T) {
	for _, c := range []struct{ image, typed, want string }{
		{"nginx:1.18", "1.19", "nginx:1.19"}, {"nginx", "1.19", "nginx:1.19"}, {"r.io:5000/a/web:1", "2", "r.io:5000/a/web:2"},
		{"r.io:5000/web:1@sha256:aa", "2", "r.io:5000/web:2"}, {"web:1", "sha256:bb", "web@sha256:bb"}, {"web@sha256:aa", "sha256:bb", "web@sha256:bb"},
		{"web:1", "other:3", "other:3"}, {"web:1", "r.io/other", "r.io/other"},
	} {
		if got := JoinImage(c.image, c.typed); got != c.want {
			t.Errorf("%s in place of the tag of %s is %s, want %s", c.typed, c.image, got, c.want)
		}
	}
}

func TestStepped(t *testing.T) {
	for _, c := range []struct {
		value string
		by    int
		want  string
	}{{"25%", 1, "30%"}, {"3%", -1, "0%"}, {"1", -1, "0"}, {"0", -1, "0"}, {"2", 1, "3"}, {"x", 1, "x"}} {
		if got := Stepped(c.value, c.by); got != c.want {
			t.Errorf("%s stepped by %d is %s, want %s", c.value, c.by, got, c.want)
		}
	}
}

func TestKubectlLines(t *testing.T) {
	if got := Short("Node/node-1") + " " + Short("Deployment/shop/web") + InNamespace("Node/node-1"); got != "node/node-1 deployment/web" {
		t.Errorf("objects are written %s", got)
	}
	for got, want := range map[string]string{
		SetImage("Deployment/shop/web", "app", "x:2"):    "kubectl set image deployment/web app=x:2 -n shop",
		Scale("Deployment/default/web", 0):               "kubectl scale deployment/web --replicas=0",
		DeletePod("shop", "web-1"):                       "kubectl delete pod web-1 -n shop",
		Short("ReplicaSet/default/web-1"):                "replicaset/web-1",
		SetBound("DaemonSet/default/a", "maxSurge", "1"): `kubectl patch daemonset/a -p '{"spec":{"updateStrategy":{"rollingUpdate":{"maxSurge":1}}}}'`,
		SetBound("Deployment/x/a", "maxSurge", "25%"):    `kubectl patch deployment/a -p '{"spec":{"strategy":{"rollingUpdate":{"maxSurge":"25%"}}}}' -n x`,
		Short(""): "",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestBrief(t *testing.T) {
	const web = "Deployment/default/web"
	for line, want := range map[string]string{
		SetImage(web, "nginx", "nginx:1.19.2"):                "image 1.19.2",
		SetImage("Deployment/shop/web", "a", "host:5000/web"): "image host:5000/web",
		Scale(web, 3):                  "replicas 3",
		SetBound(web, "maxSurge", "0"): "maxSurge 0",
		SetBound("DaemonSet/x/a", "maxUnavailable", "30%"): "maxUnavailable 30%",
		SetMinReady(web, 5):                                "minReadySeconds 5",
		Rollout(web, "undo"):                               "rollout undo deployment/web",
		"kubectl patch deployment/web -p '{}'":             "patch deployment/web -p",
		"kubectl delete pod web-5d59d67564-x2x4z-and-more": "delete pod web-5d59d67564-x…",
		"crash pod/web":                                    "crash pod/web",
		"":                                                 "",
	} {
		if got := Brief(line, false); got != want {
			t.Errorf("%s is called %q, want %q", line, got, want)
		}
	}
	if got := Brief("", true); got != "apply" {
		t.Errorf("apply is called %q", got)
	}
}
