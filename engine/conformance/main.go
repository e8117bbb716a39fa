// Command conformance is being built.
package main

import (
	_ "github.com/rollplay/rollplay/engine/deployment"
	_ "k8s.io/client-go/kubernetes/fake"
	_ "k8s.io/kubernetes/pkg/apis/apps/v1"
	_ "k8s.io/kubernetes/pkg/controller/deployment"
	_ "k8s.io/kubernetes/pkg/controller/replicaset"
)

func main() {}
