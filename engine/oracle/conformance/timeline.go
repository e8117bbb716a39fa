package main

import "fmt"

// commands draws a timeline: now single commands far apart, now several within milliseconds, so that they meet reconciles
// that are under way.
func (g generator) commands(draw func() command) (list []command) {
	at := g.IntN(20_000)
	for range g.IntN(11) {
		switch g.IntN(4) {
		case 0:
			at += g.IntN(12)
		case 1:
			at += g.IntN(3000)
		default:
			at += g.IntN(25_000)
		}
		c := draw()
		c.at = at
		list = append(list, c)
	}
	return list
}

func (g generator) command(m *manifest) command {
	d := "deployment/web"
	if g.chance(3) {
		d = "deployment/web-2"
	}
	switch g.IntN(32) {
	case 0, 1, 2, 3, 4, 5, 6:
		return command{run: fmt.Sprintf("kubectl set image %s app=app:%d", d, 1+g.IntN(imagesMax))}
	case 7, 8, 9, 10:
		return command{run: fmt.Sprintf("kubectl scale %s --replicas=%d", d, pick(g, 0, 1, 2, 3, 5, 8, 10, 15, g.IntN(31)))}
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
		return command{run: fmt.Sprintf("kubectl annotate %s %s --overwrite", d, pick(g, "note=x", "note=y", "note-", "kubernetes.io/change-cause=why"))}
	case 21:
		return command{run: fmt.Sprintf("kubectl annotate %s deprecated.deployment.rollback.to=%d --overwrite", d, g.IntN(5))}
	case 22, 23:
		return command{run: fmt.Sprintf("kubectl delete pod {pod %d}%s", g.IntN(100), pick(g, "", " --grace-period=0 --force", " --now"))}
	case 24:
		return g.onReplicaSet()
	case 25:
		return command{run: "kubectl delete " + d + pick(g, "", " --cascade=orphan", " --cascade=foreground")}
	case 26:
		return g.onQuota()
	case 27, 28:
		return command{apply: g.rival(m)}
	}
	return command{apply: g.changed(m)}
}

// rival draws a second Deployment, or a ReplicaSet without an owner; the same selector matches both.
func (g generator) rival(m *manifest) *manifest {
	c := g.changed(m)
	if g.chance(50) {
		c.name = "web-2"
	} else {
		c.stray, c.labels = true, "x"
	}
	return c
}

// onReplicaSet draws something that people should not do to a ReplicaSet.
func (g generator) onReplicaSet() command {
	k := g.IntN(10)
	return command{run: pick(g,
		fmt.Sprintf("kubectl scale rs/{rs %d} --replicas=%d", k, g.IntN(12)),
		fmt.Sprintf("kubectl delete rs {rs %d}", k),
		fmt.Sprintf("kubectl delete rs {rs %d} --cascade=orphan", k),
		fmt.Sprintf("kubectl annotate rs {rs %d} deployment.kubernetes.io/desired-replicas=%d --overwrite", k, g.IntN(12)),
		fmt.Sprintf("kubectl annotate rs {rs %d} deployment.kubernetes.io/max-replicas=%s --overwrite", k, pick(g, "0", "7", "x", "-3")),
		fmt.Sprintf("kubectl annotate rs {rs %d} deployment.kubernetes.io/revision=%s --overwrite", k, pick(g, "9", "x", "1", "")),
		fmt.Sprintf("kubectl annotate pod {pod %d} controller.kubernetes.io/pod-deletion-cost=%s --overwrite", k, pick(g, "-5", "7", "x", "+3")),
	)}
}

func (g generator) onQuota() command {
	if g.chance(30) {
		return command{run: "kubectl delete resourcequota q"}
	}
	n := g.IntN(20)
	return command{quota: &n}
}

// changed draws a manifest that differs from the first one in one or two fields.
func (g generator) changed(m *manifest) *manifest {
	c, other := *m, g.manifest()
	for range 1 + g.IntN(2) {
		switch g.IntN(9) {
		case 0:
			c.replicas = other.replicas
		case 1:
			c.surge, c.unavailable = other.surge, other.unavailable
		case 2:
			c.minReady, c.deadline = other.minReady, other.deadline
		case 3:
			c.history = other.history
		case 4:
			c.recreate = !c.recreate
		case 5:
			c.labels = pick(g, "", "x", "y")
		case 6:
			c.image = other.image
		case 7:
			c.paused = !c.paused
		default:
			c.annotation = other.annotation
		}
	}
	return &c
}
