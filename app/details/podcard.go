package details

import (
	"cmp"
	"fmt"

	"github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/app/cursor"
)

// podCard describes the pod under the pointer, with actions on it.
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

// PodCard returns the card of the pod under the pointer, nil without one or if it does not exist at the cursor.
func (p *Panels) PodCard() *podCard {
	s, key := p.s, p.Pods.Card
	if s.Run() == nil || key == "" {
		return nil
	}
	tile, ok := s.Run().Past().Pod(key, s.Cursor.Record, s.Cursor.T)
	if !ok {
		return nil
	}
	namespace, name := command.KeyNamespace(key), command.Name(key)
	in, words := command.InNamespace("Pod/"+key), s.Lang().PodWords()
	c := &podCard{
		Key: key, Name: name, State: words[tile.State], Record: -1,
		Facts:  cmp.Or(tile.Node, s.Lang().Say("no-node")) + " · " + s.Lang().Count(tile.Restarts, "one-restart", "n-restarts"),
		Delete: command.DeletePod(namespace, name), Crash: "crash pod/" + name + in,
		Fail: "fail-readiness pod/" + name + in, Restore: "restore-readiness pod/" + name + in,
	}
	if r, ok := p.Pods.ranks[key]; ok && r.why == "" {
		c.Rank = s.Lang().Say("rank", r.place, r.of)
	} else if ok {
		c.Rank = s.Lang().Say("rank-why", r.place, r.of, s.Lang().Engine(r.why))
	}
	for _, part := range s.Run().Past().PodLife(key) {
		title := fmt.Sprintf("%s – %s: %s", cursor.Clock(part.From), cursor.Clock(part.To), words[part.State])
		c.Life = append(c.Life, lifePart{From: part.From, To: part.To, State: part.State.String(), Title: title})
		if part.From <= s.Cursor.T {
			c.Record = part.Record
		}
	}
	return c
}
