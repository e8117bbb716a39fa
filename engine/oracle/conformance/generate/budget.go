package generate

import (
	"fmt"
	"strconv"
)

// budgetManifest is a PodDisruptionBudget. App * selects every pod.
type budgetManifest struct{ Name, App, Min, Max, Policy string }

func (m *budgetManifest) text() string {
	selector := "{}"
	if m.App != "*" {
		selector = "{matchLabels: {app: " + m.App + "}}"
	}
	return fmt.Sprintf("apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: %s}\nspec:\n  selector: %s\n", m.Name, selector) +
		fields("minAvailable", quoted(m.Min), "maxUnavailable", quoted(m.Max), "unhealthyPodEvictionPolicy", m.Policy)
}

func (m *budgetManifest) simpler() (list []workload) {
	for _, c := range withoutOne(m) {
		list = append(list, c)
	}
	return list
}

// budgets draws budgets, and the workloads whose pods they select.
func (g Random) budgets(s *Scenario) {
	web := g.deployment()
	db, agent := g.statefulSet("db"), g.daemonSet("agent")
	if g.Chance(80) {
		s.objects = append(s.objects, web)
	}
	if g.Chance(50) || len(s.objects) == 0 {
		s.objects = append(s.objects, db)
	}
	if g.Chance(20) {
		s.objects = append(s.objects, agent)
	}
	if g.Chance(25) {
		s.objects = append(s.objects, &podManifest{Name: "stray", App: Pick(g, "web", "db"), Image: 1})
	}
	for i := range 1 + g.IntN(3) {
		s.objects = append(s.objects, g.budget(i))
	}
	s.commands = g.commands(func() command {
		switch g.IntN(14) {
		case 0:
			return g.statefulSetCommand(db)
		case 1, 2:
			return g.deploymentCommand(web)
		case 3, 4:
			return command{run: fmt.Sprintf("kubectl drain node-%d %s", 1+g.IntN(s.nodes),
				Pick(g, "--ignore-daemonsets --force", "--force", "--ignore-daemonsets"))}
		case 5:
			return command{run: fmt.Sprintf("kubectl uncordon node-%d", 1+g.IntN(s.nodes))}
		case 6:
			return g.onPod(Pick(g, "web", "db"))
		case 7:
			return command{do: fmt.Sprintf("%s pod/{pod %d}", Pick(g, "fail-readiness", "restore-readiness"), g.IntN(100))}
		case 8:
			return command{run: fmt.Sprintf("kubectl delete pdb {budget %d}", g.IntN(3))}
		case 9:
			return command{run: fmt.Sprintf("kubectl scale %s --replicas=%d", Pick(g, "deployment/web", "statefulset/db"), g.IntN(9))}
		case 10:
			return g.onNode(s.nodes)
		}
		return command{apply: g.budget(g.IntN(3))}
	})
}

func (g Random) budget(i int) *budgetManifest {
	m := &budgetManifest{Name: "pdb-" + strconv.Itoa(i), App: Pick(g, "web", "web", "web", "db", "db", "agent", "*", "none")}
	amount := func() string {
		return Pick(g, "0", "1", "2", "3", "5", "0%", "1%", "25%", "34%", "50%", "100%")
	}
	switch g.IntN(9) {
	case 0, 1, 2, 3:
		m.Min = amount()
	case 4, 5, 6, 7:
		m.Max = amount()
	}
	m.Policy = Pick(g, "", "", "AlwaysAllow", "IfHealthyBudget")
	return m
}
