package past

import (
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/sim"
)

// Strip is one condition of a workload over time.
type Strip struct {
	Type     string // Available, Progressing or ReplicaFailure
	Segments []Segment
}

// Segment is a stretch of time in which a condition did not change.
type Segment struct {
	From, To int64 // virtual ms; To is the run's Now() for the last one
	Record   int   // the record that began it
	Status   string
	Reason   string
	Message  string // Status, Reason and Message are empty while the condition is absent
}

// ConditionTypes are the conditions of a Deployment, in the order of their strips. The last one has a strip only if it
// ever appeared.
var ConditionTypes = [...]string{"Available", "Progressing", "ReplicaFailure"}

// strips are the conditions of a Deployment, as far as its writes have been read.
type strips struct {
	writes int
	list   [len(ConditionTypes)]Strip
}

// Conditions returns the conditions of a Deployment over time, nothing for another workload. The list belongs to the Past and grows with
// the run.
func (p *Past) Conditions(workload string) []Strip {
	key := ParseKey(workload)
	writes := p.Writes(key)
	if key.Kind != api.KindDeployment || len(writes) == 0 {
		return nil
	}
	s := p.strips[key]
	if s == nil {
		s = &strips{}
		p.strips[key] = s
	}
	for ; s.writes < len(writes); s.writes++ {
		s.take(p.Change(int(writes[s.writes])))
	}
	for i := range s.list {
		last := &s.list[i].Segments[len(s.list[i].Segments)-1]
		last.To = max(p.Now(), last.From)
	}
	if n := len(s.list) - 1; len(s.list[n].Segments) == 1 && s.list[n].Segments[0].Status == "" {
		return s.list[:n]
	}
	return s.list[:]
}

func (s *strips) take(c *sim.Change) {
	var conditions []api.Condition
	if d, ok := c.New.(*api.Deployment); ok {
		conditions = d.Status.Conditions
	}
	for i, name := range ConditionTypes {
		next := Segment{From: c.At, Record: c.Record}
		if x := api.FindCondition(conditions, name); x != nil {
			next.Status, next.Reason, next.Message = x.Status, x.Reason, x.Message
		}
		s.list[i].Type = name
		s.list[i].add(next)
	}
}

// add begins a segment, unless only the condition's times have changed.
func (s *Strip) add(next Segment) {
	if n := len(s.Segments); n > 0 {
		last := &s.Segments[n-1]
		if last.Status == next.Status && last.Reason == next.Reason && last.Message == next.Message {
			return
		}
		last.To = next.From
	}
	s.Segments = append(s.Segments, next)
}
