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
		{name: "a JSONPath repeated", text: command(1000, "get pods -o jsonpath="+strings.Repeat("{..*}", 400))},
		{name: "a JSONPath of stars", text: command(1000, "get pods -o jsonpath={"+strings.Repeat("..*", 12)+"}")},
		{name: "sorting by stars", text: command(1000, "get pods --sort-by={"+strings.Repeat("..*", 40)+"}")},
		{name: "waiting for stars", text: command(500, "wait pods --all --timeout=1h --for=jsonpath='{"+strings.Repeat("..*", 12)+"}'=1")},
		{name: "columns of everything", text: command(1000, "get pods -o custom-columns="+joined(5000, "C:..*"))},
		{name: "20,000 columns", text: command(2000, "get pods -o custom-columns="+joined(20_000, "C:.metadata"))},
		{name: "100,000 label columns", text: command(1000, "get pods -L "+joined(100_000, "l"))},
		{name: "60,000 requirements", text: command(5000, "delete pods -l "+joined(50_000, "app!=x#")), stop: true},
		{name: "a patch of 9,000 containers", text: command(1, patch)},
		{name: "a patch of 490 containers", text: command(20, many)},
		{name: "1,900 quotas", says: "at most 100 ResourceQuotas", text: deployment("2000") + "---\n" + listOf(1900, quota)},
		{name: "950 autoscalers", says: "at most 250", text: scaled(950)},
		{name: "250 autoscalers", stop: true, text: scaled(250)},
		{name: "20,000 annotations", says: "at most 500 entries", text: strings.Replace(deployment("3000"), "  template:\n    metadata: {labels: {app: web}}\n", marks, 1)},
		{name: "4,900 expectations", text: deployment("20") + scenarioOf("  expect:\n"+lines(4900, func(i int) string { return fmt.Sprintf("  - {at: %dms, total: 20}\n", i) }))},
		{name: "images of 400 arguments", text: pod("        args: ["+joined(400, "a#")+"]\n") + scenarioOf("  timeline:\n  - at: 10s\n    run: >-\n      kubectl set image deployment/web "+strings.ReplaceAll(joined(500, "web=i#"), ",", " ")+"\n")},
	}
}
