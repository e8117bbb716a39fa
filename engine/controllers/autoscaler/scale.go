package autoscaler

import (
	"errors"
	"fmt"
	"sort"
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
	if err != nil {
		return nil, err
	}
	return o.(api.Scalable), nil
}

// write changes the number of replicas.
func (l *look) write(target api.Scalable, desired int32) error {
	o := api.Copy(target)
	o.SetReplicas(desired)
	_, err := l.client.Update(o, fmt.Sprintf("scaled from %d to %d", target.Replicas(), desired), l.why)
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
