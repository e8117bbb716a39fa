package engine

import (
	"slices"
	"strconv"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/kubectl/line"
)

// Estimate is how large a run is expected to become. A caller that knows how many records it computes in a second can say how
// long that takes.
type Estimate struct {
	Records, Bytes int64
}

// The records that a pod adds to a run, measured with Deployments of 1,000 to 10,000 pods: from its creation until it is
// ready, and from its deletion until it is gone.
const (
	recordsCreated = 14
	recordsDeleted = 13
)

// frameShare is how many bytes the frames add to each record.
const frameShare = 60

// Estimate returns how large the run is expected to become, from the pods that its workloads want and the commands that change
// them. The page warns of a long wait with it: it is right to about a factor of two, more for autoscalers.
func (r *Run) Estimate() Estimate {
	if r.done {
		return Estimate{int64(r.Len()), r.Bytes()}
	}
	p := plan{run: r, config: line.NewKubeconfig(r.scenario.Namespace), pods: map[api.Key]int64{}}
	for _, m := range r.scenario.Objects {
		p.apply(m.Object)
	}
	coming := int64(0)
	for i := range r.world.commands {
		breath.Often()
		before := p.records
		p.command(&r.world.commands[i])
		if r.world.commands[i].At > r.Now() {
			coming += p.records - before
		}
	}
	e := Estimate{Records: max(p.records, int64(r.Len())+coming)}
	e.Bytes = max(e.Records*(recordBytes+frameShare), r.Bytes())
	return e
}

// plan follows how many pods each workload wants, command by command.
type plan struct {
	run     *Run
	config  *line.Kubeconfig
	pods    map[api.Key]int64
	records int64
}

// want changes the number of pods of a workload.
func (p *plan) want(key api.Key, n int64) {
	have := p.pods[key]
	p.records += max(n-have, 0)*recordsCreated + max(have-n, 0)*recordsDeleted
	p.pods[key] = n
}

// replace counts an update of all pods of a workload.
func (p *plan) replace(key api.Key) { p.records += p.pods[key] * (recordsCreated + recordsDeleted) }

// apply counts an object that is applied. If it exists already, assume that it gets a new template.
func (p *plan) apply(o api.Object) {
	key := o.Key()
	if _, known := p.pods[key]; known {
		p.replace(key)
	}
	switch o := o.(type) {
	case *api.DaemonSet:
		p.want(key, int64(len(p.run.scenario.Nodes)))
	case *api.Pod:
		p.want(key, 1)
	case api.Scalable:
		p.want(key, int64(o.Replicas()))
	}
}

func (p *plan) command(c *Command) {
	p.records++
	switch {
	case c.Apply != "":
		manifests, _ := p.run.world.library.Read(c.Apply).Manifests()
		for _, m := range manifests {
			p.apply(m.Object)
		}
	case c.Run != "":
		p.line(line.Parse(c.Run).In(p.config.Namespace()))
	}
}

// replacing are the verbs that change a template.
var replacing = []string{"set image", "set env", "set resources", "rollout restart", "rollout undo", "patch"}

func (p *plan) line(c *line.Command) {
	if c.Err != nil {
		return
	}
	if c.Configures() {
		p.config.Change(c) //nolint:errcheck // it changes nothing then
	}
	n, err := strconv.ParseInt(c.Flags["replicas"], 10, 32)
	for key := range p.pods {
		if !slices.Contains(c.Targets, key) && !slices.Contains(c.Kinds, key.Kind) {
			continue
		}
		switch {
		case c.Verb == "scale" && err == nil:
			p.want(key, n)
		case c.Verb == "delete":
			p.want(key, 0)
		case slices.Contains(replacing, c.Verb):
			p.replace(key)
		}
	}
}
