package generate

import "fmt"

// daemonManifest is a DaemonSet. An empty field is left out.
type daemonManifest struct {
	Name, MinReady, History, Grace, Zone string
	Tolerate                             string // the effect of a taint
	Surge, Unavailable                   string
	OnDelete, Probe                      bool
	Image                                int
}

func (m *daemonManifest) text() string {
	text := fmt.Sprintf("apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: %s}\nspec:\n", m.Name)
	text += fields("minReadySeconds", m.MinReady, "revisionHistoryLimit", m.History)
	switch {
	case m.OnDelete:
		text += "  updateStrategy: {type: OnDelete}\n"
	case m.Surge+m.Unavailable != "":
		text += "  updateStrategy: {rollingUpdate: " + flow("maxSurge", quoted(m.Surge), "maxUnavailable", quoted(m.Unavailable)) + "}\n"
	}
	spec := grace(m.Grace)
	if m.Zone != "" {
		spec += "      nodeSelector: {zone: " + m.Zone + "}\n"
	}
	if m.Tolerate != "" {
		spec += "      tolerations: [{key: key, operator: Exists, effect: " + m.Tolerate + "}]\n"
	}
	labels := "app: " + m.Name
	return text + selector(labels) + podTemplate(labels, m.Image, m.Probe, spec)
}

func (m *daemonManifest) simpler() (list []workload) {
	for _, c := range withoutOne(m) {
		if (c.Surge != "") == (c.Unavailable == "0") { // both, or neither
			list = append(list, c)
		}
	}
	if m.Surge != "" {
		c := *m
		c.Surge, c.Unavailable = "", ""
		list = append(list, &c)
	}
	return list
}

// daemonSet draws a DaemonSet.
func (g Random) daemonSet(name string) *daemonManifest {
	m := &daemonManifest{Name: name, Image: 1 + g.IntN(imagesMax), Probe: g.Chance(60)}
	m.MinReady = Pick(g, "", "", "", "1", "3", "10", "30")
	m.History = Pick(g, "", "", "0", "1", "2")
	m.Grace = Pick(g, "", "", "0", "1", "5")
	m.Zone = Pick(g, "", "", "", "a", "b")
	m.Tolerate = Pick(g, "", "", "", "NoSchedule", "NoExecute")
	g.daemonStrategy(m)
	return m
}

func (g Random) daemonStrategy(m *daemonManifest) {
	m.Surge, m.Unavailable, m.OnDelete = "", "", false
	switch g.IntN(6) {
	case 0:
		m.OnDelete = true
	case 1, 2:
		m.Surge, m.Unavailable = Pick(g, "1", "2", "3", "10%", "25%", "50%", "100%"), "0"
	case 3, 4:
		m.Unavailable = Pick(g, "1", "2", "3", "10%", "34%", "50%", "100%")
	}
}

// daemonSetCommand draws what may happen to the DaemonSet, its pods and its nodes.
func (g Random) daemonSetCommand(m *daemonManifest, nodes int) command {
	d := "daemonset/" + m.Name
	switch g.IntN(32) {
	case 0, 1, 2, 3, 4, 5, 6:
		return command{run: fmt.Sprintf("kubectl set image %s app=app:%d", d, 1+g.IntN(imagesMax))}
	case 7, 8:
		return command{run: "kubectl rollout undo " + d + Pick(g, "", fmt.Sprintf(" --to-revision=%d", 1+g.IntN(5)))}
	case 9:
		return command{run: "kubectl rollout restart " + d}
	case 10, 11, 12:
		return g.onPod(m.Name)
	case 13:
		return command{run: "kubectl delete " + d + Pick(g, "", " --cascade=orphan", " --cascade=foreground")}
	case 14:
		return g.onQuota()
	case 15:
		return command{run: fmt.Sprintf("kubectl delete controllerrevision {revision %d}", g.IntN(10))}
	case 16:
		return command{run: fmt.Sprintf("kubectl annotate %s note=%s --overwrite", d, Pick(g, "x", "y"))}
	case 17:
		return command{apply: &podManifest{Name: "stray", App: m.Name, Image: 1 + g.IntN(imagesMax)}}
	case 18, 19, 20, 21, 22, 23, 24:
		return g.onNode(nodes)
	}
	return command{apply: g.changedDaemonSet(m)}
}

// changedDaemonSet draws a manifest that differs from the first one in one or two fields.
func (g Random) changedDaemonSet(m *daemonManifest) *daemonManifest {
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
