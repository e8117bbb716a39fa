package browser_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// What strangers may hand to a person: each of these texts once froze the page, took all its memory or ended it.

// hostile is one of them. If it is saved rather than pasted, the page finds it as the session of the last visit.
type hostile struct {
	name  string
	text  string
	saved bool // text is a saved session
	link  bool // text is the fragment of a link
	huge  bool // its memory is beyond what a test should take, where nothing stops it
}

// deployment is a manifest with a number of replicas, written as it stands.
func deployment(replicas string) string { return deploymentWith(replicas, "", "") }

// deploymentWith adds lines to the spec of the pods and to the container.
func deploymentWith(replicas, pod, container string) string {
	return "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec:\n  replicas: " + replicas +
		"\n  selector: {matchLabels: {app: web}}\n  template:\n    metadata: {labels: {app: web}}\n    spec:\n" + pod +
		"      containers:\n      - name: web\n        image: \"nginx:1\"\n" + container
}

// scenarioOf is a Scenario document with a spec.
func scenarioOf(spec string) string {
	return "---\napiVersion: rollplay/v1alpha1\nkind: Scenario\nspec:\n" + spec
}

// lines writes a line for each of n numbers.
func lines(n int, line func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(line(i))
	}
	return b.String()
}

// listOf is a List of n objects in JSON, on one line.
func listOf(n int, item func(i int) string) string {
	items := strings.TrimSuffix(lines(n, func(i int) string { return item(i) + "," }), ",")
	return `{"apiVersion":"v1","kind":"List","items":[` + items + "]}\n"
}

const antiAffinity = `      affinity:
        podAntiAffinity:
          requiredDuringSchedulingIgnoredDuringExecution:
          - labelSelector: {matchLabels: {app: web}}
            topologyKey: kubernetes.io/hostname
`

// environmentLines are 240 kB of a container's environment.
func environmentLines() string {
	return "        env:\n" + lines(240, func(i int) string {
		return fmt.Sprintf("        - {name: V%d, value: %q}\n", i, strings.Repeat("x", 1000))
	})
}

func timeline(n int, line func(i int) string) string { return "  timeline:\n" + lines(n, line) }

// jsonPatchCopies doubles a list 40 times.
func jsonPatchCopies() string {
	return deployment("3") + scenarioOf("  timeline:\n  - at: 1s\n    run: >-\n      kubectl patch deployment web --type=json -p '["+
		`{"op":"add","path":"/x","value":["a"]}`+strings.Repeat(`,{"op":"copy","from":"/x","path":"/x/-"}`, 40)+"]'\n")
}

func hostiles() []hostile {
	hpa := `---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  minReplicas: 1
  maxReplicas: 1000
  behavior:
    scaleDown: {stabilizationWindowSeconds: 0, policies: [{type: Percent, value: 100, periodSeconds: 15}]}
    scaleUp: {stabilizationWindowSeconds: 0, policies: [{type: Percent, value: 1000, periodSeconds: 15}]}
  metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 50}}}]
`
	return []hostile{
		{name: "drain without a node", text: deployment("3") + scenarioOf("  timeline:\n  - {at: 10s, run: kubectl drain -l a=b}\n")},
		{name: "command before the start", saved: true, text: `{"version":1,"recording":{"scenario":` + quote(deployment("3")) +
			`,"commands":[{"at":-1,"run":"kubectl rollout restart deployment/web"}]},"text":"","applied":"","t":3000,"factor":2,"loop":{"a":0,"b":0,"set":0}}`},
		{name: "pods in a list without a spec", text: listOf(5000, func(int) string { return `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"x"}}` })},
		{name: "1,000 Deployments", text: listOf(1000, func(i int) string {
			return fmt.Sprintf(`{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"w%d"},"spec":{"replicas":3,"selector":{"matchLabels":{"a":"%d"}},"template":{"metadata":{"labels":{"a":"%d"}},"spec":{"containers":[{"name":"c","image":"i"}]}}}}`, i, i, i)
		})},
		{name: "7,500 budgets", text: deployment("1000") + "---\n" + listOf(7500, func(i int) string {
			return fmt.Sprintf(`{"apiVersion":"policy/v1","kind":"PodDisruptionBudget","metadata":{"name":"w%d"},"spec":{"minAvailable":1,"selector":{}}}`, i)
		})},
		{name: "40,000 commands", text: deployment("3") + scenarioOf(timeline(26000, func(i int) string { return fmt.Sprintf("  - {at: %dms, run: get po}\n", i) }))},
		{name: "40,000 captions", text: deployment("3") + scenarioOf("  captions:\n"+lines(40000, func(i int) string { return fmt.Sprintf("  - {at: %dms, text: x}\n", i) }))},
		{name: "45,000 nodes in a list", text: deployment("3") + scenarioOf("  nodes:\n"+lines(45000, func(i int) string { return fmt.Sprintf("  - {name: node%d}\n", i) }))},
		{name: "400 images of 100 pods", text: deployment("100") + scenarioOf("  duration: 24h\n"+timeline(400, func(i int) string {
			return fmt.Sprintf("  - {at: %d000ms, run: set image deploy/web web=n:%d}\n", i, i)
		}))},
		{name: "1,000 pods on and off", text: deployment("1") + scenarioOf(timeline(800, func(i int) string {
			return fmt.Sprintf("  - {at: %d000ms, run: scale deploy/web --replicas=%d}\n", 2*i, 1000*(i%2))
		}))},
		{name: "an autoscaler on and off", text: deploymentWith("1", "", "        resources: {requests: {cpu: 100m}}\n") + hpa + scenarioOf("  duration: 24h\n  load:\n"+lines(1440, func(i int) string {
			return fmt.Sprintf("  - {of: deployment/web, at: %ds, cpu: %s}\n", 60*i, []string{"1m", "1000"}[i%2])
		}))},
		{name: "10,000 pods", text: deployment("10000") + scenarioOf("  timeline:\n  - {at: 60s, run: kubectl set image deployment/web web=nginx:2}\n")},
		{name: "50,000 pods", text: deployment("50000")},
		{name: "anti-affinity over 3,000 nodes", text: deploymentWith("3500", antiAffinity, "") + scenarioOf("  nodes: {count: 3000, pods: 110}\n")},
		{name: "a DaemonSet on 5,000 nodes", text: "apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: d}\nspec:\n  selector: {matchLabels: {app: d}}\n  template:\n    metadata: {labels: {app: d}}\n    spec: {containers: [{name: c, image: \"i:1\"}]}\n" +
			scenarioOf("  nodes: {count: 5000}\n  timeline:\n  - {at: 60s, run: kubectl set image ds/d c=i:2}\n")},
		{name: "describe of 1,000 large pods", huge: true, text: deploymentWith("1000", "", environmentLines()) + scenarioOf(timeline(5, func(int) string { return "  - {at: 60s, run: kubectl describe pods}\n" }))},
		{name: "get -o yaml of 1,000 large pods", huge: true, text: deploymentWith("1000", "", environmentLines()) + scenarioOf(timeline(5, func(int) string { return "  - {at: 60s, run: kubectl get pods -o yaml}\n" }))},
		{name: "a JSON patch that doubles", huge: true, text: jsonPatchCopies()},
		{name: "a billion pods later", huge: true, text: deployment("5000") + scenarioOf("  timeline:\n  - {at: 60s, run: kubectl scale deployment/web --replicas=1000000000}\n")},
		{name: "a billion pods", huge: true, text: deployment("1000000000")},
	}
}

// heartbeat measures how long the page's main thread is busy without a break: what Chromium calls long tasks, and the
// longest pause between two turns of a timer.
const heartbeat = `
window.heart = { task: 0, pause: 0, memory: null };
new PerformanceObserver((list) => { for (const e of list.getEntries()) if (e.startTime >= heart.since) heart.task = Math.max(heart.task, e.duration); }).observe({ type: "longtask" });
heart.since = 0;
heart.last = performance.now();
setInterval(() => { const now = performance.now(); heart.pause = Math.max(heart.pause, now - heart.last - 10); heart.last = now; }, 10);
const instantiate = WebAssembly.instantiateStreaming;
WebAssembly.instantiateStreaming = async (...args) => { const made = await instantiate(...args); heart.memory = made.instance.exports.mem; return made; };
heart.reset = () => { heart.since = heart.last = performance.now(); heart.task = heart.pause = 0; };
`

// vitals are what a page did with one hostile input.
type vitals struct {
	Task, Pause float64 // ms, longest
	JS, Wasm    float64 // MB
	Notice      string
	State       string
}

const readVitals = `(() => ({ Task: heart.task, Pause: heart.pause, JS: performance.memory.usedJSHeapSize / 1e6, Wasm: (heart.memory?.buffer.byteLength ?? 0) / 1e6,
	Notice: [...document.querySelectorAll(".notice, .diagnostic, .run-notice, #loader:not([hidden])")].map((e) => e.innerText.replace(/\s+/g, " ")).join(" | ").slice(0, 300),
	State: JSON.stringify(window.rollplay?.state?.() ?? null) }))()`

// evalWithin is eval for a page that may be frozen: it gives up after a while.
func evalWithin[T any](p *tab, d time.Duration, expr string) (T, error) {
	ctx, cancel := context.WithTimeout(p.ctx, d)
	defer cancel()
	return chromedp.Run(ctx, chromedp.Evaluate[T](expr, chromedp.EvalAwaitPromise))
}

// settled is a promise that is kept when an input has had its effect: the run is there, or refused, or asks.
const settled = `new Promise((done) => {
	const runs = rollplay.state().runs;
	const look = () => {
		const s = rollplay.state(), failed = document.getElementById("loader").dataset.state === "failed";
		const said = document.querySelector(".notice.bad, .run-notice, .diagnostic:not(.warning)");
		if (failed || ((s.runs > runs || window.heart.saved) && s.done) || said && !s.busy) return done(true);
		setTimeout(look, 20);
	};
	look();
})`

// TestHostileMeasure writes what the page does with each input as a table. It is for measurements:
// ROLLPLAY_MEASURE=file go test -run TestHostileMeasure ./web/browser
func TestHostileMeasure(t *testing.T) {
	file := os.Getenv("ROLLPLAY_MEASURE")
	if file == "" {
		t.Skip("measures only if ROLLPLAY_MEASURE names a file")
	}
	out, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	for _, h := range hostiles() {
		if only := os.Getenv("ROLLPLAY_ONLY"); only != "" && !strings.Contains(h.name, only) {
			continue
		}
		if h.huge && os.Getenv("ROLLPLAY_SITE") != "" {
			continue
		}
		t.Run(h.name, func(t *testing.T) { fmt.Fprintln(out, measure(t, h)) })
	}
}

// measure hands an input to a new page, waits until it is settled, and reloads the page.
func measure(t *testing.T, h hostile) string {
	p := start(t, chromedp.Flag("enable-precise-memory-info", true))
	defer p.log.take()
	p.look(desktop, "light")
	p.before(heartbeat)
	path := ""
	if h.saved {
		p.before(`if (!sessionStorage.once) { sessionStorage.once = 1; localStorage.setItem("rollplay/session", ` + quote(h.text) + `); } heart.saved = true`)
	}
	p.visit(built.base + path)
	const limit = 75 * time.Second
	begin := time.Now()
	if !h.saved {
		p.waitStarted()
		p.waitEditor()
		p.wait("the first run", "rollplay.state().done")
		begin = time.Now()
		eval[bool](p, "(heart.reset(), true)")
		_, err := evalWithin[bool](p, limit, fmt.Sprintf(`(() => {
			const settles = %s;
			rollplay.setText(%s);
			%s.click();
			return settles;
		})()`, settled, quote(h.text), element("apply")))
		if err != nil {
			return fmt.Sprintf("%-32s | not after %.0f s: %.60s", h.name, time.Since(begin).Seconds(), err)
		}
	} else if _, err := evalWithin[bool](p, limit, settled); err != nil {
		return fmt.Sprintf("%-32s | not after %.0f s: %.60s", h.name, time.Since(begin).Seconds(), err)
	}
	took := time.Since(begin)
	v, err := evalWithin[vitals](p, limit, `new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(`+readVitals+`), 100)))`)
	if err != nil {
		return fmt.Sprintf("%-32s | settled after %.1f s, then frozen: %.60s", h.name, took.Seconds(), err)
	}
	line := fmt.Sprintf("%-32s | %6.1f s | task %6.0f ms | pause %6.0f ms | JS %4.0f MB | wasm %5.0f MB | ", h.name, took.Seconds(), v.Task, v.Pause, v.JS, v.Wasm)
	begin = time.Now()
	ctx, cancel := context.WithTimeout(p.ctx, limit)
	defer cancel()
	if err := chromedp.Do(ctx, chromedp.Reload()); err != nil {
		return line + fmt.Sprintf("reload: %.40s | %s | %s", err, v.Notice, v.State)
	}
	again, err := evalWithin[vitals](p, limit, fmt.Sprintf(`new Promise((done) => { const look = () => {
		const loader = document.getElementById("loader");
		if (loader.dataset.state === "failed" || loader.hidden) requestAnimationFrame(() => setTimeout(() => done(%s), 50)); else setTimeout(look, 20);
	}; look(); })`, readVitals))
	if err != nil {
		return line + fmt.Sprintf("reload frozen: %.40s | %s | %s", err, v.Notice, v.State)
	}
	return line + fmt.Sprintf("reload %4.1f s, task %.0f ms %.60s | %s | %.160s", time.Since(begin).Seconds(), again.Task, again.Notice, v.Notice, v.State)
}
