package api

import (
	"encoding/json"
	"maps"
)

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
