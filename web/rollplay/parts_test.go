package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// shop returns the objects of a text.
func shop(t *testing.T, text string) manifests {
	list, err := parseStream("shop.yaml", text, never)
	if err != nil {
		t.Fatal(err)
	}
	return list.judged()
}

// TestSplit: a large update is split, but workloads that a budget, a quota, an autoscaler or a Service is about stay together with it, and
// what is deployed now goes where its new version is.
func TestSplit(t *testing.T) {
	var b strings.Builder
	app := func(name, namespace, group string) {
		fmt.Fprintf(&b, "---\nkind: Deployment\nmetadata: {name: %s, namespace: %s}\nspec: {template: {metadata: {labels: {app: %[1]s, group: %[3]s}}}}\n",
			name, namespace, group)
	}
	for i := range 250 {
		app(fmt.Sprintf("w%d", i), "a", fmt.Sprintf("g%d", i%125)) // i and i+125 are of one group
	}
	app("q1", "q", "x")
	app("q2", "q", "y")
	for _, o := range []string{
		"kind: PodDisruptionBudget\nmetadata: {name: b, namespace: a}\nspec: {selector: {matchLabels: {group: g0}}}",
		"kind: Service\nmetadata: {name: s, namespace: a}\nspec: {selector: {group: g1}}",
		"kind: Service\nmetadata: {name: none, namespace: a}\nspec: {}",
		"kind: HorizontalPodAutoscaler\nmetadata: {name: h, namespace: a}\nspec: {scaleTargetRef: {kind: Deployment, name: w200}}",
		"kind: ScaledObject\nmetadata: {name: s, namespace: a}\nspec: {scaleTargetRef: {name: w240}}",
		"kind: ResourceQuota\nmetadata: {name: q, namespace: q}",
		"kind: LimitRange\nmetadata: {name: l, namespace: q}",
		"kind: PodDisruptionBudget\nmetadata: {name: other, namespace: elsewhere}\nspec: {selector: {matchLabels: {group: g2}}}",
	} {
		b.WriteString("---\n" + o + "\n")
	}
	now := shop(t, b.String())
	old := shop(t, "kind: Deployment\nmetadata: {name: w200, namespace: a}\n---\nkind: Deployment\nmetadata: {name: gone, namespace: a}\n")
	parts := split(now, old)
	in := map[string]int{}
	count := 0
	for i, p := range parts {
		workloads := 0
		for _, m := range slices.Concat(p.new, p.old) {
			if in[m.key()] = i; m.workload() {
				workloads++
			}
		}
		if count += len(p.new) + len(p.old); workloads > partWorkloads+2 {
			t.Errorf("part %d has %d workloads", i, workloads)
		}
	}
	if len(parts) != 3 || count != len(now)+len(old) {
		t.Errorf("%d parts with %d of %d objects", len(parts), count, len(now)+len(old))
	}
	for _, together := range [][]string{
		{"Deployment/a/w0", "Deployment/a/w125", "PodDisruptionBudget/a/b"}, {"Deployment/a/w1", "Deployment/a/w126", "Service/a/s"},
		{"Deployment/a/w200", "HorizontalPodAutoscaler/a/h"}, {"Deployment/q/q1", "Deployment/q/q2", "ResourceQuota/q/q", "LimitRange/q/l"},
		{"Deployment/a/w240", "ScaledObject/a/s"},
	} {
		for _, key := range together[1:] {
			if in[key] != in[together[0]] {
				t.Errorf("%s is in part %d, %s in part %d", together[0], in[together[0]], key, in[key])
			}
		}
	}
	if in["Deployment/a/w2"] == in["Deployment/a/w127"] {
		t.Error("a budget of another namespace keeps workloads together")
	}
	if small := split(now[:100], nil); len(small) != 1 {
		t.Errorf("100 workloads are %d parts", len(small))
	}
}

// TestSplitOfLargeTexts: a part has less than the engine reads, also if there are few workloads.
func TestSplitOfLargeTexts(t *testing.T) {
	var b strings.Builder
	for i := range 20 {
		fmt.Fprintf(&b, "---\nkind: Deployment\nmetadata: {name: w%d}\n# %s\n", i, strings.Repeat("x", partBytes/8))
	}
	parts := split(shop(t, b.String()), nil)
	for i, p := range parts {
		if size := len(p.new.text()); size > 2*partBytes {
			t.Errorf("part %d has %d bytes", i, size)
		}
	}
	if len(parts) != 3 {
		t.Errorf("%d parts", len(parts))
	}
}
