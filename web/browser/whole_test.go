package browser_test

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp/kb"
)

// own is a manifest as somebody has it: 80 lines, with objects and fields that no rollout needs.
const own = `apiVersion: v1
kind: ConfigMap
metadata:
  name: shop-settings
  namespace: shop
data:
  LOG_LEVEL: info
  CURRENCY: EUR
---
apiVersion: v1
kind: Service
metadata:
  name: shop
  namespace: shop
spec:
  selector:
    app: shop
  ports:
  - name: http
    port: 80
    targetPort: http
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: shop
  namespace: shop
  labels:
    app: shop
    team: checkout
  annotations:
    example.com/owner: checkout
spec:
  replicas: 6
  revisionHistoryLimit: 5
  progressDeadlineSeconds: 60
  selector:
    matchLabels:
      app: shop
  strategy:
    type: RollingUpdate
    rollingUpdate:
      maxSurge: 1
      maxUnavailable: 1
  template:
    metadata:
      labels:
        app: shop
    spec:
      terminationGracePeriodSeconds: 20
      securityContext:
        runAsNonRoot: true
      containers:
      - name: shop
        image: registry.example.com/checkout/shop:2.3.0
        imagePullPolicy: IfNotPresent
        envFrom:
        - configMapRef:
            name: shop-settings
        ports:
        - name: http
          containerPort: 8080
        resources:
          requests:
            cpu: 200m
            memory: 128Mi
          limits:
            memory: 256Mi
        readinessProbe:
          httpGet:
            path: /ready
            port: http
          periodSeconds: 2
        livenessProbe:
          httpGet:
            path: /live
            port: http
          periodSeconds: 10
      nodeSelector:
        kubernetes.io/os: linux
`

// TestWholeJourney is what somebody does who comes with a manifest: paste it, roll out another tag, drag a band, break it, follow the
// advice, go back and decide otherwise, compare, share, look at two links, and find everything again. The clicks are counted: a page
// that needs more of them has become worse.
func TestWholeJourney(t *testing.T) {
	t.Parallel()
	const workload = "Deployment/shop/shop"
	p := open(t, desktop, "light", "")
	clicks := 0
	click := func(name string) { t.Helper(); clicks++; p.click(name) }
	clickOn := func(what, expr string) { t.Helper(); clicks++; p.clickOn(what, expr) }
	within := func(most int, what string) {
		t.Helper()
		if clicks > most {
			t.Errorf("%s took %d clicks, want at most %d", what, clicks, most)
		}
		clicks = 0
	}

	if n := strings.Count(own, "\n"); n < 80 {
		t.Fatalf("the manifest has %d lines", n)
	}
	click("start-own")
	p.waitEditor()
	p.wait("the empty editor with the focus", `rollplay.getText() === "" && `+element("editor")+`.shadowRoot.activeElement?.classList.contains("cm-content")`)
	p.paste(own)
	p.waitState("s.workload === " + quote(workload) + " && s.done && !s.dirty")
	within(1, "pasting one's own manifest")

	begin := p.toEnd().T
	clicks++
	p.fill("image-input", "2.4.0")
	p.keys(kb.Enter)
	p.waitState("s.commands === 1 && s.done")
	within(1, "rolling out another tag")

	p.toEnd()
	p.seek(begin + 1)
	p.waitText("status-line", "shop:2.4.0")
	x, y, pod := p.takeGrip("maxSurge")
	p.drag(x, y-2*pod)
	p.waitText("edge-tip", "maxSurge 1 → 3")
	p.mouse(input.DispatchMouseEventTypeMouseReleased, x, y-2*pod)
	clicks++
	p.waitState("s.commands === 2 && s.done")
	p.waitText("note-upper", "at most 9 = 6 + 3")
	within(1, "dragging the band")

	p.toEnd()
	clickOn("the menu", element("break")+".querySelector('summary')")
	clickOn("an image that cannot be pulled", element("break-it"))
	p.waitState("s.commands === 3 && s.done && !s.dirty")
	p.toEnd()
	p.wait("the rollout to be stuck", element("status-line")+`.dataset.state === "stuck"`)
	within(2, "breaking it")
	clickOn("the advice", element("fix"))
	p.waitState("s.commands === 4 && s.done")
	p.toEnd()
	p.wait("the rollout to be complete", element("diagnosis")+`.dataset.state === "complete"`)
	within(1, "following the advice")

	p.seek(begin + 500)
	clickOn("one more pod", element("scale-more"))
	p.waitState("s.commands === 3 && s.done") // those before the cursor, and this one
	p.series("the old future as a ghost", ghosts)
	p.wait("three branches: one more was left by the drag", `document.querySelectorAll('[data-act="branch"]').length === 3`)
	within(1, "deciding otherwise")
	p.openTab("timeline")
	click("branch-compare")
	p.waitState("s.comparing")
	p.wait("the figures of both", compareRows+".length === 3")
	within(1, "comparing")

	click("share")
	p.wait("the link", element("share-link"))
	link := eval[string](p, element("share-link")+".value")
	if !strings.Contains(link, "#1.") {
		t.Errorf("the link is %q", link)
	}
	within(1, "sharing")
	p.keys(kb.Escape)

	for _, name := range []string{"drain", "recreate"} {
		p.follow("#s=" + name)
		p.waitState("s.commands === 0 && s.done && s.workload !== " + quote(workload))
	}
	clickOn("the title", element("scenario")+".querySelector('summary')")
	p.wait("the drafts", element("draft"))
	clickOn("the draft", element("draft"))
	p.waitState("s.workload === " + quote(workload) + " && s.commands === 3")
	if text := eval[string](p, "rollplay.getText()"); !strings.Contains(text, "example.com/owner: checkout") {
		t.Error("the draft is not the manifest")
	}
	p.wait("its branches", `document.querySelectorAll('[data-act="branch"]').length === 3`)
	within(2, "finding the draft again")
}
