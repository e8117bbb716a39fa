package podlife

import (
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/node/kubelet"
	"github.com/rollplay/rollplay/engine/oracle/conformance/realkubelet"
	"github.com/rollplay/rollplay/engine/oracle/conformance/world"
	"github.com/rollplay/rollplay/engine/sim"
)

// gone is the entry of a pod that was removed.
const gone = "status gone"

// failsIn is how long a pull takes that fails, in ms: not as long as from one relist to another, with which its end would race.
const failsIn = 1040

// Ours runs a scenario in the engine, with the same chance as the real run.
func Ours(text string, chance Chance) (t Timeline) {
	w := world.Start(text)
	w.Kubelet().SetChance(func(string) sim.Time { return chance.Phase.Milliseconds() }, int64(100*chance.Jitter))
	w.PullsFailIn(failsIn)
	for !w.Run.Advance(1000) {
	}
	last := map[string]string{}
	for _, r := range w.Kernel.Trace.Records {
		e := Entry{At: int64(r.At), Pod: r.Object.Name}
		switch {
		case r.Object.Kind != api.KindPod:
			continue
		case r.Kind == sim.Notice && r.Actor == kubelet.Actor:
			e.Text = plain(realkubelet.EventText(r.Field, r.Type, r.Reason, r.What))
		case r.Kind == sim.Write:
			e.Text = gone
			if p, ok := w.Server.Store.Log[r.Change].New.(*api.Pod); ok {
				e.Text = ourStatus(p)
			}
			if e.Text == last[e.Pod] {
				continue
			}
			last[e.Pod] = e.Text
		default:
			continue
		}
		t = append(t, e)
	}
	return t
}
