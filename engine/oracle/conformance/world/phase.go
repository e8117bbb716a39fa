package world

import (
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/sim"
)

// PhaseAnnotation ends a pod: its phase becomes the value of the annotation. Nothing in the engine fails a pod that
// restarts its containers; in a cluster a kubelet without room for it may, and the controllers have rules for that.
const PhaseAnnotation = "conformance/phase"

// phases writes the phases that annotations ask for.
type phases struct {
	kernel *sim.Kernel
	client *apiserver.Client
}

// ObeyPhases makes pods follow their PhaseAnnotation.
func (w *World) ObeyPhases() {
	w.Server.Store.Informer(api.KindPod).AddHandler(&phases{w.Kernel, w.Server.Client("environment")})
}

// OnChange receives every change of a pod, and reacts to one with the annotation.
func (p *phases) OnChange(c *sim.Change) {
	if pod, ok := c.New.(*api.Pod); ok && pod.Annotations[PhaseAnnotation] != "" && !pod.Finished() {
		p.kernel.Schedule(sim.Event{At: p.kernel.Now(), To: p, Key: pod.Key()})
	}
}

// Handle writes the phase.
func (p *phases) Handle(e sim.Event) {
	o, err := p.client.Get(e.Key)
	if err != nil {
		return // the pod is gone by now
	}
	pod := o.(*api.Pod).CopyForStatus()
	phase := pod.Annotations[PhaseAnnotation]
	if phase == "" || pod.Finished() {
		return
	}
	pod.Status.Phase = phase
	unready := api.Condition{Type: "Ready", Status: "False", Reason: "Pod" + phase}
	pod.Status.Conditions = api.SetPodCondition(pod.Status.Conditions, unready, p.client.Timestamp())
	if _, err = p.client.UpdateStatus(pod, "the pod has ended", nil); err != nil {
		panic("conformance: " + err.Error())
	}
}
