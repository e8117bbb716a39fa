// Package drafts keeps what people make in the browser's storage: the last twenty, each by itself. It knows nothing of what a
// draft holds.
//
// Each draft has two keys of its own, one for its head and one for its content, and there is no list that all of them share. So
// two tabs never overwrite each other's drafts. If both have the same draft open, the one that opened or writes it later makes a copy.
package drafts

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"unicode/utf8"
)

// Max is how many drafts are kept.
const Max = 20

// ReadMax is how many heads are read at most. A browser's storage has room for thousands that another page of the origin may have written.
const ReadMax = 5 * Max

// Head is what a list shows of a draft.
type Head struct {
	ID      string `json:"-"`
	Name    string `json:"name"`
	Renamed bool   `json:"renamed,omitempty"` // by the person, so the name stays
	At      int64  `json:"at"`                // Unix ms of the last change
	Curve   string `json:"curve,omitempty"`   // see chart.Curve
	Link    string `json:"link,omitempty"`    // a hash of the address that opens it
	Rev     string `json:"rev"`               // of its content: another one with each write
}

// Storage is the browser's. Store says whether the value is kept.
type Storage interface {
	Load(key string) string
	Store(key, value string) bool
	Remove(key string)
	Keys() []string
	Held() []string // drafts that other tabs have open: these stay
}

// Shelf is the drafts as one tab sees them.
type Shelf struct {
	Storage Storage
	NewID   func() string // a random one
	Now     func() int64  // Unix ms; nil if no time is in the future

	revs map[string]string // of the contents that this tab knows, by draft
}

// What the keys begin with.
const (
	headKey    = "rollplay/head/"
	contentKey = "rollplay/draft/"
)

// Earlier versions kept a single session. It is a draft without a head.
const (
	earlierKey = "rollplay/session"
	earlierID  = "earlier"
)

func keyOf(id string) string {
	if id == earlierID {
		return earlierKey
	}
	return contentKey + id
}

// List returns the heads, the latest one first.
func (s *Shelf) List() []Head {
	var list []Head
	keys := s.Storage.Keys()
	for _, key := range keys {
		if id, ok := strings.CutPrefix(key, headKey); ok && len(list) < ReadMax {
			if h, ok := s.Head(id); ok {
				list = append(list, h)
			}
		}
	}
	if slices.Contains(keys, earlierKey) && !slices.ContainsFunc(list, func(h Head) bool { return h.ID == earlierID }) {
		list = append(list, Head{ID: earlierID})
	}
	slices.SortStableFunc(list, func(a, b Head) int { return cmp.Or(cmp.Compare(b.At, a.At), cmp.Compare(a.ID, b.ID)) })
	return list
}

// Head reads one head.
func (s *Shelf) Head(id string) (Head, bool) {
	var h Head
	if id == "" || json.Unmarshal([]byte(s.Storage.Load(headKey+id)), &h) != nil {
		return Head{}, false
	}
	h.ID = id
	if s.Now != nil {
		h.At = min(h.At, s.Now()) // a draft from the future would always be the latest one
	}
	return h, true
}

// Open returns the content of a draft, "" if there is none. From then on this tab writes over that content, and no later one. What
// another tab has open it never writes over, unless the draft is this tab's own.
func (s *Shelf) Open(id string, own bool) string {
	if id == "" {
		return ""
	}
	h, _ := s.Head(id)
	if !own && slices.Contains(s.Storage.Held(), id) {
		h.Rev += " of another tab"
	}
	s.know(id, h.Rev)
	return s.Storage.Load(keyOf(id))
}

func (s *Shelf) know(id, rev string) {
	if s.revs == nil {
		s.revs = map[string]string{}
	}
	s.revs[id] = rev
}

// Outcome is what came of saving a draft.
type Outcome struct {
	ID      string
	Name    string
	Copied  bool     // another tab has changed the draft meanwhile, and this is a copy
	Dropped []string // names of drafts that were removed because the storage is full
	Failed  bool     // the storage is full or refused; an earlier content of the draft stays
}

// Save keeps a draft; without an ID it becomes a new one. changed says that the person has changed it, rather than moved the cursor
// alone: then it is the latest draft, and other tabs that have it open must not overwrite it. Where another tab has changed it
// before, a change makes a copy, and a cursor is not kept.
func (s *Shelf) Save(h Head, content string, changed bool) Outcome {
	old, there := s.Head(h.ID)
	there = there || h.ID == earlierID
	if there && old.Rev == s.revs[h.ID] {
		if old.Renamed {
			h.Name, h.Renamed = old.Name, true
		}
		h.Rev = s.NewID()
		if !changed {
			h.Rev, h.At = old.Rev, old.At
		}
		return s.write(h, content)
	}
	if h.ID != "" && !changed {
		return Outcome{ID: h.ID, Name: old.Name}
	}
	if there {
		h.Name, h.Renamed = old.Name+" (2)", true
	}
	h.ID, h.Rev = s.NewID(), s.NewID()
	out := s.write(h, content)
	out.Copied = there
	if !out.Failed {
		s.dropOldest(h.ID)
	}
	return out
}

func (s *Shelf) write(h Head, content string) Outcome {
	out := Outcome{ID: h.ID, Name: h.Name}
	head := encode(h)
	if out.Failed = !s.put(h.ID, head, content); out.Failed {
		for _, oldest := range s.oldest(h.ID, utf8.RuneCountInString(head)+utf8.RuneCountInString(content)) {
			s.Remove(oldest.ID)
			out.Dropped = append(out.Dropped, oldest.Name)
			if out.Failed = !s.put(h.ID, head, content); !out.Failed {
				break
			}
		}
	}
	if !out.Failed {
		s.know(h.ID, h.Rev)
	}
	return out
}

// put writes both parts, the content first: a head never promises more than there is.
func (s *Shelf) put(id, head, content string) bool {
	return s.Storage.Store(keyOf(id), content) && s.Storage.Store(headKey+id, head)
}

func encode(h Head) string {
	b, err := json.Marshal(h)
	if err != nil {
		panic("drafts: " + err.Error()) // strings and numbers always marshal
	}
	return string(b)
}

// dropOldest removes what is beyond Max, but never a draft that is open.
func (s *Shelf) dropOldest(open string) {
	list, held := s.List(), append(s.Storage.Held(), open)
	for i := len(list) - 1; i >= 0 && len(list) > Max; i-- {
		if !slices.Contains(held, list[i].ID) {
			s.Remove(list[i].ID)
			list = slices.Delete(list, i, i+1)
		}
	}
}

// oldest lists the drafts that may be removed for one that needs some room, the oldest first. There are none if that would not help:
// because all of them together are smaller, or because the storage refuses everything.
func (s *Shelf) oldest(open string, need int) (list []Head) {
	need -= s.size(open)
	held := append(s.Storage.Held(), open)
	for _, h := range slices.Backward(s.List()) {
		if !slices.Contains(held, h.ID) {
			list = append(list, h)
			need -= s.size(h.ID)
		}
	}
	if need > 0 || len(list) == 0 || !s.writable(list[0].ID) {
		return nil
	}
	return list
}

// size is what a draft takes, in characters as browsers count them.
func (s *Shelf) size(id string) int {
	return utf8.RuneCountInString(s.Storage.Load(keyOf(id))) + utf8.RuneCountInString(s.Storage.Load(headKey+id))
}

// writable says whether the storage takes another head of the same length, as a full one does. It puts the head back.
func (s *Shelf) writable(id string) bool {
	was := s.Storage.Load(headKey + id)
	if was == "" {
		return false
	}
	ok := s.Storage.Store(headKey+id, strings.Repeat(" ", len(was)))
	return s.Storage.Store(headKey+id, was) && ok
}

// Rename gives a draft a name that stays.
func (s *Shelf) Rename(id, name string) {
	if h, ok := s.Head(id); ok && name != "" {
		h.Name, h.Renamed = name, true
		s.Storage.Store(headKey+id, encode(h))
	}
}

// Remove removes a draft, the head first.
func (s *Shelf) Remove(id string) {
	s.Storage.Remove(headKey + id)
	s.Storage.Remove(keyOf(id))
}

// Removed is a draft that was removed, for undo.
type Removed struct {
	Head    Head
	Content string
}

// Take removes a draft and returns it.
func (s *Shelf) Take(id string) Removed {
	h, _ := s.Head(id)
	h.ID = id
	r := Removed{Head: h, Content: s.Storage.Load(keyOf(id))}
	s.Remove(id)
	return r
}

// PutBack undoes Take, and says whether there was room.
func (s *Shelf) PutBack(r Removed) bool {
	if !s.put(r.Head.ID, encode(r.Head), r.Content) {
		return false
	}
	s.know(r.Head.ID, r.Head.Rev)
	return true
}

// Candidate is the draft that a visit begins with: that of the tab, the one whose address it is, or the latest one.
func (s *Shelf) Candidate(tab, link string) string {
	if tab != "" && s.Storage.Load(keyOf(tab)) != "" {
		return tab
	}
	list := s.List()
	if len(list) == 0 {
		return ""
	}
	of := slices.IndexFunc(list, func(h Head) bool { return link != "" && h.Link == link })
	return list[max(of, 0)].ID
}
