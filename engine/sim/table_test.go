package sim

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
)

func pod(name, owner string) *api.Pod {
	p := &api.Pod{ObjectMeta: api.ObjectMeta{Namespace: "default", Name: name, UID: "uid-" + name}}
	if owner != "" {
		p.OwnerReferences = []api.OwnerReference{{UID: owner, Controller: true}}
	}
	return p
}

func names(t *Table, owner string) string {
	var out []string
	for o := range t.OwnedBy(owner) {
		out = append(out, o.Key().Name)
	}
	return strings.Join(out, " ")
}

// TestTableOwners: the index by owner keeps the order of creation through adoption, release, removal and compaction.
func TestTableOwners(t *testing.T) {
	var table Table
	for i := range 100 {
		table.Put(pod(fmt.Sprint(i), []string{"even", "odd", ""}[i%3]))
	}
	table.Put(pod("2", "even")) // adopted
	table.Put(pod("0", ""))     // released
	table.Put(pod("3", "even")) // changed, same owner
	for i := 8; i < 100; i++ {
		table.Remove(key(fmt.Sprint(i)))
	}
	for owner, want := range map[string]string{"even": "2 3 6", "odd": "1 4 7", "": "0 5"} {
		if got := names(&table, owner); got != want {
			t.Errorf("owned by %q: %s, want %s", owner, got, want)
		}
	}
	if table.Len() != 8 || len(table.items) >= 100 {
		t.Errorf("%d objects in %d places: removed ones must make room", table.Len(), len(table.items))
	}
	table.Put(pod("0", "even")) // adopted again: it is the oldest
	if got := names(&table, "even"); got != "0 2 3 6" {
		t.Errorf("after another adoption: %s", got)
	}
}

// TestWatch: a change reaches the cache after the watch latency, and then the handlers in order (H-1, SIM-3).
func TestWatch(t *testing.T) {
	k := &Kernel{}
	s := NewStore(k)
	var got []string
	informer := s.Informer(api.KindPod)
	informer.AddHandler(changes{k, &got})
	s.Put(pod("a", ""), Record{})
	s.Put(pod("a", "x"), Record{})
	s.Remove(key("a"), Record{})
	s.Put(pod("b", ""), Record{})
	if informer.Cache.Len() != 0 {
		t.Error("the cache must not know a change at once")
	}
	for k.Step() {
	}
	if s := strings.Join(got, ", "); s != "1 ms a added, 1 ms a modified, 1 ms a deleted, 1 ms b added" {
		t.Errorf("heard: %s", s)
	}
	if len(s.Log) != 4 || len(k.Trace.Records) != 4 || informer.Cache.Len() != 1 {
		t.Errorf("%d changes, %d records, %d cached", len(s.Log), len(k.Trace.Records), informer.Cache.Len())
	}
}

type changes struct {
	kernel *Kernel
	got    *[]string
}

func (c changes) OnChange(change *Change) {
	what := []string{"added", "modified", "deleted"}[change.Type]
	*c.got = append(*c.got, fmt.Sprintf("%d ms %s %s", c.kernel.Now(), change.Object().Key().Name, what))
}
