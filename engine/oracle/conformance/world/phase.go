package world

import (
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/sim"
)

// PhaseAnnotation ends a pod: its phase becomes the value of the annotation. Nothing in the engine fails a pod that
// restarts its containers; in a cluster a kubelet without room for it may, and the controllers have rules for that.
const PhaseAnnotation = "conformance/phase"

// EvictedAnnotation names a budget that counts the pod as evicted, although nothing deletes the pod. In a cluster that happens if the
// API server stops between the two writes of an eviction.
const EvictedAnnotation = "conformance/evicted"

// phases carries out the annotations.
type phases struct {
	kernel *sim.Kernel
	client *apiserver.Client
}

// ObeyPhases makes pods follow their PhaseAnnotation and their EvictedAnnotation.
func (w *World) ObeyPhases() {
	w.Server.Store.Informer(api.KindPod).AddHandler(&phases{w.Kernel, w.Server.Client("environment")})
}

// Operations of phases.
const (
	opPhase uint8 = iota
	opEvicted
)

// OnChange receives every change of a pod, and reacts to one with an annotation.
func (p *phases) OnChange(c *sim.Change) {
	pod, ok := c.New.(*api.Pod)
	if !ok {
		return
	}
	if pod.Annotations[PhaseAnnotation] != "" && !pod.Finished() {
		p.kernel.Schedule(sim.Event{At: p.kernel.Now(), To: p, Op: opPhase, Key: pod.Key()})
	}
	if budget := pod.Annotations[EvictedAnnotation]; budget != "" && c.Old != nil && c.Old.Meta().Annotations[EvictedAnnotation] == "" {
		p.kernel.Schedule(sim.Event{At: p.kernel.Now(), To: p, Op: opEvicted, Key: pod.Key()})
	}
}

// Handle writes the phase, or counts the eviction.
func (p *phases) Handle(e sim.Event) {
	if e.Op == opEvicted {
		p.countEviction(e.Key)
		return
	}
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

// countEviction subtracts the eviction of a pod from its budget, as the API server does before it deletes the pod.
func (p *phases) countEviction(key api.Key) {
	pod, err := p.client.Get(key)
	if err != nil {
		return // the pod is gone by now
	}
	o, err := p.client.Get(api.Key{Kind: api.KindPodDisruptionBudget, Namespace: key.Namespace, Name: pod.Meta().Annotations[EvictedAnnotation]})
	if err != nil {
		return // and so is the budget
	}
	b := api.Shallow(o.(*api.PodDisruptionBudget))
	disrupted := map[string]api.Time{key.Name: p.client.Timestamp()}
	for name, at := range b.Status.DisruptedPods {
		disrupted[name] = at
	}
	b.Status.DisruptedPods = disrupted
	b.Status.DisruptionsAllowed = max(0, b.Status.DisruptionsAllowed-1)
	if _, err := p.client.UpdateStatus(b, "the pod counts as evicted", nil); err != nil {
		panic("conformance: " + err.Error())
	}
}
