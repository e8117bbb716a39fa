package scenario

import (
	"io"

	yaml2 "go.yaml.in/yaml/v2"

	"github.com/rollplay/rollplay/engine/breath"
)

// unmarshal parses a document; a long one in parts, with breaths between them.
func unmarshal(text string, aliases bool, to *any) error {
	if len(text) < breath.Long || aliases {
		return yaml2.UnmarshalStrict([]byte(text), to)
	}
	d := yaml2.NewDecoder(breath.NewReader(text))
	d.SetStrict(true)
	var root branch
	if err := d.Decode(&root); err == io.EOF {
		return nil
	} else if err != nil {
		return err
	}
	tree, err := root.tree(branchLevels)
	if err != nil {
		return yaml2.UnmarshalStrict([]byte(text), to) // which reports all errors, not just the first
	}
	*to = tree
	return nil
}

// branchLevels is how deep a long document is taken apart: to the entries of spec.nodes and the items of a List.
const branchLevels = 3

// branch is a node of a parsed document that is decoded later. The parser hands over such nodes instead of decoding everything
// at once.
type branch struct{ decode func(any) error } // nil for null

// UnmarshalYAML keeps the node.
func (b *branch) UnmarshalYAML(decode func(any) error) error {
	breath.Often() // all entries of a list come one after the other
	b.decode = decode
	return nil
}

// tree decodes the node as the parser would have done.
func (b *branch) tree(levels int) (any, error) {
	breath.Take()
	if b.decode == nil {
		return nil, nil
	}
	var list []branch
	var mapping map[any]branch
	switch {
	case levels == 0:
	case b.decode(&list) == nil:
		return branchList(list, levels-1)
	case b.decode(&mapping) == nil:
		return branchMapping(mapping, levels-1)
	}
	var v any
	err := b.decode(&v)
	return v, err
}

func branchList(list []branch, levels int) (any, error) {
	out := make([]any, len(list))
	for i := range list {
		v, err := list[i].tree(levels)
		if err != nil {
			return nil, err
		}
		out[i] = v
	}
	return out, nil
}

func branchMapping(mapping map[any]branch, levels int) (any, error) {
	out := make(map[any]any, len(mapping))
	for k, b := range mapping {
		v, err := b.tree(levels)
		if err != nil {
			return nil, err
		}
		out[k] = v
	}
	return out, nil
}
