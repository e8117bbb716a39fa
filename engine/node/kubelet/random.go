package kubelet

import (
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/words"
)

// never is later than any time.
const never sim.Time = 1 << 60

// pullCheck is how long a pull with the policy Always takes if the image is on the node, in ms [X].
const pullCheck = 200

// traits is the behaviour of an image with every default filled in (SIM-6).
type traits struct {
	pull, start, ready, stop Range
	crashAfter               Range
	pullFails, neverReady    bool
	crashes                  bool
	exitCode                 int32
	gate                     *Range
	unreadable               error // why the image's name is not valid, or nil
}

var defaultTraits = traits{
	pull:     Range{1000, 3000},
	start:    Range{300, 300},
	stop:     Range{1000, 1000},
	exitCode: 1,
}

// traitsOf returns the behaviour of an image.
func (k *Kubelet) traitsOf(image string) traits {
	t, ok := k.traits[image]
	if !ok {
		t = defaultTraits
		for i := range k.behaviours {
			if words.Glob(k.behaviours[i].Match, image) {
				t = k.behaviours[i].traits()
				break
			}
		}
		t.unreadable = api.CheckImage(image)
		k.traits[image] = t
	}
	return t
}

func (b *Behaviour) traits() traits {
	t := defaultTraits
	t.pullFails, t.neverReady, t.gate = b.PullFails, b.NeverReady, b.Gate
	for _, f := range []struct {
		from *Range
		to   *Range
	}{{b.Pull, &t.pull}, {b.Start, &t.start}, {b.Ready, &t.ready}, {b.Stop, &t.stop}, {b.CrashAfter, &t.crashAfter}} {
		if f.from != nil {
			*f.to = *f.from
		}
	}
	t.crashes = b.CrashAfter != nil
	if b.ExitCode != 0 {
		t.exitCode = b.ExitCode
	}
	return t
}

// stream is the random numbers for a purpose.
type stream struct {
	*sim.Rand
	purpose string
}

// streams are the kubelet's random numbers, a stream for each purpose.
type streams struct{ pull, start, ready, stop, crash, gate stream }

func newStreams(seed uint64) streams {
	of := func(purpose string) stream { return stream{sim.NewRand(seed, purpose), purpose} }
	return streams{of("kubelet pull"), of("kubelet start"), of("kubelet ready"), of("kubelet stop"), of("kubelet crash"), of("kubelet gate")}
}
