package past

import "github.com/rollplay/rollplay/engine/api"

// Rolling is what the manifest of a workload says about its bounds, as written: "25%", "3", or "" where it has no such field.
type Rolling struct {
	Surge, Unavailable string
	RoundsDown         bool // a percentage of maxUnavailable: down, but at least to 1; a DaemonSet's rounds up
}

// Rolling returns the bounds of a workload as its manifest had them after a record.
func (p *Past) Rolling(workload string, record int) (r Rolling) {
	switch o := p.ObjectAt(ParseKey(workload), record).(type) {
	case *api.Deployment:
		if u := o.Spec.Strategy.RollingUpdate; u != nil && o.Spec.Strategy.Type == api.RollingUpdate {
			r = Rolling{written(u.MaxSurge), written(u.MaxUnavailable), true}
		}
	case *api.StatefulSet:
		if u := o.Spec.UpdateStrategy.RollingUpdate; u != nil {
			r = Rolling{Unavailable: written(u.MaxUnavailable), RoundsDown: true}
		}
	case *api.DaemonSet:
		if u := o.Spec.UpdateStrategy.RollingUpdate; u != nil {
			r = Rolling{Surge: written(u.MaxSurge), Unavailable: written(u.MaxUnavailable)}
		}
	}
	return r
}

func written(v *api.IntOrString) string {
	if v == nil {
		return ""
	}
	return v.String()
}
