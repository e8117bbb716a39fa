package browser_test

import (
	"fmt"
	"strings"
)

// oneStepHostiles are inputs whose work once had no limit within one step: commands with thousands of columns, keys or containers, and
// kinds of which everything looks at each. Each is answered, or refused, while the page keeps moving.
func oneStepHostiles() []hostile {
	joined := func(n int, part string) string {
		return strings.TrimSuffix(lines(n, func(i int) string { return strings.ReplaceAll(part, "#", fmt.Sprint(i)) + "," }), ",")
	}
	command := func(pods int, line string) string {
		return deployment(fmt.Sprint(pods)) + scenarioOf("  timeline:\n  - at: 10s\n    run: >-\n      kubectl "+line+"\n  - {at: 20s, run: kubectl get deployment web}\n")
	}
	asked := func(name string, pods int, line string) hostile {
		return hostile{name: name, text: command(pods, line), alone: command(pods, "get deployment web")}
	}
	pod := func(container string) string { return deploymentWith("3", "", container) }
	scaler := func(i int) string {
		return fmt.Sprintf(`{"apiVersion":"autoscaling/v2","kind":"HorizontalPodAutoscaler","metadata":{"name":"h%d"},"spec":{"scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"web"},"maxReplicas":20,"metrics":[{"type":"Resource","resource":{"name":"cpu","target":{"type":"Utilization","averageUtilization":50}}}]}}`, i)
	}
	scaled := func(scalers int) string {
		return deploymentWith("1000", "", "        resources: {requests: {cpu: 100m}}\n") + "---\n" + listOf(scalers, scaler) +
			scenarioOf("  load:\n  - {of: deployment/web, at: 0s, cpu: \"10\"}\n")
	}
	quota := func(i int) string {
		return fmt.Sprintf(`{"apiVersion":"v1","kind":"ResourceQuota","metadata":{"name":"q%d"},"spec":{"hard":{"pods":"9999"}}}`, i)
	}
	marks := "  template:\n    metadata: {labels: {app: web}, annotations: {" + joined(20_000, "a#: b") + "}}\n"
	containers := joined(9000, `{"name":"c#","image":"a"}`)
	patch := `patch deployment web -p '{"spec":{"template":{"spec":{"containers":[` + containers + `]}}}}'`
	many := `patch deployment web -p '{"spec":{"template":{"spec":{"containers":[` + joined(490, `{"name":"c#","image":"a"}`) + `]}}}}'`
	return []hostile{
		asked("a JSONPath repeated", 1000, "get pods -o jsonpath="+strings.Repeat("{...*}", 400)),
		asked("a JSONPath of stars", 1000, "get pods -o jsonpath={"+strings.Repeat("...*", 12)+"}"),
		asked("sorting by stars", 1000, "get pods --sort-by={"+strings.Repeat("...*", 40)+"}"),
		asked("waiting for stars", 500, "wait pods --all --timeout=1h --for=jsonpath='{"+strings.Repeat("...*", 12)+"}'=1"),
		asked("columns of everything", 1000, "get pods -o custom-columns="+joined(5000, "C:...*")),
		asked("20,000 columns", 2000, "get pods -o custom-columns="+joined(20_000, "C:.metadata")),
		asked("100,000 label columns", 1000, "get pods -L "+joined(100_000, "l")),
		{name: "60,000 requirements", text: command(5000, "delete pods -l "+joined(50_000, "app!=x#")), alone: command(5000, "get deployment web"), stop: true},
		asked("a patch of 9,000 containers", 1, patch),
		asked("a patch of 490 containers", 20, many),
		{name: "1,900 quotas", says: "at most 100 ResourceQuotas", text: deployment("2000") + "---\n" + listOf(1900, quota)},
		{name: "950 autoscalers", says: "at most 250", text: scaled(950)},
		{name: "250 autoscalers", stop: true, text: scaled(250)},
		{name: "20,000 annotations", says: "at most 500 entries", text: strings.Replace(deployment("3000"), "  template:\n    metadata: {labels: {app: web}}\n", marks, 1)},
		{name: "4,900 expectations", text: deployment("20") + scenarioOf("  expect:\n"+lines(4900, func(i int) string { return fmt.Sprintf("  - {at: %dms, total: 20}\n", i) }))},
		{name: "images of 400 arguments", text: pod("        args: ["+joined(400, "a#")+"]\n") + scenarioOf("  timeline:\n  - at: 10s\n    run: >-\n      kubectl set image deployment/web "+strings.ReplaceAll(joined(500, "web=i#"), ",", " ")+"\n")},
	}
}
