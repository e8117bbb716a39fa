package main

import (
	"cmp"
	"slices"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/forecast/check"
	"github.com/rollplay/rollplay/engine/limits"
)

// part is a part of an update that is judged by itself: its objects, and those that are deployed now.
type part struct{ new, old manifests }

// The size of a part, unless what belongs together is larger.
const (
	partWorkloads = 100
	partBytes     = limits.Text / 2
	partDocuments = limits.Documents / 2
)

// fits reports whether objects are few enough for one part.
func (m manifests) fits() bool {
	size, workloads := 0, 0
	for _, x := range m {
		if size += len(x.Text); x.workload() {
			workloads++
		}
	}
	return workloads <= partWorkloads && size <= partBytes && len(m) <= partDocuments
}

// split returns the parts of a large update. Workloads stay together if a budget or a quota is about both, or an autoscaler or a Service
// is; those of different parts do not compete for nodes.
func split(new, old manifests) []part {
	if new.fits() && old.fits() {
		return []part{{new, old}}
	}
	s := &splitter{leader: map[string]string{}, room: map[string]int{}}
	all := slices.Concat(new, old)
	s.workloads = slices.DeleteFunc(slices.Clone(all), func(m *manifest) bool { return !m.workload() })
	for _, m := range all {
		s.bind(m)
	}
	for _, w := range s.workloads {
		s.place(w)
	}
	parts := make([]part, max(1, s.parts))
	for _, m := range new {
		i := s.partOf(m)
		parts[i].new = append(parts[i].new, m)
	}
	for _, m := range old {
		i := s.partOf(m)
		parts[i].old = append(parts[i].old, m)
	}
	return parts
}

// splitter finds the workloads that belong together, and gives them parts.
type splitter struct {
	workloads manifests
	leader    map[string]string // of a workload: another one that it belongs to
	room      map[string]int    // the part of a leader, from 1

	parts, count, bytes int
}

// first returns the workload that stands for all that belong to one.
func (s *splitter) first(key string) string {
	for s.leader[key] != "" {
		key = s.leader[key]
	}
	return key
}

// about returns the workloads that an object is about.
func (s *splitter) about(m *manifest) manifests {
	return slices.DeleteFunc(slices.Clone(s.workloads), func(w *manifest) bool { return w.namespace() != m.namespace() || !m.selects(w) })
}

// namespace is that of an object, which is default if it names none.
func (m *manifest) namespace() string {
	return cmp.Or(m.value.Object("metadata").Text("namespace"), api.NamespaceDefault)
}

// selects reports whether an object may be about a workload of its namespace.
func (m *manifest) selects(w *manifest) bool {
	spec := m.value.Object("spec")
	labels := w.value.Object("spec").Object("template").Object("metadata").TextMap("labels")
	match := spec.Object("selector").TextMap("matchLabels")
	switch api.Kind(m.Kind) {
	case api.KindResourceQuota, "LimitRange":
		return true
	case api.KindPodDisruptionBudget:
	case api.KindService:
		if match = spec.TextMap("selector"); len(match) == 0 {
			return false
		}
	default:
		return check.Names(m.value, api.Kind(w.Kind), w.value.Object("metadata").Text("name"))
	}
	return api.Covers(labels, match)
}

// bind makes the workloads that an object is about belong together.
func (s *splitter) bind(m *manifest) {
	list := s.about(m)
	for i := 1; i < len(list); i++ {
		if a, b := s.first(list[0].key()), s.first(list[i].key()); a != b {
			s.leader[b] = a
		}
	}
}

// place gives a workload the part of those that it belongs to, or the last one while there is room in it.
func (s *splitter) place(w *manifest) {
	first := s.first(w.key())
	if s.room[first] == 0 {
		if s.parts == 0 || s.count >= partWorkloads || s.bytes > partBytes {
			s.parts, s.count, s.bytes = s.parts+1, 0, 0
		}
		s.room[first] = s.parts
	}
	if s.room[first] == s.parts {
		s.count, s.bytes = s.count+1, s.bytes+len(w.Text)
	}
}

// partOf returns the part of an object: that of the workloads that it is about, the first one if there are none.
func (s *splitter) partOf(m *manifest) int {
	key := m.key()
	if !kinds.Of(api.Kind(m.Kind)).Revisions {
		list := s.about(m)
		if len(list) == 0 {
			return 0
		}
		key = list[0].key()
	}
	return max(1, s.room[s.first(key)]) - 1
}
