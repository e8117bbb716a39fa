package numbers

import (
	"slices"

	"github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/engine/forecast/sweep"
)

// axisTexts are the names of the settings that are no fields of a manifest.
var axisTexts = map[string]lang.Message{
	"grace": "numbers-grace", "readinessPeriod": "numbers-readiness", "start": "numbers-start", "nodes": "numbers-nodes",
}

func axisText(l lang.Lang, name string) string {
	if m, ok := axisTexts[name]; ok {
		return l.Say(m)
	}
	return name
}

// foreign are the settings that a kind does not have.
var foreign = map[string][]string{
	"Deployment": {"partition"}, "StatefulSet": {"maxSurge"}, "DaemonSet": {"partition", "replicas"},
}

// axisNames lists the settings of the workload.
func (p *Panel) axisNames() []string {
	return slices.DeleteFunc(sweep.AxisNames(), func(name string) bool {
		return slices.Contains(foreign[command.Kind(p.s.Workload())], name)
	})
}

// fitAxes chooses the usual settings, unless those that were chosen before are the workload's.
func (p *Panel) fitAxes() {
	names := p.axisNames()
	if slices.Contains(names, p.axes[0]) && slices.Contains(names, p.axes[1]) {
		return
	}
	p.axes = [2]string{"maxSurge", "maxUnavailable"}
	if !slices.Contains(names, "maxSurge") {
		p.axes = [2]string{"maxUnavailable", "minReadySeconds"}
	}
}
