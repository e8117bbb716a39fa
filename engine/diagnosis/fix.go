package diagnosis

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/controllers/deployment"
	"github.com/rollplay/rollplay/engine/frames"
	"github.com/rollplay/rollplay/engine/node/kubelet"
	"github.com/rollplay/rollplay/engine/past"
)

// command formats a kubectl line, with the workload's namespace unless that is default.
func (p *patient) command(format string, args ...any) string {
	return "kubectl " + fmt.Sprintf(format, args...) + p.key.NamespaceFlag()
}

// undo returns the command that goes back to the best earlier revision, nil if there is none or kubectl would reject it. The
// best revision is the newest with available pods, or else the newest: of revisions 1 (available), 2 and 3 (broken), undo
// from 3 goes to 1. It is never that of a broken pod. Under OnDelete, and in order (S-22), broken pods keep theirs until they are deleted.
func (p *patient) undo(broken ...podOf) []Fix {
	return p.goBack(broken, func(*generation) bool { return true })
}

// goBack is undo to one of those revisions that a function accepts.
func (p *patient) goBack(broken []podOf, helps func(*generation) bool) []Fix {
	if p.current == nil || p.paused() {
		return nil
	}
	earlier := slices.DeleteFunc(slices.Clone(p.sets), func(g *generation) bool { return g == p.current || g.Number == 0 })
	good := slices.DeleteFunc(slices.Clone(earlier), func(g *generation) bool {
		return !helps(g) || slices.ContainsFunc(broken, func(pod podOf) bool { return pod.set == g })
	})
	if len(good) == 0 {
		return nil
	}
	newest := func(a, b *generation) int { return cmp.Compare(a.Number, b.Number) }
	n := slices.MaxFunc(good, func(a, b *generation) int { return cmp.Or(min(a.ready, 1)-min(b.ready, 1), newest(a, b)) }).Number
	line := "rollout undo " + p.target()
	if n != slices.MaxFunc(earlier, newest).Number { // kubectl's default (K-20): the second highest revision
		line += " --to-revision=" + strconv.Itoa(n)
	}
	label, command := fmt.Sprintf("Go back to revision %d", n), p.command("%s", line)
	then := ""
	switch hash := api.ControllerRevisionHashLabel; {
	case len(broken) == 0:
	case p.onDelete():
		then = p.command("delete pods -l %s=%s", hash, broken[0].Labels[hash])
	case p.ordered():
		then = p.command("delete pod %s", broken[0].Name)
	}
	if then != "" {
		label, command = label+" and delete what is broken", command+" && "+then
	}
	return []Fix{{label, command}}
}

// target names the workload as kubectl does: statefulset/db.
func (p *patient) target() string { return strings.ToLower(string(p.key.Kind)) + "/" + p.key.Name }

// undoUpdate is undo where there is no room: the update is the cause if the present revision was never complete, and an earlier one was, or asks
// for something else.
func (p *patient) undoUpdate(broken ...podOf) []Fix {
	if p.current == nil || p.wasRoomFor(p.current) {
		return nil
	}
	return p.goBack(broken, func(g *generation) bool {
		return p.wasRoomFor(g) || !asksAlike(g.Template().Spec, p.current.Template().Spec)
	})
}

// wasRoomFor says whether a revision was complete before, with at least as many pods as are wanted now.
func (p *patient) wasRoomFor(g *generation) bool {
	return slices.ContainsFunc(p.past.Frames(p.key.String()), func(f frames.Frame) bool {
		rs := f.ReplicaSet(g.Name)
		return f.Record <= p.record && f.Desired >= p.desired && f.Complete() && rs != nil && rs.Available == f.Desired
	})
}

// onDelete says whether pods get a new template only when somebody deletes them.
func (p *patient) onDelete() bool {
	switch o := p.o.(type) {
	case *api.StatefulSet:
		return o.Spec.UpdateStrategy.Type == api.OnDelete
	case *api.DaemonSet:
		return o.Spec.UpdateStrategy.Type == api.OnDelete
	}
	return false
}

// ordered says whether the pods are those of a StatefulSet that creates and deletes them in order.
func (p *patient) ordered() bool {
	set, ok := p.o.(*api.StatefulSet)
	return ok && set.Spec.PodManagementPolicy == api.OrderedReady
}

// paused says whether the workload is paused; only a Deployment can be.
func (p *patient) paused() bool { return p.d != nil && p.d.Spec.Paused }

// otherImage returns the command that sets the image of a pod's container to the tag latest, nil if the scenario lets that fail too, or
// if the workload no longer wants the pod's template.
func (p *patient) otherImage(pod podOf, container, image string) []Fix {
	name := api.SplitImage(image).Name + ":latest"
	if pod.set != p.current || name == image || p.paused() || api.CheckImage(name) != nil || kubelet.BehaviourOf(name, p.past.Scenario().Images).PullFails {
		return nil
	}
	line := p.command("set image %s %s=%s", p.target(), container, name)
	return []Fix{{"Use an image that exists, for example latest", line}}
}

// scaleTo returns the command that scales the workload to the largest size that needs at most `pods` pods, nil if none does. In order,
// nothing is removed while a lower pod is not Ready (S-15).
func (p *patient) scaleTo(pods int) []Fix {
	if p.sized() {
		return nil
	}
	if set, ok := p.o.(*api.StatefulSet); ok && p.ordered() {
		ready := 0
		for slices.ContainsFunc(p.podsIn(past.PodReady, past.PodAvailable), func(pod podOf) bool {
			_, ordinal := past.OrdinalOf(pod.Name)
			return ordinal == set.Start()+ready
		}) {
			ready++
		}
		pods = min(pods, ready)
	}
	for n := int32(p.desired) - 1; n > 0; n-- {
		if p.needs(n) <= pods {
			return []Fix{{fmt.Sprintf("Scale down to %d, which fits", n), p.scale(n)}}
		}
	}
	return nil
}

// sized says whether the size is not for people to choose: a DaemonSet has the eligible nodes, others perhaps an autoscaler, which
// takes back what it did not choose.
func (p *patient) sized() bool {
	scalers := p.past.Objects(api.KindHorizontalPodAutoscaler, p.record)
	return p.key.Kind == api.KindDaemonSet ||
		slices.ContainsFunc(scalers, func(o api.Object) bool { return o.(*api.HorizontalPodAutoscaler).Target() == p.key })
}

func (p *patient) scale(n int32) string {
	return p.command("scale %s --replicas=%d", p.target(), n)
}

// needs returns how many pods a size needs at most, with the surge of a rolling update: 4 with 25% need 5.
func (p *patient) needs(replicas int32) int {
	if p.d == nil || !p.rolling() {
		return int(replicas)
	}
	d := api.Shallow(p.d)
	d.Spec.Replicas = &replicas
	surge, _ := deployment.Bounds(d)
	return int(replicas + surge)
}
