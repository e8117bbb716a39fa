package describe

import (
	"slices"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/kubectl/print"
)

// pod adds a pod (describe.go:describePod).
func (d *description) pod(o *api.Pod) {
	served := api.Fields(print.Served(o))
	spec, status := served.Object("spec"), served.Object("status")
	d.head(o)
	if spec["priority"] != nil {
		d.line("Priority:\t%d", spec.Number("priority"))
	}
	d.given("Priority Class Name", spec.Text("priorityClassName"))
	d.given("Service Account", spec.Text("serviceAccountName"))
	if o.NodeName == "" {
		d.line("Node:\t%s", print.None)
	} else {
		d.line("Node:\t%s/%s", o.NodeName, status.Text("hostIP"))
	}
	if started := print.StartTime(o); started != 0 {
		d.line("Start Time:\t%s", date(started))
	}
	d.labelled(o)
	if o.Terminating() && !o.Finished() {
		d.line("Status:\tTerminating (lasts %s)", print.Since(o.DeletionTimestamp, d.now))
		d.line("Termination Grace Period:\t%ds", o.DeletionGracePeriodSeconds)
	} else {
		d.line("Status:\t%s", o.Status.Phase)
	}
	d.given("Reason", o.Status.Reason)
	if ip := status.Text("podIP"); ip != "" {
		d.line("IP:\t%s\nIPs:\n  IP:\t%s", ip, ip)
	} else {
		d.line("IP:\t\nIPs:\t%s", print.None)
	}
	d.controller(&o.ObjectMeta)
	d.containers("", o.Spec, spec, status, o)
	row := func(c *api.Condition) { d.line("  %s \t%s ", c.Type, print.OrNone(c.Status)) }
	d.conditions("Readiness Gates:\n  Type\tStatus", o.Gates(), row)
	d.conditions("Conditions:\n  Type\tStatus", o.Status.Conditions, row)
	d.volumes("", spec.Items("volumes"))
	d.line("QoS Class:\t%s", print.QOSClass(o.Spec))
	d.multi("Node-Selectors", print.LabelPairs(o.Spec.NodeSelector))
	d.multi("Tolerations", tolerationTexts(o.Tolerations())) // with those of admission
	d.spreadConstraints("", o.Spec.TopologySpreadConstraints)
}

// containerStatus adds what a container does, and did before.
func (d *description) containerStatus(s *api.ContainerStatus) {
	d.state("State", &s.State)
	if s.LastState.Kind == api.Terminated {
		d.state("Last State", &s.LastState)
	}
	d.line("    Ready:\t%s", map[bool]string{false: "False", true: "True"}[s.Ready])
	d.line("    Restart Count:\t%d", s.RestartCount)
}

func (d *description) state(title string, s *api.ContainerState) {
	switch s.Kind {
	case api.Running:
		d.line("    %s:\tRunning\n      Started:\t%s", title, date(s.StartedAt))
	case api.Terminated:
		d.line("    %s:\tTerminated", title)
		d.given("      Reason", s.Reason)
		d.given("      Message", s.Message)
		d.line("      Exit Code:\t%d\n      Started:\t%s\n      Finished:\t%s", s.ExitCode, date(s.StartedAt), date(s.FinishedAt))
	default:
		d.line("    %s:\tWaiting", title)
		d.given("      Reason", s.Reason)
	}
}

// node adds a node with its pods and their requests.
//
// Simplified: nodes have no lease; its block is left out.
func (d *description) node(o *api.Node) {
	d.line("Name:\t%s", o.Name)
	d.line("Roles:\t%s", print.NodeRoles(o))
	d.labelled(o)
	d.line("CreationTimestamp:\t%s", date(o.CreationTimestamp))
	d.multi("Taints", taintTexts(o.Spec.Taints))
	d.line("Unschedulable:\t%t", o.Spec.Unschedulable)
	heading := "Conditions:\n  Type\tStatus\tLastHeartbeatTime\tLastTransitionTime\tReason\tMessage\n" +
		"  ----\t------\t-----------------\t------------------\t------\t-------"
	d.conditions(heading, o.Status.Conditions, func(c *api.Condition) {
		d.line("  %s \t%s \t%s \t%s \t%s \t%s", c.Type, c.Status, date(print.Heartbeat(c)), date(c.LastTransitionTime), c.Reason, c.Message)
	})
	d.line("Addresses:\n  InternalIP:\t%s\n  Hostname:\t%s", api.NodeIP(o.Name), o.Name)
	d.resourceList("", "Capacity", o.Status.Capacity)
	d.resourceList("", "Allocatable", o.Status.Allocatable)
	d.add("System Info:")
	for _, i := range print.NodeInfo(o) {
		d.line("  %s:\t%s", i[0], i[2])
	}
	d.nodePods(o)
}

func taintTexts(taints []api.Taint) []string {
	return sortedTexts(taints, func(t *api.Taint) string { return t.Effect + "," + t.Key }, print.TaintText)
}

func (d *description) resourceList(space, title string, list map[string]api.Quantity) {
	if len(list) == 0 {
		return
	}
	d.add(space + title + ":")
	for _, name := range print.SortedKeys(list) {
		d.line("%s  %s:\t%s", space, name, list[name].String())
	}
}

// nodePods adds the pods on a node that are not finished, and the sums of their requests and limits.
func (d *description) nodePods(o *api.Node) {
	allocatable := o.Status.Allocatable
	if len(allocatable) == 0 {
		allocatable = o.Status.Capacity
	}
	pods := api.Pick(slices.Values(d.All(api.KindPod)), func(pod *api.Pod) bool { return pod.NodeName == o.Name && !pod.Finished() })
	d.line("Non-terminated Pods:\t(%d in total)", len(pods))
	d.add("  Namespace\tName\t\tCPU Requests\tCPU Limits\tMemory Requests\tMemory Limits\tAge\n" +
		"  ---------\t----\t\t------------\t----------\t---------------\t-------------\t---")
	var requests, limits [len(nodeResources)]api.Quantity
	for _, pod := range pods {
		d.line("  %s\t%s\t\t%s\t%s\t%s\t%s\t%s", pod.Namespace, pod.Name,
			share(pod.Spec.Requests("cpu"), allocatable["cpu"]), share(pod.Spec.Limits("cpu"), allocatable["cpu"]),
			share(pod.Spec.Requests("memory"), allocatable["memory"]), share(pod.Spec.Limits("memory"), allocatable["memory"]),
			print.AgeOf(&pod.ObjectMeta, d.now))
		for i, name := range nodeResources {
			requests[i], limits[i] = requests[i].Add(pod.Spec.Requests(name)), limits[i].Add(pod.Spec.Limits(name))
		}
	}
	d.add("Allocated resources:\n  (Total limits may be over 100 percent, i.e., overcommitted.)\n" +
		"  Resource\tRequests\tLimits\n  --------\t--------\t------")
	for i, name := range nodeResources {
		d.line("  %s\t%s\t%s", name, share(requests[i], allocatable[name]), share(limits[i], allocatable[name]))
	}
}

// nodeResources are those whose use is added up.
var nodeResources = [...]string{"cpu", "memory", "ephemeral-storage"}

// share prints an amount and how many percent of the whole it is; of a whole without a limit it is nothing.
func share(q, whole api.Quantity) string {
	percent := int64(0)
	if n := whole.Milli(); n != 0 {
		percent = int64(float64(q.Milli()) / float64(n) * 100)
	}
	return q.String() + " (" + print.Count(int32(percent)) + "%)"
}
