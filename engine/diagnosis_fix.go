package engine

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/deployment"
)

// command returns a kubectl line about the Deployment, of which a format has the %s for its name.
func (p *patient) command(format string, args ...any) string {
	line := "kubectl " + fmt.Sprintf(format, args...)
	if p.key.Namespace != "default" {
		line += " -n " + p.key.Namespace
	}
	return line
}

// undo returns the command that goes back to the best earlier revision; none if there is no earlier one, or while kubectl
// would refuse. The best one is the youngest that has available pods, or else the youngest.
func (p *patient) undo() []Fix {
	if p.current == nil || p.d.Spec.Paused {
		return nil
	}
	var best *api.ReplicaSet
	second := 0 // what kubectl takes by itself (K-20): the highest revision but one
	for _, rs := range p.sets {
		n := revisionOf(&rs.ObjectMeta)
		if rs == p.current || n == 0 {
			continue
		}
		second = max(second, n)
		if best == nil || better(rs, best) {
			best = rs
		}
	}
	if best == nil {
		return nil
	}
	n := revisionOf(&best.ObjectMeta)
	line := "rollout undo deployment/" + p.key.Name
	if n != second {
		line += " --to-revision=" + strconv.Itoa(n)
	}
	return []Fix{{fmt.Sprintf("Go back to revision %d", n), p.command("%s", line)}}
}

// better says whether one ReplicaSet is better to go back to than another.
func better(a, b *api.ReplicaSet) bool {
	if runs, ran := a.Status.AvailableReplicas > 0, b.Status.AvailableReplicas > 0; runs != ran {
		return runs
	}
	return revisionOf(&a.ObjectMeta) > revisionOf(&b.ObjectMeta)
}

// otherImage returns the command that takes another image for a container: the one without its tag, which stands for
// latest. It is no fix where the scenario lets that fail as well.
func (p *patient) otherImage(container, image string) []Fix {
	name := image
	if base := strings.LastIndexByte(image, '/') + 1; strings.ContainsAny(image[base:], ":@") {
		name = image[:base+strings.IndexAny(image[base:], ":@")]
	}
	if name += ":latest"; name == image || p.d.Spec.Paused {
		return nil
	}
	for i := range p.r.scenario.Images {
		if b := &p.r.scenario.Images[i]; b.Matches(name) {
			if b.PullFails {
				return nil
			}
			break
		}
	}
	line := p.command("set image deployment/%s %s=%s", p.key.Name, container, name)
	return []Fix{{"Take an image that exists, for example latest", line}}
}

// scaleTo returns the command that scales the Deployment to what fits where no more than so many pods do; none if
// nothing fits.
func (p *patient) scaleTo(pods int) []Fix {
	for n := int32(*p.d.Spec.Replicas) - 1; n > 0; n-- {
		if p.needs(n) <= pods {
			return []Fix{{fmt.Sprintf("Scale down to %d, which fits", n), p.scale(n)}}
		}
	}
	return nil
}

func (p *patient) scale(n int32) string {
	return p.command("scale deployment/%s --replicas=%d", p.key.Name, n)
}

// needs returns how many pods there have to be for a moment at a size: in a rolling update the surge, too.
func (p *patient) needs(replicas int32) int {
	if !p.rolling() {
		return int(replicas)
	}
	d := p.d.Shallow()
	d.Spec.Replicas = &replicas
	surge, _ := deployment.Bounds(d)
	return int(replicas + surge)
}
