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

// strips are the conditions of all workloads, as far as the log of changes has been read.
type strips struct {
	changes   int
	workloads map[string][]Strip
}

// Conditions returns the conditions of a workload over time. The list belongs to the Past and grows with the run.
func (p *Past) Conditions(workload string) []Strip {
	p.strips.read(p.log())
	list := p.strips.workloads[workload]
	for i := range list {
		if n := len(list[i].Segments); n > 0 {
			list[i].Segments[n-1].To = max(p.Now(), list[i].Segments[n-1].From)
		}
	}
	if n := len(list) - 1; n >= 0 && len(list[n].Segments) == 1 && list[n].Segments[0].Status == "" {
		return list[:n]
	}
	return list
}

// read processes what was added to the log.
func (s *strips) read(log []sim.Change) {
	if s.workloads == nil {
		s.workloads = map[string][]Strip{}
	}
	for ; s.changes < len(log); s.changes++ {
		c := &log[s.changes]
		if d := deploymentOf(c); d != nil {
			s.take(d.Key().String(), c)
		}
	}
}

func (s *strips) take(workload string, c *sim.Change) {
	list := s.workloads[workload]
	if list == nil {
		list = make([]Strip, len(ConditionTypes))
		for i, name := range ConditionTypes {
			list[i].Type = name
		}
		s.workloads[workload] = list
	}
	var conditions []api.Condition
	if d, ok := c.New.(*api.Deployment); ok {
		conditions = d.Status.Conditions
	}
	for i := range list {
		next := Segment{From: c.At, Record: c.Record}
		if x := api.FindCondition(conditions, list[i].Type); x != nil {
			next.Status, next.Reason, next.Message = x.Status, x.Reason, x.Message
		}
		list[i].add(next)
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

// deploymentOf returns the Deployment that a change is about, nil if it is about something else.
func deploymentOf(c *sim.Change) *api.Deployment {
	d, _ := c.Object().(*api.Deployment)
	return d
}
