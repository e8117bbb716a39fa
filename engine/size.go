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

// Observe counts the template and the annotations of an object that a person writes, when they change. Pods share those of their
// template.
func (m *meter) Observe(c *sim.Change) {
	if c.New == nil || c.New.Meta().ControllerOf() != nil {
		return
	}
	t, annotations := api.TemplateOf(c.New), c.New.Meta().Annotations
	if c.Old == nil || t != nil && t.Spec != api.TemplateOf(c.Old).Spec {
		if t != nil {
			m.bytes += int64(t.Spec.Size())
		}
	}
	if c.Old == nil || !api.SameMap(annotations, c.Old.Meta().Annotations) {
		for _, v := range annotations {
			m.bytes += int64(len(v))
		}
	}
}

// print counts an answer, which is kept as lines and as the text of its record.
func (m *meter) print(text string) { m.bytes += 2 * int64(len(text)) }

func (r *Run) tooLarge() bool { return r.Len() >= limits.Records || r.Bytes() >= limits.Memory }

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
