package main

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
	"github.com/rollplay/rollplay/engine/sim"
)

// evictions lets the real handler answer every eviction before the engine does, on the same stored objects, and compares
// the answers and what was stored in which order.
type evictions struct {
	store   *sim.Store
	server  *server
	budgets policyclient.PodDisruptionBudgetsGetter
	evictor *evictor // made for the first eviction

	theirs answer
	wrote  []action
	begun  int // where the engine's writes begin in the log
	count  int
}

// begins lets the real handler decide.
func (e *evictions) begins(key api.Key, opts apiserver.EvictOptions) {
	if e.evictor == nil {
		e.evictor = newEvictor(e.server, e.budgets)
	}
	e.server.begin()
	e.theirs = e.evictor.evict(key, opts)
	e.wrote, e.begun = onceEach(e.server.actions), len(e.store.Log)
	e.count++
}

// ends compares with what the engine has decided. It returns what differs, "" if nothing does.
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

// ourAnswer is what the engine's error would be on the wire.
func ourAnswer(err error) answer {
	var s *api.StatusError
	switch {
	case err == nil:
		return answer{code: http.StatusCreated}
	case !errors.As(err, &s):
		return answer{message: err.Error()}
	}
	a := answer{code: codes[s.Reason], reason: string(s.Reason), message: s.Message, retry: s.RetryAfterSeconds}
	if s.Cause != "" {
		a.causes = "DisruptionBudget: " + s.Cause
	}
	return a
}

// codes are those of the reasons that an eviction can be refused for.
var codes = map[api.Reason]int32{"": http.StatusInternalServerError, api.ReasonNotFound: http.StatusNotFound,
	api.ReasonTooManyRequests: http.StatusTooManyRequests, api.ReasonForbidden: http.StatusForbidden}

// ourWrites lists what the engine has stored since the eviction began.
func (e *evictions) ourWrites() (list []action) {
	for i := e.begun; i < len(e.store.Log); i++ {
		c := &e.store.Log[i]
		a := action{what: "update", about: c.Object().Key(), object: e.server.converter.convert(c.Object())}
		if c.New == nil {
			a.what = "delete"
		}
		list = append(list, a)
	}
	return list
}

// onceEach drops the write before a deletion without a grace period: the real registry stores a pod that goes in this moment,
// and then takes it out. The engine takes it out (the simplification at its deletePod).
func onceEach(actions []action) (list []action) {
	for i, a := range actions {
		pod, ok := a.object.(*corev1.Pod)
		now := ok && pod.DeletionGracePeriodSeconds != nil && *pod.DeletionGracePeriodSeconds == 0
		if a.what == "update" && now && i+1 < len(actions) && actions[i+1].what == "delete" {
			continue
		}
		list = append(list, a)
	}
	return list
}

// storedDifference compares what two writes have stored. Of a pod that was taken out that is its status.
func storedDifference(ours, theirs *action) (what, a, b string) {
	x, y := settled(ours), settled(theirs)
	if equality.Semantic.DeepEqual(x, y) {
		return "", "", ""
	}
	path, a, b := firstDifference("", reflect.ValueOf(x).Elem(), reflect.ValueOf(y).Elem())
	return fmt.Sprintf("%s of the stored %s", strings.TrimPrefix(path, "."), ours.about), a, b
}

// settled returns what was stored in the form that can be compared.
func settled(a *action) object {
	o := a.object.DeepCopyObject().(object)
	if pod, ok := o.(*corev1.Pod); ok {
		pod = defaulted(pod)
		if a.what == "delete" {
			pod.DeletionTimestamp, pod.DeletionGracePeriodSeconds, pod.Generation = nil, nil, 0
		}
		o = pod
	}
	o.SetResourceVersion("")
	return o
}
