package compare

import (
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	policyclient "k8s.io/client-go/kubernetes/typed/policy/v1"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/oracle/conformance/convert"
	"github.com/rollplay/rollplay/engine/oracle/conformance/upstream"
	"github.com/rollplay/rollplay/engine/sim"
)

// evictions lets the real handler answer every eviction before the engine does, on the same stored objects, and compares
// the answers and the writes in their order.
type evictions struct {
	store     *sim.Store
	server    *upstream.Server
	converter *convert.Converter
	budgets   policyclient.PodDisruptionBudgetsGetter
	evictor   *upstream.Evictor // made for the first eviction

	theirs upstream.Answer
	wrote  []upstream.Action
	begun  int // where the engine's writes begin in the log
	count  int
}

// begins lets the real handler decide.
func (e *evictions) begins(key api.Key, opts apiserver.EvictOptions) {
	if e.evictor == nil {
		e.evictor = upstream.NewEvictor(e.server, e.budgets)
	}
	e.server.Begin()
	e.theirs = e.evictor.Evict(key, opts)
	e.wrote, e.begun = onceEach(e.server.TakeActions()), len(e.store.Log)
	e.count++
}

// ends compares the engine's decision. It returns what differs, "" if nothing does.
func (e *evictions) ends(err error) (what, ours, theirs string) {
	if a := ourAnswer(err); a != e.theirs {
		return "answers", a.String(), e.theirs.String()
	}
	wrote := e.ourWrites()
	if a, b := list(wrote), list(e.wrote); a != b {
		return "actions", a, b
	}
	for i := range wrote {
		if what, ours, theirs = storedDifference(&wrote[i], &e.wrote[i]); what != "" {
			return what, ours, theirs
		}
	}
	return "", "", ""
}

// ourAnswer returns the engine's error as the API server would answer it.
func ourAnswer(err error) upstream.Answer {
	var s *api.StatusError
	switch {
	case err == nil:
		return upstream.Answer{Code: http.StatusCreated}
	case !errors.As(err, &s):
		return upstream.Answer{Message: err.Error()}
	}
	a := upstream.Answer{Code: codes[s.Reason], Reason: string(s.Reason), Message: s.Message, Retry: s.RetryAfterSeconds}
	if s.Cause != "" {
		a.Causes = "DisruptionBudget: " + s.Cause
	}
	return a
}

// codes are the HTTP codes of the reasons for which an eviction can fail.
var codes = map[api.Reason]int32{"": http.StatusInternalServerError, api.ReasonNotFound: http.StatusNotFound,
	api.ReasonTooManyRequests: http.StatusTooManyRequests, api.ReasonForbidden: http.StatusForbidden}

// ourWrites lists what the engine has stored since the eviction began.
func (e *evictions) ourWrites() (list []upstream.Action) {
	for i := e.begun; i < len(e.store.Log); i++ {
		c := &e.store.Log[i]
		a := upstream.Action{What: "update", About: c.Object().Key(), Object: e.converter.Convert(c.Object())}
		if c.New == nil {
			a.What = "delete"
		}
		list = append(list, a)
	}
	return list
}

// onceEach drops the write before a deletion without a grace period: the real registry stores the terminating pod first and
// then removes it. The engine removes it at once (the simplification at its deletePod).
func onceEach(actions []upstream.Action) (list []upstream.Action) {
	for i, a := range actions {
		pod, ok := a.Object.(*corev1.Pod)
		now := ok && pod.DeletionGracePeriodSeconds != nil && *pod.DeletionGracePeriodSeconds == 0
		if a.What == "update" && now && i+1 < len(actions) && actions[i+1].What == "delete" {
			continue
		}
		list = append(list, a)
	}
	return list
}

// storedDifference compares what two writes have stored; of a removed pod, its last status.
func storedDifference(ours, theirs *upstream.Action) (what, a, b string) {
	x, y := settled(ours), settled(theirs)
	if equality.Semantic.DeepEqual(x, y) {
		return "", "", ""
	}
	path, a, b := firstDifference("", reflect.ValueOf(x).Elem(), reflect.ValueOf(y).Elem())
	return fmt.Sprintf("%s of the stored %s", strings.TrimPrefix(path, "."), ours.About), a, b
}

// settled returns a stored object in the form that can be compared.
func settled(a *upstream.Action) convert.Object {
	o := a.Object.DeepCopyObject().(convert.Object)
	if pod, ok := o.(*corev1.Pod); ok {
		pod = convert.Defaulted(pod)
		if a.What == "delete" {
			pod.DeletionTimestamp, pod.DeletionGracePeriodSeconds, pod.Generation = nil, nil, 0
		}
		o = pod
	}
	o.SetResourceVersion("")
	return o
}
