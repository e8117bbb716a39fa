package api

import (
	"errors"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// PodSpec is the spec of a pod: the whole of it as a tree and as canonical JSON, so that nothing of a pasted manifest is
// lost, and beside it the fields that the simulation reads. Its defaults are filled in. It is immutable.
type PodSpec struct {
	tree  map[string]any // all fields, after defaulting
	text  string         // the same as the API server prints it, with sorted keys
	canon string         // the same with quantities in one spelling: what equality and the hash look at

	InitContainers                []Container       `json:"initContainers"`
	Containers                    []Container       `json:"containers"`
	TerminationGracePeriodSeconds int64             `json:"terminationGracePeriodSeconds"`
	RestartPolicy                 string            `json:"restartPolicy"`
	NodeName                      string            `json:"nodeName"`
	NodeSelector                  map[string]string `json:"nodeSelector"`
	Affinity                      *Affinity         `json:"affinity"`
	Tolerations                   []Toleration      `json:"tolerations"`
	HostNetwork                   bool              `json:"hostNetwork"`
	Volumes                       []Volume          `json:"volumes"`

	TopologySpreadConstraints []TopologySpreadConstraint `json:"topologySpreadConstraints"`
	ReadinessGates            []ReadinessGate            `json:"readinessGates"`
}

// ReadinessGate is a condition that others set, without which the pod is not Ready.
type ReadinessGate struct {
	ConditionType string `json:"conditionType"`
}

// Gates returns the condition of each readiness gate among those that are set, with an empty status where there is none.
func (s *PodSpec) Gates(set []Condition) (list []Condition) {
	for _, g := range s.ReadinessGates {
		c := Condition{Type: g.ConditionType}
		if found := FindCondition(set, g.ConditionType); found != nil {
			c = *found
		}
		list = append(list, c)
	}
	return list
}

// IsBalancers says whether the condition is that of aws-load-balancer-controller: a health check of its target has passed.
func (g ReadinessGate) IsBalancers() bool {
	return strings.HasPrefix(g.ConditionType, "target-health.")
}

// Volume is the part of a volume that the simulation reads.
type Volume struct {
	Name     string    `json:"name"`
	EmptyDir *struct{} `json:"emptyDir"` // it is lost with the pod
}

// Container is the part of a container that the simulation reads.
type Container struct {
	Name            string               `json:"name"`
	Image           string               `json:"image"`
	ImagePullPolicy string               `json:"imagePullPolicy"`
	RestartPolicy   string               `json:"restartPolicy"` // Always makes an init container a sidecar
	Resources       ResourceRequirements `json:"resources"`
	StartupProbe    *Probe               `json:"startupProbe"`
	LivenessProbe   *Probe               `json:"livenessProbe"`
	ReadinessProbe  *Probe               `json:"readinessProbe"`
	Lifecycle       *Lifecycle           `json:"lifecycle"`
	Ports           []ContainerPort      `json:"ports"`
}

// LacksPort reports whether a probe names a port that the container does not declare.
func (c *Container) LacksPort(probe *Probe) bool {
	return probe.PortName != "" && !c.HasPort(probe.PortName)
}

// HasPort reports whether the container declares a port with a name.
func (c *Container) HasPort(name string) bool {
	return slices.ContainsFunc(c.Ports, func(p ContainerPort) bool { return p.Name == name })
}

// Serving returns the container that answers on one of some ports: the first that declares one, sidecars last.
//
// Simplified: if none does, the first container; declared says which.
func (s *PodSpec) Serving(ports []EndpointPort) (c *Container, declared bool) {
	on := func(q ContainerPort) bool {
		return slices.ContainsFunc(ports, func(p EndpointPort) bool { return p.Port == q.ContainerPort && p.Protocol == q.Protocol })
	}
	for i := range s.Containers {
		if c = &s.Containers[i]; slices.ContainsFunc(c.Ports, on) {
			return c, true
		}
	}
	for i := range s.InitContainers {
		if c = &s.InitContainers[i]; c.IsSidecar() && slices.ContainsFunc(c.Ports, on) {
			return c, true
		}
	}
	return &s.Containers[0], false
}

// IsSidecar says of an init container whether it keeps running beside the containers.
func (c *Container) IsSidecar() bool { return c.RestartPolicy == "Always" }

// ContainerPort is a port that a container listens on, and perhaps one of its node that leads there.
type ContainerPort struct {
	Name          string `json:"name"`
	HostIP        string `json:"hostIP"`
	HostPort      int32  `json:"hostPort"`
	ContainerPort int32  `json:"containerPort"`
	Protocol      string `json:"protocol"`
}

// ResourceRequirements is what a container requests, and its limits.
type ResourceRequirements struct {
	Requests map[string]Quantity `json:"requests"`
	Limits   map[string]Quantity `json:"limits"`
}

// Request returns the request of a container for a resource: in a pod, requests default to limits (G-31).
func (r *ResourceRequirements) Request(resource string) (q Quantity, ok bool) {
	if q, ok = r.Requests[resource]; !ok {
		q, ok = r.Limits[resource]
	}
	return q, ok
}

// Probe is a check that the kubelet repeats (G-20). Its numbers have their defaults, so only InitialDelaySeconds can be 0.
type Probe struct {
	Kind                          string `json:"-"` // httpGet, tcpSocket, exec or grpc; empty without a handler
	PortName                      string `json:"-"` // of a port that the container must declare; empty for a number
	InitialDelaySeconds           int32  `json:"initialDelaySeconds"`
	TimeoutSeconds                int32  `json:"timeoutSeconds"`
	PeriodSeconds                 int32  `json:"periodSeconds"`
	SuccessThreshold              int32  `json:"successThreshold"`
	FailureThreshold              int32  `json:"failureThreshold"`
	TerminationGracePeriodSeconds *int64 `json:"terminationGracePeriodSeconds"` // nil: the pod's
}

// ReadTree sets the kind and the name of the port.
func (p *Probe) ReadTree(f Fields) {
	for _, kind := range []string{"exec", "httpGet", "tcpSocket", "grpc"} {
		if handler := f.Object(kind); handler != nil {
			port, _ := handler["port"].(IntOrString)
			p.Kind, p.PortName = kind, port.Str
			return
		}
	}
}

// Lifecycle holds the hooks of a container that the simulation reads.
type Lifecycle struct {
	PreStop *PreStop `json:"preStop"` // nil: no hook
}

// PreStop is the hook that runs before a container gets its stop signal (G-30a).
//
// Simplified: a hook takes the time that it sleeps first; everything else in it takes none.
type PreStop struct {
	SleepSeconds int64
	More         bool // it does something else, too
}

// ReadTree reads a hook that sleeps, or whose command does.
func (p *PreStop) ReadTree(f Fields) {
	if sleep := f.Object("sleep"); sleep != nil {
		p.SleepSeconds = sleep.Number("seconds")
		return
	}
	p.SleepSeconds, p.More = sleepSeconds(f.Object("exec").Texts("command"))
}

// sleepSeconds returns the seconds of `sleep 5` or `sh -c "sleep 5; nginx -s quit"`, with any path before the words, and whether there is more. It is
// 0 for any other command, and for a sleep in the background. A fraction of a second is rounded up.
func sleepSeconds(command []string) (seconds int64, more bool) {
	if len(command) == 3 && strings.HasPrefix(command[1], "-") && strings.HasSuffix(command[1], "c") {
		switch baseName(command[0]) {
		case "sh", "bash", "ash", "dash":
			script := strings.Trim(command[2], "; \t\n")
			end := strings.IndexAny(script+";", ";&|\n")
			rest := script[end:]
			if more = rest != ""; strings.HasPrefix(rest, "&") && !strings.HasPrefix(rest, "&&") {
				return 0, true
			}
			command = strings.Fields(script[:end])
		}
	}
	if len(command) != 2 || baseName(command[0]) != "sleep" {
		return 0, true
	}
	number := strings.TrimRight(command[1], "smh")
	unit, known := units[command[1][len(number):]]
	q, err := strconv.ParseFloat(number, 64)
	if q *= unit; !known || err != nil || !(q > 0) || q > 1e9 {
		return 0, true
	}
	return int64(math.Ceil(q)), more
}

// units are the letters behind a number of sleep, in seconds.
var units = map[string]float64{"": 1, "s": 1, "m": 60, "h": 3600}

func baseName(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

// NewPodSpec completes a spec whose exported fields were read from a tree. The tree has its defaults and leaves out what
// means the same as its absence. Do not change either of them afterwards.
func NewPodSpec(view *PodSpec, tree map[string]any) *PodSpec {
	view.tree, view.text, view.canon = tree, string(AppendTree(nil, tree, false)), string(AppendTree(nil, tree, true))
	return view
}

// Tree returns all fields of the spec. The caller does not change them.
func (s *PodSpec) Tree() Fields {
	if s == nil {
		return nil
	}
	return s.tree
}

// ContainersOf returns the containers of a spec's tree, those that initialise first.
func ContainersOf(spec Fields) []Fields {
	return append(spec.Items("initContainers"), spec.Items("containers")...)
}

// WithTolerations returns the spec with other tolerations.
func (s *PodSpec) WithTolerations(tolerations []Toleration) *PodSpec {
	list := make([]any, len(tolerations))
	for i := range tolerations {
		list[i], _ = ReadJSON(JSON(&tolerations[i]), true) // its own JSON
	}
	view, tree := *s, maps.Clone(s.tree)
	view.Tolerations, tree["tolerations"] = tolerations, list
	return NewPodSpec(&view, tree)
}

// withImage returns the fields of the spec with another image for the containers of a name, or for all if that is "*".
func (s *PodSpec) withImage(container, image string) (view PodSpec, found, changed bool) {
	view = *s
	view.tree = maps.Clone(s.tree)
	for name, list := range map[string]*[]Container{"initContainers": &view.InitContainers, "containers": &view.Containers} {
		*list = slices.Clone(*list)
		items, _ := view.tree[name].([]any)
		items = slices.Clone(items)
		for i := range *list {
			c := &(*list)[i]
			if container != "*" && container != c.Name {
				continue
			}
			found, changed = true, changed || c.Image != image
			item := maps.Clone(items[i].(map[string]any))
			c.Image, item["image"], items[i] = image, image, item
			if image == "" {
				delete(item, "image")
			}
		}
		if len(items) > 0 {
			view.tree[name] = items
		}
	}
	return view, found, changed
}

// jsonText is text, for a spec that may be nil.
func (s *PodSpec) jsonText() string {
	if s == nil {
		return "{}"
	}
	return s.text
}

// MarshalJSON returns the spec as the API server stores it.
func (s *PodSpec) MarshalJSON() ([]byte, error) { return []byte(s.jsonText()), nil }

// Size returns roughly how much memory the spec takes: its texts, and about three times as much for its tree.
func (s *PodSpec) Size() int { return len(s.text) + 4*len(s.canon) }

// errDecode keeps encoding/json from reading a template or a spec without defaults: package decode reads them.
var errDecode = errors.New("api: pod templates and specs are read by package decode")

// UnmarshalJSON returns errDecode.
func (s *PodSpec) UnmarshalJSON([]byte) error { return errDecode }

// Equal compares specs as the API server does: quantities by value, nil and empty collections being the same. It is
// called for every ReplicaSet in every sync, nearly always with the same pointer.
func (s *PodSpec) Equal(o *PodSpec) bool {
	if s == o {
		return true
	}
	return s != nil && o != nil && s.canon == o.canon
}

// Requests returns how much of a resource, such as cpu, a pod of this spec takes on a node. Init containers run one
// after the other and before the rest, so only the largest of them counts, on top of the sidecars already running.
//
// Example: containers with 200m and 100m, sidecar 50m, then an init container with 500m: max(50m + 500m, 50m + 300m) = 550m.
// (component-helpers/resource/helpers.go:PodRequests)
func (s *PodSpec) Requests(resource string) Quantity { return s.RequestsOr(resource, Quantity{}) }

// RequestsOr is Requests with an amount for each container that does not say how much it requests.
func (s *PodSpec) RequestsOr(resource string, missing Quantity) Quantity {
	return s.total(func(r *ResourceRequirements) Quantity {
		if q, ok := r.Request(resource); ok {
			return q
		}
		return missing
	})
}

// Needs returns how much a pod of this spec takes of a node: thousandths of a core, bytes, and one pod.
func (s *PodSpec) Needs() [3]int64 {
	cpu, memory := s.Requests("cpu"), s.Requests("memory")
	return [...]int64{cpu.Milli(), memory.Value(), 1}
}

// Limits returns how much of a resource a pod of this spec may use at most, counted like Requests.
func (s *PodSpec) Limits(resource string) Quantity {
	return s.total(func(r *ResourceRequirements) Quantity { return r.Limits[resource] })
}

func (s *PodSpec) total(of func(*ResourceRequirements) Quantity) Quantity {
	var sum, sidecars, init Quantity
	for i := range s.Containers {
		sum = sum.Add(of(&s.Containers[i].Resources))
	}
	for i := range s.InitContainers {
		c := &s.InitContainers[i]
		q := sidecars.Add(of(&c.Resources))
		if c.IsSidecar() {
			sidecars = q
		}
		if q.Cmp(init) > 0 {
			init = q
		}
	}
	if sum = sum.Add(sidecars); sum.Cmp(init) < 0 {
		return init
	}
	return sum
}
