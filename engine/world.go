package engine

import (
	"sort"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/controllers/autoscaler"
	"github.com/rollplay/rollplay/engine/controllers/daemon"
	"github.com/rollplay/rollplay/engine/controllers/deployment"
	"github.com/rollplay/rollplay/engine/controllers/disruption"
	"github.com/rollplay/rollplay/engine/controllers/endpointslice"
	"github.com/rollplay/rollplay/engine/controllers/garbage"
	"github.com/rollplay/rollplay/engine/controllers/nodelife"
	"github.com/rollplay/rollplay/engine/controllers/replicaset"
	"github.com/rollplay/rollplay/engine/controllers/statefulset"
	"github.com/rollplay/rollplay/engine/frames"
	"github.com/rollplay/rollplay/engine/kubectl"
	"github.com/rollplay/rollplay/engine/kubectl/line"
	"github.com/rollplay/rollplay/engine/kubectl/read"
	"github.com/rollplay/rollplay/engine/node/kubelet"
	"github.com/rollplay/rollplay/engine/node/nodescaler"
	"github.com/rollplay/rollplay/engine/node/scheduler"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/engine/sim"
)

// world is everything that a run simulates: the kernel, the cluster, its controllers, and the commands to come.
type world struct {
	kernel   *sim.Kernel
	server   *apiserver.Server
	kubectl  *kubectl.Kubectl
	kubelet  *kubelet.Kubelet
	counts   *frames.Counter
	commands []Command
	applied  []scenario.Manifest  // at time zero
	library  *scenario.Library    // reads the manifests of later commands
	answers  map[int]*past.Answer // of the commands, by record
	meter    meter
}

// opApplyScenario is the operation of the world's first event; the others carry the index of a command.
const (
	opApplyScenario uint8 = iota
	opCommand
)

// newWorld builds the cluster of a scenario. Commands of the recording follow the scenario's own of the same moment.
func newWorld(s *scenario.Scenario, commands []Command, library *scenario.Library) *world {
	w := &world{kernel: &sim.Kernel{}, library: library, answers: map[int]*past.Answer{}}
	w.server = apiserver.New(w.kernel, s.Seed)
	w.server.Minor, w.server.Keyed, w.server.Limits = s.Minor, s.Keyed, s.Clients
	w.counts = frames.New(w.kernel, w.server.Store, w.server.Minor)
	w.server.Store.Follow(w.counts)
	w.server.Store.Follow(&w.meter)
	w.kubectl = kubectl.New(w.server)
	w.kubectl.Manifests = w.readManifests
	w.kubectl.Load = s.Load

	// The order of the constructors is the order in which controllers receive a change.
	deployment.New(w.server)
	replicaset.New(w.server)
	statefulset.New(w.server)
	daemon.New(w.server)
	disruption.New(w.server)
	nodelife.New(w.server)
	autoscaler.New(w.server, autoscaler.NewMetricsServer(w.server, s.Load))
	endpointslice.New(w.server)
	scheduler.New(w.server)
	w.kubelet = kubelet.New(w.server, s.Seed, s.Images)
	garbage.New(w.server)
	nodescaler.New(w.server, s.Groups, w.register, w.kubelet.Remove)
	w.kernel.SetCause(-1) // no record leads to the nodes, which are stored before anything else happens
	for _, n := range s.Nodes {
		if err := w.register(api.Copy(n)); err != nil {
			panic("engine: node " + n.Name + ": " + err.Error()) // the scenario has checked the names
		}
	}

	w.kubectl.Config = line.NewKubeconfig(s.Namespace)
	w.applied = s.Objects
	w.commands = append(append([]Command(nil), s.Timeline...), commands...)
	sort.SliceStable(w.commands, func(i, j int) bool { return w.commands[i].At < w.commands[j].At })
	w.kernel.Schedule(sim.Event{At: 0, To: w, Op: opApplyScenario})
	for i, c := range w.commands {
		w.kernel.Schedule(sim.Event{At: c.At, To: w, Op: opCommand, Arg: int64(i)})
	}
	return w
}

// register stores a node with the labels that every kubelet puts on its node.
func (w *world) register(n *api.Node) error {
	scenario.LabelNode(n)
	return w.kubelet.Register(n)
}

// Handle gives the next command to kubectl or the environment. The command's record precedes those of its writes.
func (w *world) Handle(e sim.Event) {
	at := len(w.kernel.Trace.Records)
	w.answers[at] = &past.Answer{Reading: &read.Reading{}} // if the run ends in the middle of the command
	input := sim.Record{Kind: sim.Input, Actor: "kubectl", Command: "kubectl apply -f scenario.yaml"}
	if e.Op == opCommand {
		c := &w.commands[e.Arg]
		if input.Command = c.Line(); c.Do != "" {
			input.Actor = scenario.Environment
		}
	}
	w.kernel.Add(input)
	w.kernel.SetCause(w.kernel.LastRecord())
	answer := w.carryOut(e)
	answer.First = len(answer.Lines)
	w.answers[at] = answer
	r := w.kernel.Trace.Records[at]
	r.What, r.Failed = answer.Text(), answer.Failed
	w.meter.bytes += 2 * int64(len(r.What)) // kept as lines and as the text of the record
}

// carryOut carries out the command of an event and returns its answer.
func (w *world) carryOut(e sim.Event) *past.Answer {
	if e.Op == opApplyScenario {
		return &past.Answer{Reading: w.kubectl.Apply(w.applied)}
	}
	c := &w.commands[e.Arg]
	switch {
	case c.Apply != "":
		return &past.Answer{Reading: w.apply(c.Apply)}
	case c.Do != "":
		return &past.Answer{Reading: w.do(c.Do)}
	}
	parsed := line.Parse(c.Run)
	return &past.Answer{Command: parsed, Reading: w.kubectl.Run(parsed)}
}

func (w *world) apply(text string) *read.Reading {
	manifests, refused := w.readManifests(text, w.kubectl.Merging(line.Parse("apply")))
	if refused != "" {
		return w.refused(refused)
	}
	return w.kubectl.Apply(manifests)
}

// refused returns the answer to a command that cannot be carried out.
func (w *world) refused(text string) *read.Reading {
	answer := &read.Reading{Failed: true}
	answer.Complain(w.kernel.Now(), text)
	return answer
}

// readManifests reads a YAML stream for kubectl; for apply, it returns the merged manifests. If there are errors, refused is
// kubectl's answer.
func (w *world) readManifests(text string, merge kubectl.Merge) (manifests []scenario.Manifest, refused string) {
	source := w.library.Read(text)
	if source.Empty() {
		return nil, "" // the verbs that need an object say so
	}
	manifests, diagnostics := source.Manifests()
	if merge != nil {
		manifests, diagnostics = source.MergedManifests(merge)
	}
	var lines []string
	for _, d := range diagnostics {
		if !d.Warning || d.Inert && len(manifests) == 0 { // which objects were left out, and why
			lines = append(lines, "error: "+d.String())
		}
	}
	return manifests, strings.Join(lines, "\n")
}
