package kubectl

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/kubectl/line"
	"github.com/rollplay/rollplay/engine/kubectl/read"
	"github.com/rollplay/rollplay/engine/sim"
)

const (
	evictRetry    = 5000 // ms until an eviction is tried again that a disruption budget has refused (P-21)
	deletionPolls = 1000 // ms between two looks whether a pod is gone
)

// drain is a kubectl drain: it cordons nodes and then empties them, one after the other (P-20, P-21). It continues after the
// command has answered; what it prints later becomes records of its own.
//
// Simplified: kubectl evicts the pods of a node in parallel. Here they take turns in each moment, by namespace and name.
type drain struct {
	*command
	later
	timeout     int64         // in ms, 0 for none
	grace       *int64        // nil: the pods' own
	skipWait    int64         // of --skip-wait-for-delete-timeout, in seconds
	podSelector line.Selector // of --pod-selector
	nodes       []api.Key     // the first is being emptied
	victims     []*victim     // its pods
	began       int64         // when it began
	errs        []error       // their errors
	pending     []string      // nodes that could not be emptied
	failed      []error       // why
}

// victim is a pod to evict.
type victim struct {
	pod   *api.Pod
	state victimState
	due   int64 // when to try, or to look, again
}

// victimState is how far a victim is.
type victimState uint8

const (
	evicting victimState = iota // to be evicted
	leaving                     // evicted, or deleted; it is waited for
	left                        // gone, or given up
)

func (k *Kubectl) drain(c *command) error {
	podSelector, err := line.ParseSelector(c.Flags["pod-selector"])
	if err != nil {
		return errors.New("--pod-selector=<pod_selector> must be a valid label selector")
	}
	nodes, err := k.nodes(c)
	if err != nil {
		return err
	}
	d := &drain{command: c, later: later{k, c.kernel.Cause()}, nodes: nodes, podSelector: podSelector, timeout: c.Timeout(0)}
	d.skipWait = c.Int("skip-wait-for-delete-timeout", 0)
	if seconds := c.Int("grace-period", -1); seconds >= 0 {
		d.grace = &seconds
	}
	if len(nodes) == 0 { // of a selector that matches no node; kubectl prints nothing and succeeds (drain.go:RunDrain)
		return nil
	}
	for _, node := range nodes {
		if said, err := k.cordonOne(c, node, true, "cordoned"); err != nil {
			d.complain(fmt.Sprintf("error: unable to cordon node %q: %v", node.Name, err))
		} else {
			d.print(said)
		}
	}
	d.answer.Open = true
	d.proceed(d.begin())
	return nil
}

// proceed continues with the next node if this one is done, and schedules the next step.
func (d *drain) proceed(done bool) {
	for ; done; done = d.begin() {
		d.finish()
		if d.nodes = d.nodes[1:]; len(d.nodes) == 0 {
			d.end()
			return
		}
	}
	at := int64(math.MaxInt64)
	for _, v := range d.victims {
		if v.state != left {
			at = min(at, v.due)
		}
		if v.state == leaving && d.timeout > 0 {
			at = min(at, d.began+d.timeout)
		}
	}
	d.kernel.Schedule(sim.Event{At: at, To: d})
}

// begin begins to empty a node; done reports that there is nothing to wait for.
func (d *drain) begin() (done bool) {
	d.began, d.victims, d.errs = d.kernel.Now(), nil, nil
	pods, warning, errs := d.podsToGo()
	if len(errs) > 0 {
		d.errs = errs
		return true
	}
	if warning != "" {
		d.complain("Warning: " + warning)
	}
	for _, pod := range pods {
		if d.Dry == line.DryClient {
			d.print("evicting pod " + pod.Namespace + "/" + pod.Name + d.Dry.Suffix())
			continue
		}
		d.victims = append(d.victims, &victim{pod: pod, due: d.began})
	}
	return d.step()
}

// Handle continues with the node that is being emptied, after all else in the moment: a look is a request.
func (d *drain) Handle(e sim.Event) {
	if e.Op == 0 {
		d.kernel.Schedule(sim.Event{At: e.At, To: d, Op: 1})
		return
	}
	d.kernel.SetCause(d.cause)
	node, printed := d.nodes[0], len(d.answer.Lines)
	d.proceed(d.step())
	d.say(d.answer, printed, node)
}

// step carries out everything that is due now; done reports that all pods of the node are gone, or given up.
func (d *drain) step() (done bool) {
	d.expire()
	d.look()
	if d.On("disable-eviction") {
		d.deleteDue()
	} else {
		d.evictDue()
	}
	d.look()
	return !slices.ContainsFunc(d.victims, func(v *victim) bool { return v.state != left })
}

func (d *drain) timedOut() bool { return d.timeout > 0 && d.kernel.Now() >= d.began+d.timeout }

func (d *drain) expire() {
	if !d.timedOut() {
		return
	}
	for _, v := range d.victims {
		if v.state != leaving {
			continue
		}
		v.state = left
		err := fmt.Errorf("error when waiting for pod %q in namespace %q to terminate: %w", v.pod.Name, v.pod.Namespace, read.ErrDeadline)
		if d.On("disable-eviction") { // they are all waited for together
			if len(d.errs) > 0 {
				continue
			}
			err = read.ErrDeadline
		}
		d.errs = append(d.errs, err)
	}
}

// look checks whether the awaited pods are gone.
func (d *drain) look() {
	what := "evicted"
	if d.On("disable-eviction") {
		what = "deleted"
	}
	for _, v := range d.due(leaving) {
		switch pod := d.fresh(v); {
		case pod == nil || pod.UID != v.pod.UID:
			v.state = left
			d.print(d.said(v.pod.Key(), what))
		case d.skips(pod):
			v.state = left
			d.print(fmt.Sprintf("pod %q has DeletionTimestamp older than %d seconds, skipping", pod.Name, d.skipWait))
		default:
			v.due = d.kernel.Now() + deletionPolls
		}
	}
}

// due returns the victims in a state whose turn it is.
func (d *drain) due(state victimState) []*victim {
	return slices.DeleteFunc(slices.Clone(d.victims), func(v *victim) bool { return v.state != state || v.due > d.kernel.Now() })
}

// fresh returns a victim's pod as it is now, nil if it is gone.
func (d *drain) fresh(v *victim) *api.Pod {
	pod, _ := d.kubectl.store.Get(v.pod.Key()).(*api.Pod)
	return pod
}

// evictDue tries the evictions that are due. They start together: every pod is announced before the first answer.
func (d *drain) evictDue() {
	due := d.due(evicting)
	for _, v := range due {
		if pod := d.fresh(v); pod != nil {
			v.pod = pod // a StatefulSet may have made a new one of the name
		}
		d.print("evicting pod " + v.pod.Namespace + "/" + v.pod.Name + d.Dry.Suffix())
	}
	for _, v := range due {
		d.evict(v)
	}
}

// evict tries to evict a pod.
func (d *drain) evict(v *victim) {
	where := fmt.Sprintf("error when evicting pods/%q -n %q", v.pod.Name, v.pod.Namespace)
	if d.timedOut() {
		v.state = left
		d.errs = append(d.errs, fmt.Errorf("%s: global timeout reached: %s", where, durationText(d.timeout)))
		return
	}
	err := d.kubectl.client.Evict(v.pod.Key(), apiserver.EvictOptions{GracePeriodSeconds: d.grace, DryRun: d.Dry == line.DryServer})
	switch {
	case err == nil && d.Dry == line.DryServer, api.IsReason(err, api.ReasonNotFound):
		v.state = left
	case err == nil:
		v.state, v.due = leaving, d.kernel.Now()
	case api.IsReason(err, api.ReasonTooManyRequests):
		d.complain(fmt.Sprintf("%s (will retry after %s): %v", where, durationText(evictRetry), err))
		v.due = d.kernel.Now() + evictRetry
	default:
		v.state = left
		d.errs = append(d.errs, fmt.Errorf("%s: %w", where, err))
	}
}

// deleteDue deletes pods for --disable-eviction, without asking a disruption budget.
func (d *drain) deleteDue() {
	for _, v := range d.due(evicting) {
		if d.Dry == line.DryServer {
			v.state = left
			continue
		}
		v.state, v.due = leaving, d.kernel.Now()
		err := d.kubectl.client.Delete(v.pod.Key(), apiserver.DeleteOptions{GracePeriodSeconds: d.grace},
			"deleted by kubectl drain", nil)
		if err != nil && !api.IsReason(err, api.ReasonNotFound) {
			v.state = left
			d.errs = append(d.errs, err)
		}
	}
}

func (d *drain) finish() {
	node, err := d.nodes[0], joined(d.errs)
	if err == nil {
		d.print(d.said(node, "drained"))
		return
	}
	if len(d.victims) > 0 {
		d.sayPending(err)
	}
	d.complain(fmt.Sprintf("error: unable to drain node %q due to error: %v, continuing command...", node.Name, err))
	d.pending, d.failed = append(d.pending, node.Name), append(d.failed, err)
}

// sayPending lists the pods that are still there after an error.
func (d *drain) sayPending(err error) {
	pods, _, errs := d.podsToGo()
	if len(pods) > 0 {
		d.complain(fmt.Sprintf("There are pending pods in node %q when an error occurred: %v", d.nodes[0].Name, err))
		for _, pod := range pods {
			d.complain("pod/" + pod.Name)
		}
	}
	if len(errs) > 0 {
		d.complain(fmt.Sprintf("Following errors occurred while getting the list of pods to delete:\n%v", joined(errs)))
	}
}

// end says which nodes could not be drained.
func (d *drain) end() {
	d.answer.Open = false
	if len(d.failed) == 0 {
		return
	}
	d.complain("There are pending nodes to be drained:")
	for _, name := range d.pending {
		d.complain(" " + name)
	}
	list := d.failed // all of them again: a list of several has no "error:" in front (cmd/util/helpers.go:checkErr)
	if several, ok := list[0].(api.Errors); ok && len(list) == 1 {
		list = several
	} else if len(list) == 1 {
		list = []error{fmt.Errorf("error: %w", list[0])}
	}
	for _, err := range list {
		d.complain(err.Error())
	}
	d.answer.Failed = true
}

// setUnschedulable returns what cordons nodes, or uncordons them.
func setUnschedulable(on bool, what string) func(*Kubectl, *command) error {
	return func(k *Kubectl, c *command) error {
		nodes, err := k.nodes(c)
		if err != nil {
			return err
		}
		return forEach(c, nodes, func(key api.Key) (string, error) { return k.cordonOne(c, key, on, what) })
	}
}

// nodes returns the nodes that a command is about. If one is not there, nothing is done to the others (P-23).
func (k *Kubectl) nodes(c *command) ([]api.Key, error) {
	nodes := k.objects(c)
	for _, key := range nodes {
		if _, err := k.find(c, key); err != nil {
			return nil, err
		}
	}
	return nodes, nil
}

// cordonOne marks a node as unschedulable, or takes the mark away. The node lifecycle controller sets the taint (P-23).
func (k *Kubectl) cordonOne(c *command, key api.Key, on bool, what string) (string, error) {
	o, err := k.client.Get(key)
	if err != nil {
		return "", err
	}
	node := api.Copy(o.(*api.Node))
	if node.Spec.Unschedulable == on {
		return c.said(key, "already "+what), nil
	}
	node.Spec.Unschedulable = on
	return k.putAndSay(c, node, what)
}
