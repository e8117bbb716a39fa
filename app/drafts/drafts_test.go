package drafts

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// storage is a browser's with a quota.
type storage struct {
	items map[string]string
	quota int
	deaf  bool // it refuses every write
	held  []string
}

func (s *storage) Held() []string { return s.held }

func (s *storage) Load(key string) string { return s.items[key] }
func (s *storage) Keys() []string         { return slices.Sorted(maps.Keys(s.items)) }

func (s *storage) Store(key, value string) bool {
	used := len(key) + len(value)
	for k, v := range s.items {
		if k != key {
			used += len(k) + len(v)
		}
	}
	if s.deaf || s.quota > 0 && used > s.quota {
		return s.items[key] == value // nobody can tell
	}
	s.items[key] = value
	return true
}

func (s *storage) Remove(key string) {
	if !s.deaf {
		delete(s.items, key)
	}
}

// tabs returns shelves of tabs over one storage.
func tabs(n int) (*storage, []*Shelf) {
	st, ids := &storage{items: map[string]string{}}, 0
	var all []*Shelf
	for range n {
		all = append(all, &Shelf{Storage: st, NewID: func() string { ids++; return "id" + strconv.Itoa(ids) }})
	}
	return st, all
}

func names(s *Shelf) string {
	var all []string
	for _, h := range s.List() {
		all = append(all, h.Name)
	}
	return strings.Join(all, ", ")
}

func TestADraftIsKeptAndFoundAgain(t *testing.T) {
	_, tab := tabs(2)
	out := tab[0].Save(Head{Name: "web", At: 5, Curve: "M0 1|M0 2", Link: "l"}, "content", true)
	if out.ID == "" || out.Copied || out.Failed {
		t.Fatalf("saving: %+v", out)
	}
	again := tab[0].Save(Head{ID: out.ID, Name: "web 2", At: 6, Link: "l"}, "more", true)
	if again.ID != out.ID || names(tab[1]) != "web 2" || tab[1].Open(out.ID, false) != "more" {
		t.Errorf("saved again as %+v; the other tab sees %q with %q", again, names(tab[1]), tab[1].Open(out.ID, false))
	}
	tab[1].Save(Head{Name: "other", At: 9}, "x", true)
	if c := tab[1].Candidate("", ""); c == out.ID {
		t.Error("the latest draft is not the candidate of a new tab")
	}
	if c := tab[1].Candidate("", "l"); c != out.ID {
		t.Errorf("the draft of the address is %s, the candidate %s", out.ID, c)
	}
	if c := tab[1].Candidate(out.ID, "nothing"); c != out.ID {
		t.Error("the tab's own draft is not its candidate")
	}
}

// TestTwoTabsDoNotFight: whoever writes later makes a copy, and only of what the person has changed.
func TestTwoTabsDoNotFight(t *testing.T) {
	_, tab := tabs(2)
	id := tab[0].Save(Head{Name: "web", At: 1}, "first", true).ID
	tab[1].Open(id, false)
	tab[0].Save(Head{ID: id, Name: "web", At: 2}, "of the first tab", true)
	if out := tab[1].Save(Head{ID: id, Name: "web", At: 3}, "only the cursor", false); out.ID != id || len(tab[1].List()) != 1 {
		t.Errorf("a cursor that moved: %+v, %s", out, names(tab[1]))
	}
	tab[1].Open(id, false)
	tab[1].Save(Head{ID: id, Name: "web", At: 3}, "of the first tab", false)
	if tab[0].Save(Head{ID: id, Name: "web", At: 2}, "of the first tab", true); len(tab[0].List()) != 1 {
		t.Errorf("looking at a draft in another tab makes a copy: %s", names(tab[0]))
	}
	out := tab[1].Save(Head{ID: id, Name: "web", At: 4}, "of the second tab", true)
	if !out.Copied || out.ID == id || names(tab[0]) != "web (2), web" {
		t.Fatalf("%+v, %s", out, names(tab[0]))
	}
	if a, b := tab[0].Open(id, false), tab[0].Open(out.ID, false); a != "of the first tab" || b != "of the second tab" {
		t.Errorf("the drafts hold %q and %q", a, b)
	}
	tab[0].Save(Head{ID: id, Name: "web", At: 5}, "1", true)
	tab[1].Save(Head{ID: out.ID, Name: "web", At: 6}, "2", true)
	if names(tab[0]) != "web (2), web" {
		t.Errorf("both write on: %s", names(tab[0]))
	}
}

// TestADraftThatIsOpenElsewhere: a tab that opens it later writes over nothing, even if it is the first to write. The tab whose own it
// is writes on, though the browser may still name it among the open ones after a reload.
func TestADraftThatIsOpenElsewhere(t *testing.T) {
	st, tab := tabs(3)
	id := tab[0].Save(Head{Name: "web", At: 1}, "first", true).ID
	st.held = []string{id}
	if got := tab[1].Open(id, false); got != "first" {
		t.Errorf("the second tab sees %q", got)
	}
	if out := tab[1].Save(Head{ID: id, Name: "web", At: 2}, "only the cursor", false); out.ID != id || st.items[keyOf(id)] != "first" {
		t.Errorf("a cursor that moved: %+v, %q", out, st.items[keyOf(id)])
	}
	out := tab[1].Save(Head{ID: id, Name: "web", At: 2}, "second", true)
	if !out.Copied || out.ID == id || st.items[keyOf(id)] != "first" || st.items[keyOf(out.ID)] != "second" {
		t.Errorf("%+v, %q and %q", out, st.items[keyOf(id)], st.items[keyOf(out.ID)])
	}
	if out := tab[1].Save(Head{ID: out.ID, Name: "web (2)", At: 3}, "third", true); out.Copied || st.items[keyOf(out.ID)] != "third" {
		t.Errorf("its own copy: %+v", out)
	}
	tab[2].Open(id, true)
	if out := tab[2].Save(Head{ID: id, Name: "web", At: 4}, "reloaded", true); out.Copied || st.items[keyOf(id)] != "reloaded" {
		t.Errorf("the tab's own draft after a reload: %+v, %q", out, st.items[keyOf(id)])
	}
}

func TestADraftThatAnotherTabRemovedIsSavedAgain(t *testing.T) {
	_, tab := tabs(2)
	id := tab[0].Save(Head{Name: "web", At: 1}, "first", true).ID
	tab[1].Remove(id)
	if out := tab[0].Save(Head{ID: id, Name: "web", At: 2}, "x", false); len(tab[0].List()) != 0 {
		t.Errorf("a cursor brings a removed draft back: %+v", out)
	}
	if out := tab[0].Save(Head{ID: id, Name: "web", At: 3}, "x", true); out.Copied || out.ID == id || names(tab[0]) != "web" {
		t.Errorf("%+v, %s", out, names(tab[0]))
	}
}

func TestTwentyAreKept(t *testing.T) {
	st, tab := tabs(1)
	for i := range 25 {
		tab[0].Save(Head{Name: fmt.Sprint("n", i), At: int64(i)}, "x", true)
	}
	list := tab[0].List()
	if len(list) != Max || list[0].Name != "n24" || list[Max-1].Name != "n5" || len(st.items) != 2*Max {
		t.Errorf("%d drafts in %d items, from %s to %s", len(list), len(st.items), list[0].Name, list[len(list)-1].Name)
	}
}

// TestAFullStorage: the oldest drafts make room; if that does not help, nothing is removed and the earlier content stays.
func TestAFullStorage(t *testing.T) {
	st, tab := tabs(1)
	long := strings.Repeat("x", 1000)
	ids := map[string]string{}
	for i, name := range []string{"a", "b", "c"} {
		ids[name] = tab[0].Save(Head{Name: name, At: int64(i)}, long, true).ID
	}
	st.quota = 3600
	out := tab[0].Save(Head{Name: "d", At: 9}, long, true)
	if out.Failed || strings.Join(out.Dropped, " ") != "a" || tab[0].Open(out.ID, false) != long {
		t.Errorf("%+v with %s", out, names(tab[0]))
	}
	had := names(tab[0])
	out = tab[0].Save(Head{ID: out.ID, Name: "d", At: 10}, strings.Repeat("y", 5000), true)
	if !out.Failed || len(out.Dropped) != 0 || names(tab[0]) != had || tab[0].Open(out.ID, false) != long {
		t.Errorf("what never fits: %+v with %s, had %s", out, names(tab[0]), had)
	}
	st.deaf = true
	out = tab[0].Save(Head{Name: "e", At: 11}, "y", true)
	if !out.Failed || names(tab[0]) != had {
		t.Errorf("a storage that refuses: %+v with %s, had %s", out, names(tab[0]), had)
	}
}

func TestRenameAndRemoveAndPutBack(t *testing.T) {
	_, tab := tabs(1)
	id := tab[0].Save(Head{Name: "web", At: 1}, "x", true).ID
	tab[0].Rename(id, "my bug")
	tab[0].Save(Head{ID: id, Name: "web 2", At: 2}, "y", true)
	if got := names(tab[0]); got != "my bug" {
		t.Errorf("a renamed draft is called %q after a change", got)
	}
	r := tab[0].Take(id)
	if len(tab[0].List()) != 0 {
		t.Error("the removed draft is still there")
	}
	if !tab[0].PutBack(r) || names(tab[0]) != "my bug" || tab[0].Open(id, false) != "y" {
		t.Errorf("put back: %s", names(tab[0]))
	}
}

// TestTheSessionOfEarlierVersions is a draft like any other, and stays where it is.
func TestTheSessionOfEarlierVersions(t *testing.T) {
	st, tab := tabs(1)
	st.items[earlierKey] = "old"
	id := tab[0].Candidate("", "")
	if id != earlierID || tab[0].Open(id, false) != "old" || len(tab[0].List()) != 1 {
		t.Fatalf("candidate %q, %d drafts", id, len(tab[0].List()))
	}
	if out := tab[0].Save(Head{ID: id, Name: "web", At: 3}, "new", true); out.ID != id || out.Copied || st.items[earlierKey] != "new" || names(tab[0]) != "web" {
		t.Errorf("%+v, %s", out, names(tab[0]))
	}
	tab[0].Save(Head{Name: "second", At: 4}, "x", true)
	if names(tab[0]) != "second, web" {
		t.Errorf("drafts: %s", names(tab[0]))
	}
	if r := tab[0].Take(earlierID); len(st.items) != 2 || !tab[0].PutBack(r) || st.items[earlierKey] != "new" {
		t.Errorf("removed and put back: %v", st.Keys())
	}
}

func TestDamagedHeads(t *testing.T) {
	st, tab := tabs(1)
	st.items[headKey+"a"], st.items[contentKey+"a"] = "{", "x"
	st.items[headKey+"b"] = "null"
	for _, h := range tab[0].List() {
		if h.ID == "a" {
			t.Error("a damaged head is listed")
		}
	}
	if got := tab[0].Open("b", false); got != "" {
		t.Errorf("a head without content opens %q", got)
	}
}

// TestForgedDrafts: of thousands of heads only some are read, saving removes others, and no time is later than now.
func TestForgedDrafts(t *testing.T) {
	st, tab := tabs(1)
	tab[0].Now = func() int64 { return 1000 }
	for i := range 9000 {
		st.items[fmt.Sprintf("%sforged%04d", headKey, i)] = fmt.Sprintf(`{"name": "forged", "at": %d}`, int64(1)<<62)
		st.items[fmt.Sprintf("%sforged%04d", contentKey, i)] = "x"
	}
	counted := &counting{storage: st}
	tab[0].Storage = counted
	list := tab[0].List()
	if len(list) != 100 || counted.loads > 100 || list[0].At != 1000 {
		t.Errorf("%d drafts with %d reads, the latest at %d", len(list), counted.loads, list[0].At)
	}
	id := tab[0].Save(Head{Name: "mine", At: 1000}, "content", true).ID
	if tab[0].Open(id, false) != "content" || counted.loads > 1000 || len(st.items) >= 18_000 {
		t.Errorf("%d reads, %d items are left", counted.loads, len(st.items))
	}
}

// counting counts the values that are read.
type counting struct {
	*storage
	loads int
}

func (c *counting) Load(key string) string { c.loads++; return c.storage.Load(key) }

// TestAnOpenDraftStays: however old it is, a draft that another tab has open is never removed for others.
func TestAnOpenDraftStays(t *testing.T) {
	st, tab := tabs(1)
	oldest := tab[0].Save(Head{Name: "oldest", At: 1}, "x", true).ID
	st.held = []string{oldest}
	for i := range 2 * Max {
		tab[0].Save(Head{Name: "later", At: int64(2 + i)}, strings.Repeat("x", 100), true)
	}
	if n := len(tab[0].List()); n != Max || tab[0].Open(oldest, false) != "x" {
		t.Errorf("%d drafts, and the open one has %q", n, tab[0].Open(oldest, false))
	}
	st.quota = 0
	for k, v := range st.items {
		st.quota += len(k) + len(v)
	}
	out := tab[0].Save(Head{Name: "large", At: 1000}, strings.Repeat("y", 1000), true)
	if out.Failed || len(out.Dropped) == 0 || slices.Contains(out.Dropped, "oldest") || tab[0].Open(oldest, false) != "x" {
		t.Errorf("in a full storage: %+v", out)
	}
}
