package main

import (
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/sim"
)

// phaseAnnotation ends a pod: its phase becomes what the annotation says. In the engine nothing fails a pod that restarts
// its containers, in a cluster a kubelet that has no room for it may; the controllers have rules for it.
const phaseAnnotation = "conformance/phase"

// phases writes the phases that annotations ask for.
type phases struct {
	kernel *sim.Kernel
	client *apiserver.Client
}

// OnChange hears of a pod with the annotation.
func (p *phases) OnChange(c *sim.Change) {
	if pod, ok := c.New.(*api.Pod); ok && pod.Annotations[phaseAnnotation] != "" && !pod.Finished() {
		p.kernel.Schedule(sim.Event{At: p.kernel.Now(), To: p, Key: pod.Key()})
	}
}

// Handle writes the phase.
func (p *phases) Handle(e sim.Event) {
	o, err := p.client.Get(e.Key)
	if err != nil {
		return // gone meanwhile
	}
	pod := o.(*api.Pod).CopyForStatus()
	phase := pod.Annotations[phaseAnnotation]
	if phase == "" || pod.Finished() {
		return
	}
	pod.Status.Phase = phase
	unready := api.Condition{Type: "Ready", Status: "False", Reason: "Pod" + phase}
	pod.Status.Conditions = api.SetPodCondition(pod.Status.Conditions, unready, p.client.Timestamp())
	_, err = p.client.UpdateStatus(pod, "the pod has ended", nil)
	must(err)
}
