package kubelet

import (
	"slices"

	"github.com/rollplay/rollplay/engine/words"
)

// Range is a duration in ms, drawn for each container: between Min and Max, both included.
type Range struct{ Min, Max int64 }

// Behaviour says how the containers of an image behave. A nil field has the default of SIM-6.
type Behaviour struct {
	Match      string // pattern for the image name, * matches any text; the first matching behaviour counts
	Pull       *Range // how long a pull takes if the image is not on the node
	PullFails  bool   // every pull fails (G-6)
	Start      *Range // from the end of the pull to the running container
	Ready      *Range // from the start of the container until the app answers its probes; no delay by default
	NeverReady bool   // the app never answers its probes
	Stop       *Range // from SIGTERM to the exit
	CrashAfter *Range // from the start of the container to its exit; nil: it never exits
	ExitCode   int32  // of that exit; 1 by default
	Gate       *Range // from the first moment at which all containers are ready until the pod's readiness gates are set; nil: only those of AWS are
}

// BehaviourOf returns the first behaviour that is about an image, the zero Behaviour if none is.
func BehaviourOf(image string, behaviours []Behaviour) (b Behaviour) {
	if i := slices.IndexFunc(behaviours, func(b Behaviour) bool { return words.Glob(b.Match, image) }); i >= 0 {
		b = behaviours[i]
	}
	return b
}
