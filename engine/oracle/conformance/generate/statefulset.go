package generate

import "fmt"

// statefulManifest is a StatefulSet. An empty field is left out.
type statefulManifest struct {
	Name, Replicas, MinReady, History, Ordinals, Grace string
	Strategy                                           string // typed, OnDelete, bounds, or nothing
	Partition, Unavailable                             string
	Parallel, Probe                                    bool
	Image, Claims                                      int
	WhenDeleted, WhenScaled                            string
}

func (m *statefulManifest) text() string {
	text := fmt.Sprintf("apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: %s}\nspec:\n  serviceName: db\n", m.Name)
	text += fields("replicas", m.Replicas, "minReadySeconds", m.MinReady, "revisionHistoryLimit", m.History)
	if m.Ordinals != "" {
		text += "  ordinals: {start: " + m.Ordinals + "}\n"
	}
	if m.Parallel {
		text += "  podManagementPolicy: Parallel\n"
	}
	switch m.Strategy {
	case "typed":
		text += "  updateStrategy: {type: RollingUpdate}\n"
	case "OnDelete":
		text += "  updateStrategy: {type: OnDelete}\n"
	case "bounds":
		text += "  updateStrategy: {rollingUpdate: " + flow("partition", m.Partition, "maxUnavailable", quoted(m.Unavailable)) + "}\n"
	}
	if m.WhenDeleted+m.WhenScaled != "" {
		text += "  persistentVolumeClaimRetentionPolicy: " + flow("whenDeleted", m.WhenDeleted, "whenScaled", m.WhenScaled) + "\n"
	}
	if m.Claims > 0 {
		text += "  volumeClaimTemplates:\n"
		for i := range m.Claims {
			text += fmt.Sprintf("  - metadata: {name: data-%d}\n", i) +
				"    spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}\n"
		}
	}
	return text + selector("app: db") + podTemplate("app: db", m.Image, m.Probe, grace(m.Grace))
}

func (m *statefulManifest) simpler() (list []workload) {
	for _, c := range withoutOne(m) {
		if c.Strategy != "bounds" {
			c.Partition, c.Unavailable = "", ""
		}
		list = append(list, c)
	}
	for _, small := range []string{"1", "2", "3"} {
		if len(m.Replicas) > 1 || m.Replicas > small {
			c := *m
			c.Replicas = small
			list = append(list, &c)
		}
	}
	return list
}

// statefulSet draws a StatefulSet.
func (g Random) statefulSet(name string) *statefulManifest {
	m := &statefulManifest{Name: name, Image: 1 + g.IntN(imagesMax), Probe: g.Chance(60)}
	m.Replicas = Pick(g, "", "0", "1", "2", "3", "3", "4", "5", "7", "12")
	m.Parallel = g.Chance(40)
	m.MinReady = Pick(g, "", "", "", "1", "3", "10", "30")
	m.History = Pick(g, "", "", "0", "1", "2", "-1")
	m.Ordinals = Pick(g, "", "", "", "", "1", "5")
	m.Grace = Pick(g, "", "", "0", "1", "5")
	g.statefulStrategy(m)
	if g.Chance(35) {
		m.Claims = 1 + g.IntN(2)
		m.WhenDeleted, m.WhenScaled = Pick(g, "", "Retain", "Delete"), Pick(g, "", "Retain", "Delete")
	}
	return m
}

func (g Random) statefulStrategy(m *statefulManifest) {
	m.Strategy = Pick(g, "", "", "typed", "OnDelete", "bounds", "bounds")
	m.Partition, m.Unavailable = "", ""
	if m.Strategy == "bounds" {
		m.Partition = Pick(g, "", "", "0", "1", "2", "3", "9")
		m.Unavailable = Pick(g, "", "1", "2", "3", "25%", "34%", "50%", "100%")
	}
}

// statefulSetCommand draws what may happen to the StatefulSet and to what belongs to it.
func (g Random) statefulSetCommand(m *statefulManifest) command {
	s := "statefulset/" + m.Name
	if g.Chance(4) {
		s = "statefulset/db-2"
	}
	switch g.IntN(30) {
	case 0, 1, 2, 3, 4, 5:
		return command{run: fmt.Sprintf("kubectl set image %s app=app:%d", s, 1+g.IntN(imagesMax))}
	case 6, 7, 8, 9:
		return command{run: fmt.Sprintf("kubectl scale %s --replicas=%d", s, Pick(g, 0, 1, 2, 3, 4, 5, 8))}
	case 10, 11:
		return command{run: "kubectl rollout undo " + s + Pick(g, "", fmt.Sprintf(" --to-revision=%d", 1+g.IntN(5)))}
	case 12:
		return command{run: "kubectl rollout restart " + s}
	case 13, 14, 15:
		return g.onPod(m.Name)
	case 16:
		return command{run: "kubectl delete " + s + Pick(g, "", " --cascade=orphan", " --cascade=foreground")}
	case 17:
		return g.onQuota()
	case 18:
		return command{run: fmt.Sprintf("kubectl delete pvc {claim %d}", g.IntN(10))}
	case 19:
		return command{run: fmt.Sprintf("kubectl delete controllerrevision {revision %d}", g.IntN(10))}
	case 20:
		if m.Claims == 0 {
			name := "db-" + Pick(g, "0", "1", "2", "7", "x")
			return command{apply: &podManifest{Name: name, App: "db", Image: 1 + g.IntN(imagesMax)}}
		}
	case 21:
		c := *m
		c.Name = "db-2"
		return command{apply: &c}
	case 22:
		return command{run: fmt.Sprintf("kubectl annotate %s note=%s --overwrite", s, Pick(g, "x", "y"))}
	}
	return command{apply: g.changedStatefulSet(m)}
}

// changedStatefulSet draws a manifest that differs from the first one in one or two fields.
func (g Random) changedStatefulSet(m *statefulManifest) *statefulManifest {
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
			c.WhenDeleted, c.WhenScaled = Pick(g, "", "Retain", "Delete"), Pick(g, "", "Retain", "Delete")
		}
	}
	return &c
}
