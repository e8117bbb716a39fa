package enginetest_test

import (
	"fmt"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/enginetest"
)

// t is the *testing.T of a test.
var t printer

type printer struct{}

func (printer) Helper()                           {}
func (printer) Errorf(format string, args ...any) { fmt.Printf(format+"\n", args...) }
func (printer) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }

const web = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 10
  selector: {matchLabels: {app: web}}
  strategy: {rollingUpdate: {maxSurge: 25%, maxUnavailable: 20%}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers: [{name: web, image: "web:1"}]
`

func Example() {
	c := enginetest.Start(t, web)
	fmt.Println(c.At("30s").Run("kubectl set image deployment/web web=web:2"))

	update := c.After("30s")
	fmt.Println("at least", update.MinAvailable("deployment/web"), "available")
	fmt.Println("at most", update.MaxTotal("deployment/web"), "pods")
	update.Never("deployment/web", "more than the surge allows", func(f engine.Frame) bool { return f.Total > 10+3 })

	fmt.Println(c.At("5m").Frame("deployment/web").Updated, "updated in the end")
	fmt.Println(c.At("5m").Run("kubectl rollout status deployment/web"))
	// Output:
	// deployment.apps/web image updated
	// at least 8 available
	// at most 13 pods
	// 10 updated in the end
	// deployment "web" successfully rolled out
}
