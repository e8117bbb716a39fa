package main

import (
	"fmt"
	"strconv"
)

// ofSets draws a scenario about StatefulSets, DaemonSets or budgets.
func (g generator) ofSets(kind string) *scenario {
	s := &scenario{seed: uint64(1 + g.IntN(1000)), duration: 200, nodes: 1 + g.IntN(6), nodeList: true, quota: -1}
	if g.chance(10) {
		s.duration = 900
	}
	if g.chance(10) {
		s.quota = g.IntN(12)
	}
	for i := range imagesMax {
		if g.chance(65) {
			s.images = append(s.images, g.image(fmt.Sprintf("app:%d", i+1)))
		}
	}
	s.images = append(s.images, imageBehaviour{match: "*", pull: "100ms..900ms", start: "50ms..1500ms", stop: "200ms..2s"})
	switch kind {
	case "statefulset":
		m := g.statefulSet("db")
		s.objects = []workload{m}
		s.commands = g.commands(func() command { return g.statefulSetCommand(m) })
	case "daemonset":
		m := g.daemonSet("agent")
		s.objects = []workload{m}
		s.commands = g.commands(func() command { return g.daemonSetCommand(m, s.nodes) })
	default:
		g.budgets(s)
	}
	return s
}

// statefulSet draws a StatefulSet.
func (g generator) statefulSet(name string) *statefulManifest {
	m := &statefulManifest{Name: name, Image: 1 + g.IntN(imagesMax), Probe: g.chance(60)}
	m.Replicas = pick(g, "", "0", "1", "2", "3", "3", "4", "5", "7", "12")
	m.Parallel = g.chance(40)
	m.MinReady = pick(g, "", "", "", "1", "3", "10", "30")
	m.History = pick(g, "", "", "0", "1", "2", "-1")
	m.Ordinals = pick(g, "", "", "", "", "1", "5")
	m.Grace = pick(g, "", "", "0", "1", "5")
	g.statefulStrategy(m)
	if g.chance(35) {
		m.Claims = 1 + g.IntN(2)
		m.WhenDeleted, m.WhenScaled = pick(g, "", "Retain", "Delete"), pick(g, "", "Retain", "Delete")
	}
	return m
}

func (g generator) statefulStrategy(m *statefulManifest) {
	m.Strategy = pick(g, "", "", "typed", "OnDelete", "bounds", "bounds")
	m.Partition, m.Unavailable = "", ""
	if m.Strategy == "bounds" {
		m.Partition = pick(g, "", "", "0", "1", "2", "3", "9")
		m.Unavailable = pick(g, "", "1", "2", "3", "25%", "34%", "50%", "100%")
	}
}

func (g generator) statefulSetCommand(m *statefulManifest) command {
	s := "statefulset/" + m.Name
	if g.chance(4) {
		s = "statefulset/db-2"
	}
	switch g.IntN(30) {
	case 0, 1, 2, 3, 4, 5:
		return command{run: fmt.Sprintf("kubectl set image %s app=app:%d", s, 1+g.IntN(imagesMax))}
	case 6, 7, 8, 9:
		return command{run: fmt.Sprintf("kubectl scale %s --replicas=%d", s, pick(g, 0, 1, 2, 3, 4, 5, 8))}
	case 10, 11:
		return command{run: "kubectl rollout undo " + s + pick(g, "", fmt.Sprintf(" --to-revision=%d", 1+g.IntN(5)))}
	case 12:
		return command{run: "kubectl rollout restart " + s}
	case 13, 14, 15:
		return g.onPod(m.Name)
	case 16:
		return command{run: "kubectl delete " + s + pick(g, "", " --cascade=orphan", " --cascade=foreground")}
	case 17:
		return g.onQuota()
	case 18:
		return command{run: fmt.Sprintf("kubectl delete pvc {claim %d}", g.IntN(10))}
	case 19:
		return command{run: fmt.Sprintf("kubectl delete controllerrevision {revision %d}", g.IntN(10))}
	case 20:
		if m.Claims == 0 {
			name := "db-" + pick(g, "0", "1", "2", "7", "x")
			return command{apply: &podManifest{Name: name, App: "db", Image: 1 + g.IntN(imagesMax)}}
		}
	case 21:
		c := *m
		c.Name = "db-2"
		return command{apply: &c}
	case 22:
		return command{run: fmt.Sprintf("kubectl annotate %s note=%s --overwrite", s, pick(g, "x", "y"))}
	}
	return command{apply: g.changedStatefulSet(m)}
}

// onPod draws what may happen to a pod.
func (g generator) onPod(app string) command {
	k := g.IntN(100)
	switch g.IntN(9) {
	case 0, 1, 2:
		return command{run: fmt.Sprintf("kubectl delete pod {pod %d}%s", k, pick(g, "", " --grace-period=0 --force", " --now"))}
	case 3:
		return command{run: fmt.Sprintf("kubectl label pod {pod %d} app=%s --overwrite", k, pick(g, "other", app))}
	case 4:
		return command{do: fmt.Sprintf("%s pod/{pod %d}", pick(g, "fail-readiness", "restore-readiness"), k)}
	case 5:
		return command{do: fmt.Sprintf("crash pod/{pod %d}", k)}
	}
	phase := pick(g, "Failed", "Failed", "Succeeded")
	return command{run: fmt.Sprintf("kubectl annotate pod {pod %d} %s=%s --overwrite", k, phaseAnnotation, phase)}
}

// changedStatefulSet draws a manifest that differs from the first one in one or two fields.
func (g generator) changedStatefulSet(m *statefulManifest) *statefulManifest {
	c, other := *m, g.statefulSet(m.Name)
	for range 1 + g.IntN(2) {
		switch g.IntN(8) {
		case 0:
			c.Replicas = other.Replicas
		case 1, 2:
			g.statefulStrategy(&c)
		case 3:
			c.MinReady = other.MinReady
		case 4:
			c.History = other.History
		case 5:
			c.Ordinals = other.Ordinals
		case 6:
			c.Image = other.Image
		default:
			c.WhenDeleted, c.WhenScaled = pick(g, "", "Retain", "Delete"), pick(g, "", "Retain", "Delete")
		}
	}
	return &c
}

// daemonSet draws a DaemonSet.
func (g generator) daemonSet(name string) *daemonManifest {
	m := &daemonManifest{Name: name, Image: 1 + g.IntN(imagesMax), Probe: g.chance(60)}
	m.MinReady = pick(g, "", "", "", "1", "3", "10", "30")
	m.History = pick(g, "", "", "0", "1", "2")
	m.Grace = pick(g, "", "", "0", "1", "5")
	m.Zone = pick(g, "", "", "", "a", "b")
	m.Tolerate = pick(g, "", "", "", "NoSchedule", "NoExecute")
	g.daemonStrategy(m)
	return m
}

func (g generator) daemonStrategy(m *daemonManifest) {
	m.Surge, m.Unavailable, m.OnDelete = "", "", false
	switch g.IntN(6) {
	case 0:
		m.OnDelete = true
	case 1, 2:
		m.Surge, m.Unavailable = pick(g, "1", "2", "3", "10%", "25%", "50%", "100%"), "0"
	case 3, 4:
		m.Unavailable = pick(g, "1", "2", "3", "10%", "34%", "50%", "100%")
	}
}

func (g generator) daemonSetCommand(m *daemonManifest, nodes int) command {
	d := "daemonset/" + m.Name
	switch g.IntN(32) {
	case 0, 1, 2, 3, 4, 5, 6:
		return command{run: fmt.Sprintf("kubectl set image %s app=app:%d", d, 1+g.IntN(imagesMax))}
	case 7, 8:
		return command{run: "kubectl rollout undo " + d + pick(g, "", fmt.Sprintf(" --to-revision=%d", 1+g.IntN(5)))}
	case 9:
		return command{run: "kubectl rollout restart " + d}
	case 10, 11, 12:
		return g.onPod(m.Name)
	case 13:
		return command{run: "kubectl delete " + d + pick(g, "", " --cascade=orphan", " --cascade=foreground")}
	case 14:
		return g.onQuota()
	case 15:
		return command{run: fmt.Sprintf("kubectl delete controllerrevision {revision %d}", g.IntN(10))}
	case 16:
		return command{run: fmt.Sprintf("kubectl annotate %s note=%s --overwrite", d, pick(g, "x", "y"))}
	case 17:
		return command{apply: &podManifest{Name: "stray", App: m.Name, Image: 1 + g.IntN(imagesMax)}}
	case 18, 19, 20, 21, 22, 23, 24:
		return g.onNode(nodes)
	}
	return command{apply: g.changedDaemonSet(m)}
}

// onNode draws what may happen to a node.
func (g generator) onNode(nodes int) command {
	node := fmt.Sprintf("node-%d", 1+g.IntN(nodes+1))
	switch g.IntN(12) {
	case 0, 1, 2:
		return command{run: fmt.Sprintf("kubectl label node %s zone=%s --overwrite", node, pick(g, "a", "b", "c"))}
	case 3, 4, 5:
		return command{run: fmt.Sprintf("kubectl taint node %s key=v:%s", node, pick(g, "NoSchedule", "NoExecute", "PreferNoSchedule"))}
	case 6, 7:
		return command{run: fmt.Sprintf("kubectl taint node %s key-", node)}
	case 8:
		return command{run: pick(g, "kubectl cordon ", "kubectl uncordon ") + node}
	case 9:
		return command{run: "kubectl delete node " + node}
	case 10:
		return command{do: pick(g, "kill", "kill", "restore", "remove", "add") + " node/" + node}
	}
	return command{apply: &nodeManifest{Name: node, Zone: pick(g, "a", "b")}}
}

// changedDaemonSet draws a manifest that differs from the first one in one or two fields.
func (g generator) changedDaemonSet(m *daemonManifest) *daemonManifest {
	c, other := *m, g.daemonSet(m.Name)
	for range 1 + g.IntN(2) {
		switch g.IntN(7) {
		case 0, 1:
			g.daemonStrategy(&c)
		case 2:
			c.MinReady = other.MinReady
		case 3:
			c.History = other.History
		case 4:
			c.Zone = other.Zone
		case 5:
			c.Tolerate = other.Tolerate
		default:
			c.Image = other.Image
		}
	}
	return &c
}

// budgets draws budgets, and workloads whose pods they are about.
func (g generator) budgets(s *scenario) {
	web := g.manifest()
	db, agent := g.statefulSet("db"), g.daemonSet("agent")
	if g.chance(80) {
		s.objects = append(s.objects, &web)
	}
	if g.chance(50) || len(s.objects) == 0 {
		s.objects = append(s.objects, db)
	}
	if g.chance(20) {
		s.objects = append(s.objects, agent)
	}
	if g.chance(25) {
		s.objects = append(s.objects, &podManifest{Name: "stray", App: pick(g, "web", "db"), Image: 1})
	}
	for i := range 1 + g.IntN(3) {
		s.objects = append(s.objects, g.budget(i))
	}
	s.commands = g.commands(func() command {
		switch g.IntN(14) {
		case 0:
			return g.statefulSetCommand(db)
		case 1, 2:
			return g.command(&web)
		case 3, 4:
			return command{run: fmt.Sprintf("kubectl drain node-%d %s", 1+g.IntN(s.nodes),
				pick(g, "--ignore-daemonsets --force", "--force", "--ignore-daemonsets"))}
		case 5:
			return command{run: fmt.Sprintf("kubectl uncordon node-%d", 1+g.IntN(s.nodes))}
		case 6:
			return g.onPod(pick(g, "web", "db"))
		case 7:
			return command{do: fmt.Sprintf("%s pod/{pod %d}", pick(g, "fail-readiness", "restore-readiness"), g.IntN(100))}
		case 8:
			return command{run: fmt.Sprintf("kubectl delete pdb {budget %d}", g.IntN(3))}
		case 9:
			return command{run: fmt.Sprintf("kubectl scale %s --replicas=%d", pick(g, "deployment/web", "statefulset/db"), g.IntN(9))}
		case 10:
			return g.onNode(s.nodes)
		}
		return command{apply: g.budget(g.IntN(3))}
	})
}

func (g generator) budget(i int) *budgetManifest {
	m := &budgetManifest{Name: "pdb-" + strconv.Itoa(i), App: pick(g, "web", "web", "web", "db", "db", "agent", "*", "none")}
	amount := func() string {
		return pick(g, "0", "1", "2", "3", "5", "0%", "1%", "25%", "34%", "50%", "100%")
	}
	switch g.IntN(9) {
	case 0, 1, 2, 3:
		m.Min = amount()
	case 4, 5, 6, 7:
		m.Max = amount()
	}
	m.Policy = pick(g, "", "", "AlwaysAllow", "IfHealthyBudget")
	return m
}
