package apiserver_test

import (
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/decode"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/sim"
)

// created stores an object as kubectl does: with its defaults.
func created[T api.Object](t *testing.T, s *apiserver.Server, o T) T {
	t.Helper()
	decode.Default(o)
	stored, err := s.Client("test").Create(o, "created", nil)
	if err != nil {
		t.Fatal(err)
	}
	return stored.(T)
}

func named(name string) api.ObjectMeta { return api.ObjectMeta{Name: name, Namespace: "default"} }

// TestGenerationOfOthers is A-4 for other kinds than Deployments: the spec raises the generation, annotations and the status do
// not. Only a new template raises the templateGeneration of a DaemonSet, and only the server sets it.
func TestGenerationOfOthers(t *testing.T) {
	template := (&api.PodTemplateSpec{}).WithLabel("app", "x")
	tests := []struct {
		name       string
		object     func() api.Object
		status     bool
		change     func(api.Object)
		generation int64
		templates  int64 // templateGeneration, 0 for another kind
	}{
		{"a StatefulSet's spec", func() api.Object { return &api.StatefulSet{ObjectMeta: named("x")} }, false,
			func(o api.Object) { o.(*api.StatefulSet).Spec.Replicas = api.Ptr[int32](5) }, 2, 0},
		{"a StatefulSet's annotations", func() api.Object { return &api.StatefulSet{ObjectMeta: named("x")} }, false,
			func(o api.Object) { o.Meta().SetAnnotation("a", "b") }, 1, 0},
		{"a StatefulSet's status", func() api.Object { return &api.StatefulSet{ObjectMeta: named("x")} }, true,
			func(o api.Object) { o.(*api.StatefulSet).Status.Replicas = 5 }, 1, 0},
		{"a DaemonSet's template", func() api.Object { return &api.DaemonSet{ObjectMeta: named("x")} }, false,
			func(o api.Object) {
				d := o.(*api.DaemonSet)
				template.Spec = d.Spec.Template.Spec
				d.Spec.Template, d.TemplateGeneration = template, 7
			}, 2, 2},
		{"a DaemonSet's bounds", func() api.Object { return &api.DaemonSet{ObjectMeta: named("x")} }, false,
			func(o api.Object) { o.(*api.DaemonSet).Spec.MinReadySeconds = 5 }, 2, 1},
		{"a DaemonSet's templateGeneration", func() api.Object { return &api.DaemonSet{ObjectMeta: named("x")} }, false,
			func(o api.Object) { o.(*api.DaemonSet).TemplateGeneration = 7 }, 1, 1},
		{"a DaemonSet's status", func() api.Object { return &api.DaemonSet{ObjectMeta: named("x")} }, true,
			func(o api.Object) { o.(*api.DaemonSet).Status.NumberReady = 5 }, 1, 1},
		{"a budget's spec", func() api.Object { return &api.PodDisruptionBudget{ObjectMeta: named("x")} }, false,
			func(o api.Object) { o.(*api.PodDisruptionBudget).Spec.MinAvailable = &api.IntOrString{Int: 1} }, 2, 0},
		{"a budget's status", func() api.Object { return &api.PodDisruptionBudget{ObjectMeta: named("x")} }, true,
			func(o api.Object) { o.(*api.PodDisruptionBudget).Status.ExpectedPods = 1 }, 1, 0},
		{"a revision has none", func() api.Object { return &api.ControllerRevision{ObjectMeta: named("x")} }, false,
			func(o api.Object) { o.(*api.ControllerRevision).Revision = 3 }, 0, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := apiserver.New(&sim.Kernel{}, 1)
			o := api.Copy(created(t, s, tt.object()))
			tt.change(o)
			write := s.Client("test").Update
			if tt.status {
				write = s.Client("test").UpdateStatus
			}
			stored, err := write(o, "changed", nil)
			if err != nil {
				t.Fatal(err)
			}
			if got := stored.Meta().Generation; got != tt.generation {
				t.Errorf("generation is %d, want %d", got, tt.generation)
			}
			if d, ok := stored.(*api.DaemonSet); ok && d.TemplateGeneration != tt.templates {
				t.Errorf("templateGeneration is %d, want %d", d.TemplateGeneration, tt.templates)
			}
		})
	}
}

// TestMaxUnavailableByVersion is S-2, S-19: before 1.37 the server drops the maxUnavailable of a StatefulSet.
func TestMaxUnavailableByVersion(t *testing.T) {
	for minor, want := range map[int]bool{36: false, 37: true} {
		s := apiserver.New(&sim.Kernel{}, 1)
		s.Minor = minor
		set := created(t, s, &api.StatefulSet{ObjectMeta: named("x")})
		kept := func(set *api.StatefulSet) bool { return set.Spec.UpdateStrategy.RollingUpdate.MaxUnavailable != nil }
		if kept(set) != want || set.Spec.UpdateStrategy.RollingUpdate.Partition == nil {
			t.Errorf("1.%d: created with %+v", minor, set.Spec.UpdateStrategy.RollingUpdate)
		}
		changed := api.Copy(set)
		changed.Spec.UpdateStrategy.RollingUpdate = &api.RollingUpdateStatefulSet{Partition: api.Ptr[int32](1), MaxUnavailable: &api.IntOrString{Int: 2}}
		given := changed.Spec.UpdateStrategy.RollingUpdate
		o, err := s.Client("test").Update(changed, "changed", nil)
		if err != nil || kept(o.(*api.StatefulSet)) != want || given.MaxUnavailable == nil {
			t.Errorf("1.%d: updated to %+v, %v", minor, o.(*api.StatefulSet).Spec.UpdateStrategy.RollingUpdate, err)
		}
	}
}
