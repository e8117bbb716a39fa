package engine

import (
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/limits"
	"github.com/rollplay/rollplay/engine/sim"
)

// recordBytes is the average size of a record with the version of the object that it wrote; measured with Deployments,
// StatefulSets and DaemonSets of a thousand pods.
const recordBytes = 640

// Bytes returns roughly how much memory the run takes so far.
func (r *Run) Bytes() int64 {
	return int64(r.Len())*recordBytes + r.world.counts.Bytes() + r.world.meter.bytes
}

// meter adds up the large texts: templates, annotations and answers may have a megabyte each.
type meter struct{ bytes int64 }

// A map of labels or annotations takes this number of bytes for itself and for each entry, without the texts.
const (
	mapBytes   = 300
	entryBytes = 60

	usualEntries = 8 // labels and annotations of a pod that recordBytes includes
)

// What a container takes in a version of a pod's status, and in its kubelet. recordBytes includes one or two of a pod.
const (
	statusBytes     = 184
	kubeletBytes    = 480
	usualContainers = 2
)

// Observe counts the parts of a version that it does not share with the one before it. Pods share the texts of their template and of the command that
// changes them all, so only the maps themselves are counted for what a controller made.
func (m *meter) Observe(c *sim.Change) {
	if c.New == nil {
		return
	}
	var old api.ObjectMeta
	if c.Old != nil {
		old = *c.Old.Meta()
	}
	meta := c.New.Meta()
	own := meta.ControllerOf() == nil
	if c.Old != nil || own {
		m.changed(meta.Labels, old.Labels, own)
		m.changed(meta.Annotations, old.Annotations, own)
	} else {
		m.bytes += entryBytes * int64(max(0, len(meta.Labels)+len(meta.Annotations)-usualEntries))
	}
	if pod, is := c.New.(*api.Pod); is {
		before, _ := c.Old.(*api.Pod)
		if before == nil {
			before = &api.Pod{}
		}
		m.containers(pod.Status.InitContainerStatuses, before.Status.InitContainerStatuses)
		m.containers(pod.Status.ContainerStatuses, before.Status.ContainerStatuses)
	}
	if t := api.TemplateOf(c.New); own && t != nil && (c.Old == nil || t.Spec != api.TemplateOf(c.Old).Spec) {
		m.bytes += int64(t.Spec.Size())
	}
}

// containers counts a status that a version does not share with the one before. The first one comes with the kubelet's own notes.
func (m *meter) containers(now, before []api.ContainerStatus) {
	n := int64(len(now) - usualContainers)
	switch {
	case n <= 0:
	case len(before) == 0:
		m.bytes += n * (kubeletBytes + statusBytes)
	case &now[0] != &before[0]:
		m.bytes += n * statusBytes
	}
}

// changed counts a map that a version does not share with the one before.
func (m *meter) changed(now, before map[string]string, texts bool) {
	if len(now) == 0 || api.SameMap(now, before) {
		return
	}
	m.bytes += mapBytes + entryBytes*int64(len(now))
	for _, v := range now {
		if texts {
			m.bytes += int64(len(v))
		}
	}
}

// full is the panic that ends a run in the middle of an event.
type full struct{}

// checkSize ends the run in the middle of an event: one event can write hundreds of thousands of records.
func (r *Run) checkSize() {
	if r.mustEnd() {
		panic(full{})
	}
}

func (r *Run) mustEnd() bool {
	return r.Len() >= limits.Records || r.Bytes() >= limits.Memory || r.world.library.Over()
}

// A run repeats itself if its last records are at least roundsMin equal rounds, each of at most roundMax records.
const (
	roundMax  = 200
	roundsMin = 20
)

// repeats says whether the run goes round in circles without a command: the same actors do the same to the same objects.
func (r *Run) repeats() bool {
	records := r.records()
	for period := 1; period <= roundMax && period*roundsMin < len(records); period++ {
		if isRound(records[len(records)-period*roundsMin:], period) {
			return true
		}
	}
	return false
}

func isRound(records []*sim.Record, period int) bool {
	for i := range records {
		a, b := records[i], records[max(i-period, i%period)]
		if a.Kind == sim.Input || a.Kind != b.Kind || a.Actor != b.Actor || a.Object != b.Object || a.Reason != b.Reason {
			return false
		}
	}
	return true
}
