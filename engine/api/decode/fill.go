package decode

import (
	"encoding/json"
	"reflect"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/breath"
)

// treeReader is a struct in which a field depends on several fields of the tree.
type treeReader interface{ ReadTree(api.Fields) }

// fill sets a field of an object to a value of a tree. Fields that the struct lacks stay in the tree alone.
func fill(dst reflect.Value, v any) (err error) {
	switch special := dst.Addr().Interface().(type) {
	case *api.PodTemplateSpec:
		*special, err = template(v.(map[string]any))
		return err
	case **api.PodSpec:
		*special, err = podSpec(v.(map[string]any))
		return err
	case *api.Time: // the errors are those of metav1.Time
		var text string
		if err := json.Unmarshal(api.AppendTree(nil, v, false), &text); err != nil {
			return err
		}
		return special.UnmarshalText([]byte(text))
	}
	if dst.Kind() == reflect.Pointer {
		dst.Set(reflect.New(dst.Type().Elem()))
		return fill(dst.Elem(), v)
	}
	switch v := v.(type) {
	case map[string]any:
		switch dst.Kind() {
		case reflect.Struct:
			return fillStruct(dst, v)
		case reflect.Map:
			return fillMap(dst, v)
		}
	case []any:
		if dst.Kind() == reflect.Slice {
			return fillList(dst, v)
		}
	}
	return fillScalar(dst, v)
}

func fillStruct(dst reflect.Value, tree map[string]any) error {
	t := dst.Type()
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		if v, ok := tree[name]; ok {
			if err := fill(dst.Field(i), v); err != nil {
				return err
			}
		}
	}
	if r, ok := dst.Addr().Interface().(treeReader); ok {
		r.ReadTree(tree)
	}
	return nil
}

func fillMap(dst reflect.Value, tree map[string]any) error {
	t := dst.Type()
	if t.Elem().Kind() == reflect.Interface {
		return fillScalar(dst, tree)
	}
	m := reflect.MakeMapWithSize(t, len(tree))
	for k, v := range tree {
		e := reflect.New(t.Elem()).Elem()
		if err := fill(e, v); err != nil {
			return err
		}
		m.SetMapIndex(reflect.ValueOf(k), e)
	}
	dst.Set(m)
	return nil
}

func fillList(dst reflect.Value, tree []any) error {
	l := reflect.MakeSlice(dst.Type(), len(tree), len(tree))
	for i, v := range tree {
		breath.Take()
		if err := fill(l.Index(i), v); err != nil {
			return err
		}
	}
	dst.Set(l)
	return nil
}

// fillScalar sets a field of the type that the schema gives it; any other, such as a time, reads JSON in its own way.
func fillScalar(dst reflect.Value, v any) error {
	switch x := reflect.ValueOf(v); {
	case x.Type() == dst.Type():
		dst.Set(x)
	case dst.Kind() == reflect.String && x.Kind() == reflect.String, dst.CanInt() && x.CanInt():
		dst.Set(x.Convert(dst.Type()))
	default:
		return json.Unmarshal(api.AppendTree(nil, v, false), dst.Addr().Interface())
	}
	return nil
}

// template makes a pod template of its tree.
func template(tree api.Fields) (api.PodTemplateSpec, error) {
	spec, err := podSpec(tree.Object("spec"))
	meta := tree.Object("metadata")
	dropServerMetadata(meta)
	return api.NewTemplate(meta, spec), err
}

// podSpec makes a pod spec of its tree, which may be nil.
func podSpec(tree map[string]any) (*api.PodSpec, error) {
	if tree == nil {
		tree = map[string]any{}
	}
	defaultPodSpec(tree)
	pruned, _ := prune(&valueType{kind: structValue, name: "PodSpec"}, tree)
	fields := pruned.(map[string]any)
	view := &api.PodSpec{}
	if err := fillStruct(reflect.ValueOf(view).Elem(), fields); err != nil {
		return nil, err
	}
	return api.NewPodSpec(view, fields), nil
}

// prune returns the tree without what means the same as its absence: zero scalars, empty lists, maps and structs,
// unless they are behind a pointer. Items of lists and values of maps stay, as empty values.
func prune(t *valueType, v any) (pruned any, empty bool) {
	breath.Often()
	switch v := v.(type) {
	case map[string]any:
		if t.kind == anyValue {
			return v, len(v) == 0
		}
		m := make(map[string]any, len(v))
		for k, e := range v {
			if t.kind == mapValue {
				m[k], _ = prune(t.elem, e)
			} else if f := t.structOf().fields[k]; f != nil {
				if p, empty := prune(&f.typ, e); !empty || f.typ.pointer {
					m[k] = p
				}
			}
		}
		return m, len(m) == 0
	case []any:
		if t.kind == anyValue {
			return v, len(v) == 0
		}
		l := make([]any, len(v))
		for i, e := range v {
			l[i], _ = prune(t.elem, e)
		}
		return l, len(l) == 0
	case api.Quantity:
		return v, v.IsZero()
	case api.IntOrString:
		return v, v == api.IntOrString{}
	}
	return v, v == "" || v == int64(0) || v == float64(0) || v == false
}
