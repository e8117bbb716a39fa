package kubelet

import (
	"cmp"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/sim"
)

// never is later than any time.
const never sim.Time = 1 << 60

// pullCheck is how long a pull with the policy Always takes if the image is on the node, in ms [X].
const pullCheck = 200

// traits is the behaviour of an image with every default filled in (SIM-6).
type traits struct {
	Behaviour
	unreadable error // why the image's name is not valid, or nil
}

// traitsOf returns the behaviour of an image.
func (k *Kubelet) traitsOf(image string) traits {
	t, ok := k.traits[image]
	if !ok {
		t.Behaviour = BehaviourOf(image, k.behaviours)
		t.Pull = cmp.Or(t.Pull, &Range{1000, 3000})
		t.Start = cmp.Or(t.Start, &Range{300, 300})
		t.Ready = cmp.Or(t.Ready, &Range{})
		t.Stop = cmp.Or(t.Stop, &Range{1000, 1000})
		t.ExitCode = cmp.Or(t.ExitCode, 1)
		t.unreadable = api.CheckImage(image)
		k.traits[image] = t
	}
	return t
}
