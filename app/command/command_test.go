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

func TestKubectlLines(t *testing.T) {
	if got := Short("Node/node-1") + " " + Short("Deployment/shop/web") + InNamespace("Node/node-1"); got != "node/node-1 deployment/web" {
		t.Errorf("objects are written %s", got)
	}
	for got, want := range map[string]string{
		SetImage("Deployment/shop/web", "app", "x:2"): "kubectl set image deployment/web app=x:2 -n shop",
		Scale("Deployment/default/web", 0):            "kubectl scale deployment/web --replicas=0",
		DeletePod("shop", "web-1"):                    "kubectl delete pod web-1 -n shop",
		Short("ReplicaSet/default/web-1"):             "replicaset/web-1",
		Short(""):                                     "",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
