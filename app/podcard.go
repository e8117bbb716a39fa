package app

import (
	"fmt"
	"strings"

	"github.com/rollplay/rollplay/engine"
)

// podCard is what is told of the pod that is pointed at, and what can be done to it.
type podCard struct {
	Key     string     `json:"key"`
	Name    string     `json:"name"`
	State   string     `json:"state"` // in words
	Facts   string     `json:"facts"` // node-1 · 2 restarts
	Rank    string     `json:"rank"`
	Life    []lifePart `json:"life"`
	Record  int        `json:"record"` // that made the state; -1 if none is known
	Delete  string     `json:"delete"` // lines
	Crash   string     `json:"crash"`
	Fail    string     `json:"fail"`
	Restore string     `json:"restore"`
}

// lifePart is a segment of the strip that shows a pod's life.
type lifePart struct {
	From  int64  `json:"from"`
	To    int64  `json:"to"`
	State string `json:"state"`
	Title string `json:"title"`
}

// podCard returns the card of the pod that is pointed at, nil if there is none, or if it is not there at the cursor.
func (p *page) podCard() *podCard {
	s, key := p.s, p.pods.card
	if s.run == nil || key == "" {
		return nil
	}
	tile, ok := s.run.Pod(key, s.cursor.Record, s.cursor.T)
	if !ok {
		return nil
	}
	namespace, name := namespaceOfKey(key), nameOfKey(key)
	in := inNamespace("Pod/" + key)
	c := &podCard{
		Key: key, Name: name, State: podWords[tile.State], Facts: podFacts(tile), Record: -1,
		Delete: deletePodLine(namespace, name), Crash: "crash pod/" + name + in,
		Fail: "fail-readiness pod/" + name + in, Restore: "restore-readiness pod/" + name + in,
	}
	if r, ok := p.pods.ranks[key]; ok {
		c.Rank = rankText(r)
	}
	for _, part := range s.run.PodLife(key) {
		title := fmt.Sprintf("%s – %s: %s", clock(part.From), clock(part.To), podWords[part.State])
		c.Life = append(c.Life, lifePart{From: part.From, To: part.To, State: part.State.String(), Title: title})
		if part.From <= s.cursor.T {
			c.Record = part.Record
		}
	}
	return c
}

// podWords says what each state means.
var podWords = [engine.PodStates]string{
	engine.PodPending:     "pending: on no node yet",
	engine.PodCreating:    "creating: its image is pulled, its containers start",
	engine.PodRunning:     "running, not ready",
	engine.PodReady:       "ready, not yet for minReadySeconds",
	engine.PodAvailable:   "available",
	engine.PodImageError:  "waiting for an image that cannot be had",
	engine.PodCrashLoop:   "crashed, waiting for its restart",
	engine.PodFinished:    "finished",
	engine.PodTerminating: "terminating",
}

func podFacts(t engine.PodTile) string {
	node := t.Node
	if node == "" {
		node = "no node"
	}
	return node + " · " + count(t.Restarts, "restart")
}

func rankText(r podRank) string {
	text := fmt.Sprintf("%d of %d to be deleted", r.place, r.of)
	if r.why != "" {
		text += ", before the next: " + r.why
	}
	return text
}

// podStates tells JavaScript the states by their numbers.
func podStates() []podStateName {
	all := make([]podStateName, engine.PodStates)
	for i := range all {
		name := engine.PodState(i).String()
		all[i] = podStateName{Name: name, Label: strings.ReplaceAll(name, "-", " "), Words: podWords[i]}
	}
	return all
}

// podStateName is how a state is called in data-state, in a legend, and in words.
type podStateName struct {
	Name  string `json:"name"`
	Label string `json:"label"`
	Words string `json:"words"`
}

// A pod or a ReplicaSet is named namespace/name.
func namespaceOfKey(key string) string { return part(key, 0) }
func nameOfKey(key string) string      { return part(key, 1) }
