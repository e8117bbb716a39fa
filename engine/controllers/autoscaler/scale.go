package autoscaler

import (
	"errors"
	"fmt"
	"sort"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
)

// scale is the scale subresource of a target: spec.replicas and the selector.
type scale struct {
	object   api.Object
	replicas int32
	selector *api.LabelSelector
}

// errNoScale is the server's answer for a kind without the scale subresource.
var errNoScale = errors.New("the server could not find the requested resource")

// scale reads the scale of the target from the server, not from the cache (HPA-10).
func (l *look) scale() (*scale, error) {
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
	if err != nil {
		return nil, err
	}
	s := &scale{object: o}
	switch o := o.(type) {
	case *api.Deployment:
		s.replicas, s.selector = *o.Spec.Replicas, o.Spec.Selector
	case *api.ReplicaSet:
		s.replicas, s.selector = *o.Spec.Replicas, o.Spec.Selector
	case *api.StatefulSet:
		s.replicas, s.selector = *o.Spec.Replicas, o.Spec.Selector
	}
	return s, nil
}

// write changes the number of replicas.
func (l *look) write(s *scale, desired int32) error {
	o := s.object.Copy()
	switch o := o.(type) {
	case *api.Deployment:
		o.Spec.Replicas = &desired
	case *api.ReplicaSet:
		o.Spec.Replicas = &desired
	case *api.StatefulSet:
		o.Spec.Replicas = &desired
	}
	_, err := l.client.Update(o, fmt.Sprintf("scaled from %d to %d", s.replicas, desired), l.why)
	return err
}

// selectorText formats a selector as the scale subresource does: app=web,tier in (back,front).
func selectorText(s *api.LabelSelector) string {
	var list []string
	for k, v := range s.MatchLabels {
		list = append(list, k+"="+v)
	}
	for i := range s.MatchExpressions {
		e := &s.MatchExpressions[i]
		values := append([]string(nil), e.Values...)
		sort.Strings(values)
		in := " (" + strings.Join(values, ",") + ")"
		list = append(list, map[string]string{"In": e.Key + " in" + in, "NotIn": e.Key + " notin" + in, "Exists": e.Key, "DoesNotExist": "!" + e.Key}[e.Operator])
	}
	sort.Strings(list)
	return strings.Join(list, ",")
}
