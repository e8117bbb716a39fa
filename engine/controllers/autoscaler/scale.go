package autoscaler

import (
	"errors"
	"fmt"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
)

// errNoScale is the server's answer for a kind without the scale subresource.
var errNoScale = errors.New("the server could not find the requested resource")

// scale reads the target from the server, not from the cache (HPA-10).
func (l *look) scale() (api.Scalable, error) {
	ref := &l.hpa.Spec.ScaleTargetRef
	group, _, _ := strings.Cut(ref.APIVersion, "/")
	key := l.hpa.Target()
	switch {
	case group == "apps" && (key.Kind == api.KindDaemonSet || key.Kind == api.KindControllerRevision):
		return nil, errNoScale
	case group != "apps" || key.Kind != api.KindDeployment && key.Kind != api.KindReplicaSet && key.Kind != api.KindStatefulSet:
		return nil, fmt.Errorf("no matches for kind %q in group %q", ref.Kind, group)
	}
	o, err := l.client.Get(key)
	return api.As[api.Scalable](o), err
}

// write changes the number of replicas.
func (l *look) write(target api.Scalable, desired int32) error {
	o := api.Copy(target)
	o.SetReplicas(desired)
	_, err := l.client.Update(o, fmt.Sprintf("scaled from %d to %d", target.Replicas(), desired), l.why)
	return err
}
