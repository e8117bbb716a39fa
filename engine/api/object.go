package api

import (
	"cmp"
	"encoding/json"
	"iter"
	"maps"
	"reflect"
	"strings"
)

// Object is a Kubernetes object: a pointer to a struct whose first field is its ObjectMeta and whose last one is its Status, if it has
// one. The fields between them are the desired state; here all of them together are called the spec.
type Object interface {
	// Meta returns the object's metadata, to be read, or to be changed by the owner of a copy.
	Meta() *ObjectMeta
	// Key names the object.
	Key() Key
}

func (d *Deployment) Key() Key            { return Key{KindDeployment, d.Namespace, d.Name} }
func (r *ReplicaSet) Key() Key            { return Key{KindReplicaSet, r.Namespace, r.Name} }
func (s *StatefulSet) Key() Key           { return Key{KindStatefulSet, s.Namespace, s.Name} }
func (d *DaemonSet) Key() Key             { return Key{KindDaemonSet, d.Namespace, d.Name} }
func (p *Pod) Key() Key                   { return Key{KindPod, p.Namespace, p.Name} }
func (n *Node) Key() Key                  { return Key{KindNode, "", n.Name} }
func (q *ResourceQuota) Key() Key         { return Key{KindResourceQuota, q.Namespace, q.Name} }
func (r *ControllerRevision) Key() Key    { return Key{KindControllerRevision, r.Namespace, r.Name} }
func (p *PodDisruptionBudget) Key() Key   { return Key{KindPodDisruptionBudget, p.Namespace, p.Name} }
func (s *Service) Key() Key               { return Key{KindService, s.Namespace, s.Name} }
func (e *EndpointSlice) Key() Key         { return Key{KindEndpointSlice, e.Namespace, e.Name} }
func (p *PersistentVolumeClaim) Key() Key { return Key{KindPersistentVolumeClaim, p.Namespace, p.Name} }
func (h *HorizontalPodAutoscaler) Key() Key {
	return Key{KindHorizontalPodAutoscaler, h.Namespace, h.Name}
}

// ByName orders objects by namespace and name, as the API server lists them.
func ByName(a, b Object) int {
	x, y := a.Meta(), b.Meta()
	return cmp.Or(strings.Compare(x.Namespace, y.Namespace), strings.Compare(x.Name, y.Name))
}

// Pick returns the objects of a type that are wanted.
func Pick[T Object](all iter.Seq[Object], wanted func(T) bool) (list []T) {
	for o := range all {
		if t, ok := o.(T); ok && wanted(t) {
			list = append(list, t)
		}
	}
	return list
}

// Copy returns a copy whose fields, maps and lists can be changed without changing the original. Pod templates, and whatever a pointer
// leads to, are shared: they never change in place.
func Copy[T Object](o T) T {
	c := shallow(o)
	detach(c)
	return c.Addr().Interface().(T)
}

// Shallow returns a copy whose fields can be set. Its collections are those of the original: replace one, do not change
// it (SetAnnotation does that for annotations).
func Shallow[T any](o *T) *T { return Ptr(*o) }

// WithSpecOf returns a copy of an object with the spec of another one of its kind: what UpdateStatus keeps.
func WithSpecOf(o, stored Object) Object {
	c, from := shallow(o), reflect.ValueOf(stored).Elem()
	for i := 1; i < statusField(c.Type()); i++ {
		c.Field(i).Set(from.Field(i))
	}
	return c.Addr().Interface().(Object)
}

// WithStatusOf returns a copy of an object with the status of another one of its kind: what Update keeps.
func WithStatusOf(o, stored Object) Object {
	c, from := shallow(o), reflect.ValueOf(stored).Elem()
	for i := statusField(c.Type()); i < c.NumField(); i++ {
		c.Field(i).Set(from.Field(i))
	}
	return c.Addr().Interface().(Object)
}

// SpecEqual says whether the specs of two objects of one kind are equal, as the API server sees it (see equal).
func SpecEqual(a, b Object) bool {
	x, y := reflect.ValueOf(a).Elem(), reflect.ValueOf(b).Elem()
	return equalFields(x, y, 1, statusField(x.Type()))
}

// StatusEqual says whether the statuses of two objects of one kind are equal. Objects without one have equal statuses.
func StatusEqual(a, b Object) bool {
	x, y := reflect.ValueOf(a).Elem(), reflect.ValueOf(b).Elem()
	return equalFields(x, y, statusField(x.Type()), x.NumField())
}

// shallow returns a new struct with the fields of an object.
func shallow(o Object) reflect.Value {
	v := reflect.ValueOf(o).Elem()
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	return c
}

// statusField returns the index of the status in the struct of a kind, or the number of fields if there is no status.
func statusField(t reflect.Type) int {
	if n := t.NumField(); t.Field(n-1).Name != "Status" {
		return n
	}
	return t.NumField() - 1
}

// detach replaces the maps and lists of a struct, and of the structs in it, by copies.
func detach(v reflect.Value) {
	for i := range v.NumField() {
		switch f := v.Field(i); {
		case !f.CanSet() || f.Type() == templateType:
		case f.Kind() == reflect.Struct:
			detach(f)
		case f.Kind() == reflect.Slice && !f.IsNil():
			f.Set(reflect.AppendSlice(reflect.MakeSlice(f.Type(), 0, f.Len()), f))
		case f.Kind() == reflect.Map && !f.IsNil():
			c := reflect.MakeMapWithSize(f.Type(), f.Len())
			for entries := f.MapRange(); entries.Next(); {
				c.SetMapIndex(entries.Key(), entries.Value())
			}
			f.Set(c)
		}
	}
}

var templateType = reflect.TypeFor[PodTemplateSpec]()

// Ptr returns a pointer to a copy of v.
func Ptr[T any](v T) *T { return &v }

// Given returns what a pointer leads to, and nothing if it leads nowhere: the replicas of a spec.
func Given[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

// As returns an object that the server has answered with as its own type, nil if the answer was an error.
func As[T Object](o Object) (t T) {
	if o != nil {
		t = o.(T)
	}
	return t
}

// Stored is an object of a kind without behaviour here. Its fields are kept as they were written.
type Stored struct {
	ObjectMeta `json:"metadata"`
	Kind       Kind   `json:"-"`
	Fields     Fields `json:"-"` // beside the metadata
}

func (s *Stored) Key() Key { return Key{s.Kind, s.Namespace, s.Name} }

// Replicas is the number of pods that a ReplicationController is to have.
func (s *Stored) Replicas() int32 { return int32(s.Fields.Object("spec").Number("replicas")) }

// SetReplicas changes it. The spec before stays as it is.
func (s *Stored) SetReplicas(n int32) {
	s.Fields = With(s.Fields, "spec", any(With(s.Fields.Object("spec"), "replicas", any(float64(n)))))
}

// ReadTree takes the fields of a tree.
func (s *Stored) ReadTree(tree Fields) {
	s.Fields = maps.Clone(tree)
	for _, name := range []string{"apiVersion", "kind", "metadata"} {
		delete(s.Fields, name)
	}
}

// MarshalJSON prints the fields beside the metadata.
func (s *Stored) MarshalJSON() ([]byte, error) {
	tree := map[string]any{"metadata": &s.ObjectMeta}
	maps.Copy(tree, s.Fields)
	return json.Marshal(tree)
}
