package app

import (
	"fmt"

	"github.com/rollplay/rollplay/engine/past"
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
	tile, ok := s.run.Past().Pod(key, s.cursor.Record, s.cursor.T)
	if !ok {
		return nil
	}
	namespace, name := namespaceOfKey(key), nameOfKey(key)
	in, words := inNamespace("Pod/"+key), s.lang.podWords()
	c := &podCard{
		Key: key, Name: name, State: words[tile.State], Facts: podFacts(s.lang, tile), Record: -1,
		Delete: deletePodLine(namespace, name), Crash: "crash pod/" + name + in,
		Fail: "fail-readiness pod/" + name + in, Restore: "restore-readiness pod/" + name + in,
	}
	if r, ok := p.pods.ranks[key]; ok {
		c.Rank = rankText(s.lang, r)
	}
	for _, part := range s.run.Past().PodLife(key) {
		title := fmt.Sprintf("%s – %s: %s", clock(part.From), clock(part.To), words[part.State])
		c.Life = append(c.Life, lifePart{From: part.From, To: part.To, State: part.State.String(), Title: title})
		if part.From <= s.cursor.T {
			c.Record = part.Record
		}
	}
	return c
}

// podWords says what each state means. Who draws many pods asks once for all of them.
func (l lang) podWords() (words [past.PodStates]string) {
	for i := range words {
		words[i] = l.say(message("is-" + past.PodState(i).String()))
	}
	return words
}

func podFacts(l lang, t past.PodTile) string {
	node := t.Node
	if node == "" {
		node = l.say("no-node")
	}
	return node + " · " + l.count(t.Restarts, "one-restart", "n-restarts")
}

func rankText(l lang, r podRank) string {
	if r.why == "" {
		return l.say("rank", r.place, r.of)
	}
	return l.say("rank-why", r.place, r.of, r.why)
}

// podStates tells JavaScript the names of the states by their numbers: they stand in data-state, and in the keys of their
// messages.
func podStates() []string {
	all := make([]string, past.PodStates)
	for i := range all {
		all[i] = past.PodState(i).String()
	}
	return all
}

// A pod or a ReplicaSet is named namespace/name.
func namespaceOfKey(key string) string { return part(key, 0) }
func nameOfKey(key string) string      { return part(key, 1) }
