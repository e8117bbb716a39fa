package api

import (
	"encoding/json"
	"strconv"
	"strings"
)

// PodSpec is the spec of a pod: the whole of it as canonical JSON, so that nothing a person pasted is lost, and
// beside it the fields that the simulation reads. Its defaults are filled in. It is immutable.
type PodSpec struct {
	text  string // all fields, after defaulting, as the API server prints them, with sorted keys
	canon string // the same with quantities in one spelling: what equality and the hash look at

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

// ContainerPort is a port that a container listens on, and perhaps one of its node that leads there.
type ContainerPort struct {
	HostIP        string `json:"hostIP"`
	HostPort      int32  `json:"hostPort"`
	ContainerPort int32  `json:"containerPort"`
	Protocol      string `json:"protocol"`
}

// ResourceRequirements is what a container asks for, and what it may use at most.
type ResourceRequirements struct {
	Requests map[string]Quantity `json:"requests"`
	Limits   map[string]Quantity `json:"limits"`
}

// Request returns what a container asks for of a resource: in a pod, requests default to limits (G-31).
func (r *ResourceRequirements) Request(resource string) (q Quantity, ok bool) {
	if q, ok = r.Requests[resource]; ok {
		return q, true
	}
	q, ok = r.Limits[resource]
	return q, ok
}

// Probe is a check that the kubelet makes from time to time (G-20). Its numbers are defaulted, so that only
// InitialDelaySeconds can be 0.
type Probe struct {
	Kind                          string `json:"-"` // httpGet, tcpSocket, exec or grpc; empty if none is given
	InitialDelaySeconds           int32  `json:"initialDelaySeconds"`
	TimeoutSeconds                int32  `json:"timeoutSeconds"`
	PeriodSeconds                 int32  `json:"periodSeconds"`
	SuccessThreshold              int32  `json:"successThreshold"`
	FailureThreshold              int32  `json:"failureThreshold"`
	TerminationGracePeriodSeconds *int64 `json:"terminationGracePeriodSeconds"` // nil: the pod's
}

// UnmarshalJSON reads a probe and finds out its kind.
func (p *Probe) UnmarshalJSON(b []byte) error {
	type plain Probe
	if err := json.Unmarshal(b, (*plain)(p)); err != nil {
		return err
	}
	var handlers map[string]json.RawMessage
	if err := json.Unmarshal(b, &handlers); err != nil {
		return err
	}
	for _, kind := range []string{"exec", "httpGet", "tcpSocket", "grpc"} {
		if _, ok := handlers[kind]; ok {
			p.Kind = kind
			break
		}
	}
	return nil
}

// Lifecycle holds the hooks of a container that the simulation reads.
type Lifecycle struct {
	PreStop *PreStop `json:"preStop"` // nil: there is none
}

// PreStop is the hook that runs before a container is told to stop (G-30a).
//
// Simplified: of a hook only the time is known that it sleeps; every other hook ends at once.
type PreStop struct {
	SleepSeconds int64
}

// UnmarshalJSON reads the hook: a sleep, or a command that only sleeps.
func (p *PreStop) UnmarshalJSON(b []byte) error {
	var v struct {
		Sleep *struct{ Seconds int64 }
		Exec  *struct{ Command []string }
	}
	if err := json.Unmarshal(b, &v); err != nil {
		return err
	}
	switch {
	case v.Sleep != nil:
		p.SleepSeconds = v.Sleep.Seconds
	case v.Exec != nil:
		p.SleepSeconds = sleepSeconds(v.Exec.Command)
	}
	return nil
}

// sleepSeconds returns the seconds of `sleep 5` or `sh -c "sleep 5"`, with any path before the words; 0 for any other
// command. A fraction of a second is rounded up.
func sleepSeconds(command []string) int64 {
	if len(command) == 3 && command[1] == "-c" {
		switch baseName(command[0]) {
		case "sh", "bash", "ash", "dash":
			command = strings.Fields(command[2])
		}
	}
	if len(command) != 2 || baseName(command[0]) != "sleep" {
		return 0
	}
	q, err := strconv.ParseFloat(strings.TrimSuffix(command[1], "s"), 64)
	if err != nil || !(q > 0) || q > 1e9 {
		return 0
	}
	n := int64(q)
	if float64(n) < q {
		n++
	}
	return n
}

func baseName(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

var podSpecType = valueType{kind: structValue, name: "PodSpec"}

// newPodSpec makes a spec of a tree that has its defaults.
func newPodSpec(tree map[string]any) *PodSpec {
	pruned, _ := prune(&podSpecType, tree)
	s := &PodSpec{text: string(appendTree(nil, pruned, false)), canon: string(appendTree(nil, pruned, true))}
	if err := json.Unmarshal([]byte(s.text), (*podSpecView)(s)); err != nil {
		panic("api: a checked pod spec cannot be read: " + err.Error())
	}
	return s
}

// podSpecView is PodSpec without its UnmarshalJSON.
type podSpecView PodSpec

// tree returns the spec as a tree of its own.
func (s *PodSpec) tree() map[string]any {
	tree, err := readTree("PodSpec", []byte(s.jsonText()))
	if err != nil {
		panic("api: a pod spec's own text cannot be read: " + err.Error())
	}
	return tree
}

// WithTolerations returns the spec with other tolerations.
func (s *PodSpec) WithTolerations(tolerations []Toleration) *PodSpec {
	list := make([]any, len(tolerations))
	for i := range tolerations {
		t := &tolerations[i]
		item := map[string]any{"key": t.Key, "operator": t.Operator, "value": t.Value, "effect": t.Effect}
		if t.TolerationSeconds != nil {
			item["tolerationSeconds"] = *t.TolerationSeconds
		}
		list[i] = item
	}
	tree := s.tree()
	tree["tolerations"] = list
	return newPodSpec(tree)
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

// UnmarshalJSON reads a spec strictly and fills in its defaults.
func (s *PodSpec) UnmarshalJSON(b []byte) error {
	tree, err := readTree("PodSpec", b)
	if err != nil {
		return err
	}
	defaultPodSpec(tree)
	*s = *newPodSpec(tree)
	return nil
}

// Equal compares specs as the API server does: quantities by value, nil and empty collections being the same. It is
// called for every ReplicaSet in every sync, nearly always with the same pointer.
func (s *PodSpec) Equal(o *PodSpec) bool {
	if s == o {
		return true
	}
	return s != nil && o != nil && s.canon == o.canon
}
