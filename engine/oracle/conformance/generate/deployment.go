package generate

import (
	"cmp"
	"fmt"
	"strconv"
)

// deploymentManifest is a Deployment. An empty field is left out.
type deploymentManifest struct {
	Name                                                      string // web if empty
	Stray                                                     bool   // a ReplicaSet without an owner instead
	Replicas, Surge, Unavailable, MinReady, Deadline, History string
	Recreate, Paused, Probe                                   bool
	Grace                                                     string
	Image                                                     int
	Labels                                                    string // one more label of the template
	Annotation                                                string
}

func (m *deploymentManifest) text() string {
	if m.Stray {
		return m.replicaSetText()
	}
	text := fmt.Sprintf("apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: %s\n", cmp.Or(m.Name, "web"))
	if m.Annotation != "" {
		text += fmt.Sprintf("  annotations: {note: %q}\n", m.Annotation)
	}
	text += "spec:\n" + fields("replicas", m.Replicas, "minReadySeconds", m.MinReady, "progressDeadlineSeconds", m.Deadline,
		"revisionHistoryLimit", m.History)
	if m.Paused {
		text += "  paused: true\n"
	}
	switch {
	case m.Recreate:
		text += "  strategy: {type: Recreate}\n"
	case m.Surge+m.Unavailable != "":
		text += "  strategy: {rollingUpdate: " + flow("maxSurge", m.Surge, "maxUnavailable", m.Unavailable) + "}\n"
	}
	return text + selector("app: web") + m.templateText()
}

// replicaSetText prints a ReplicaSet without an owner; every Deployment here selects it.
func (m *deploymentManifest) replicaSetText() string {
	return "apiVersion: apps/v1\nkind: ReplicaSet\nmetadata:\n  name: stray\n  labels: {app: web}\nspec:\n" +
		fields("replicas", m.Replicas) + selector("app: web, tier: x") + m.templateText()
}

func (m *deploymentManifest) templateText() string {
	labels := "app: web"
	if m.Labels != "" {
		labels += ", tier: " + m.Labels
	}
	return podTemplate(labels, m.Image, m.Probe, grace(m.Grace))
}

func (m *deploymentManifest) simpler() (list []workload) {
	for _, c := range withoutOne(m) {
		list = append(list, c)
	}
	for _, small := range []string{"1", "2", "3", "5"} {
		if len(m.Replicas) > 1 || m.Replicas > small {
			c := *m
			c.Replicas = small
			list = append(list, &c)
		}
	}
	return list
}

// deployment draws a Deployment.
func (g Random) deployment() *deploymentManifest {
	m := &deploymentManifest{Image: 1 + g.IntN(imagesMax), Probe: g.Chance(60)}
	m.Replicas = g.replicas()
	m.Surge, m.Unavailable = g.bounds()
	m.Recreate = g.Chance(15)
	m.Paused = g.Chance(4)
	m.MinReady = Pick(g, "", "", "", "1", "2", "5", "15", "40")
	m.Deadline = Pick(g, "", "", "41", "45", "60", "2147483647")
	if m.MinReady == "" || m.MinReady == "1" {
		m.Deadline = Pick(g, "", "", "2", "3", "5", "10", "20", "60", "2147483647")
	}
	m.History = Pick(g, "", "", "0", "1", "2", "3", "2147483647")
	m.Grace = Pick(g, "", "", "0", "1", "5", "30")
	if g.Chance(20) {
		m.Annotation = Pick(g, "a", "b", "c")
	}
	return m
}

func (g Random) replicas() string {
	switch g.IntN(10) {
	case 0:
		return ""
	case 1:
		return "0"
	case 2, 3:
		return strconv.Itoa(g.IntN(31))
	}
	return strconv.Itoa(1 + g.IntN(10))
}

// bounds draws maxSurge and maxUnavailable; both 0 is no valid pair.
func (g Random) bounds() (surge, unavailable string) {
	one := func() string {
		switch g.IntN(4) {
		case 0:
			return ""
		case 1:
			return strconv.Itoa(g.IntN(4))
		case 2:
			return strconv.Itoa(g.IntN(40))
		}
		return Pick(g, "0%", "1%", "10%", "25%", "30%", "34%", "50%", "67%", "99%", "100%", "150%")
	}
	surge, unavailable = one(), one()
	if unavailable == "100%" || unavailable == "150%" {
		unavailable = "100%"
	}
	if (surge == "0" || surge == "0%") && (unavailable == "0" || unavailable == "0%") {
		unavailable = "1"
	}
	return surge, unavailable
}

// deploymentCommand draws what may happen to the Deployment, its ReplicaSets and its pods.
func (g Random) deploymentCommand(m *deploymentManifest) command {
	d := "deployment/web"
	if g.Chance(3) {
		d = "deployment/web-2"
	}
	switch g.IntN(32) {
	case 0, 1, 2, 3, 4, 5, 6:
		return command{run: fmt.Sprintf("kubectl set image %s app=app:%d", d, 1+g.IntN(imagesMax))}
	case 7, 8, 9, 10:
		return command{run: fmt.Sprintf("kubectl scale %s --replicas=%d", d, Pick(g, 0, 1, 2, 3, 5, 8, 10, 15, g.IntN(31)))}
	case 11, 12:
		return command{run: "kubectl rollout pause " + d}
	case 13, 14, 15:
		return command{run: "kubectl rollout resume " + d}
	case 16, 17:
		return command{run: "kubectl rollout undo " + d}
	case 18:
		return command{run: fmt.Sprintf("kubectl rollout undo %s --to-revision=%d", d, 1+g.IntN(5))}
	case 19:
		return command{run: "kubectl rollout restart " + d}
	case 20:
		return command{run: fmt.Sprintf("kubectl annotate %s %s --overwrite", d, Pick(g, "note=x", "note=y", "note-", "kubernetes.io/change-cause=why"))}
	case 21:
		return command{run: fmt.Sprintf("kubectl annotate %s deprecated.deployment.rollback.to=%d --overwrite", d, g.IntN(5))}
	case 22, 23:
		return command{run: fmt.Sprintf("kubectl delete pod {pod %d}%s", g.IntN(100), Pick(g, "", " --grace-period=0 --force", " --now"))}
	case 24:
		return g.onReplicaSet()
	case 25:
		return command{run: "kubectl delete " + d + Pick(g, "", " --cascade=orphan", " --cascade=foreground")}
	case 26:
		return g.onQuota()
	case 27, 28:
		return command{apply: g.rival(m)}
	}
	return command{apply: g.changedDeployment(m)}
}

// onReplicaSet draws something that people should not do to a ReplicaSet.
func (g Random) onReplicaSet() command {
	k := g.IntN(10)
	return command{run: Pick(g,
		fmt.Sprintf("kubectl scale rs/{rs %d} --replicas=%d", k, g.IntN(12)),
		fmt.Sprintf("kubectl delete rs {rs %d}", k),
		fmt.Sprintf("kubectl delete rs {rs %d} --cascade=orphan", k),
		fmt.Sprintf("kubectl annotate rs {rs %d} deployment.kubernetes.io/desired-replicas=%d --overwrite", k, g.IntN(12)),
		fmt.Sprintf("kubectl annotate rs {rs %d} deployment.kubernetes.io/max-replicas=%s --overwrite", k, Pick(g, "0", "7", "x", "-3")),
		fmt.Sprintf("kubectl annotate rs {rs %d} deployment.kubernetes.io/revision=%s --overwrite", k, Pick(g, "9", "x", "1", "")),
		fmt.Sprintf("kubectl annotate pod {pod %d} controller.kubernetes.io/pod-deletion-cost=%s --overwrite", k, Pick(g, "-5", "7", "x", "+3")),
	)}
}

// rival draws a second Deployment, or a ReplicaSet without an owner; the same selector matches both.
func (g Random) rival(m *deploymentManifest) *deploymentManifest {
	c := g.changedDeployment(m)
	if g.Chance(50) {
		c.Name = "web-2"
	} else {
		c.Stray, c.Labels = true, "x"
	}
	return c
}

// changedDeployment draws a manifest that differs from the first one in one or two fields.
func (g Random) changedDeployment(m *deploymentManifest) *deploymentManifest {
	c, other := *m, g.deployment()
	for range 1 + g.IntN(2) {
		switch g.IntN(9) {
		case 0:
			c.Replicas = other.Replicas
		case 1:
			c.Surge, c.Unavailable = other.Surge, other.Unavailable
		case 2:
			c.MinReady, c.Deadline = other.MinReady, other.Deadline
		case 3:
			c.History = other.History
		case 4:
			c.Recreate = !c.Recreate
		case 5:
			c.Labels = Pick(g, "", "x", "y")
		case 6:
			c.Image = other.Image
		case 7:
			c.Paused = !c.Paused
		default:
			c.Annotation = other.Annotation
		}
	}
	return &c
}
