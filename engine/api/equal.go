package api

import (
	"maps"
	"reflect"
	"slices"
)

// Equal compares two values of the API as the API server does (apimachinery equality.Semantic): nil and empty collections are the same,
// quantities and pod specs are compared by value, and what pointers lead to by its fields.
func Equal[T any](a, b *T) bool { return equal(reflect.ValueOf(a).Elem(), reflect.ValueOf(b).Elem()) }

// equal compares fields or elements of one type, which are addressable. What the API server writes most often comes first.
func equal(a, b reflect.Value) bool {
	switch x := a.Addr().Interface().(type) {
	case *[]Condition:
		return slices.Equal(*x, *b.Addr().Interface().(*[]Condition))
	case *[]ContainerStatus:
		return slices.Equal(*x, *b.Addr().Interface().(*[]ContainerStatus))
	case **PodSpec:
		return (*x).Equal(*b.Addr().Interface().(**PodSpec))
	case *PodTemplateSpec:
		return x.Equal(b.Addr().Interface().(*PodTemplateSpec))
	case *Quantity:
		return x.Cmp(*b.Addr().Interface().(*Quantity)) == 0
	case *Fields:
		y := b.Addr().Interface().(*Fields)
		return string(AppendTree(nil, map[string]any(*x), true)) == string(AppendTree(nil, map[string]any(*y), true))
	case *map[string]string:
		return maps.Equal(*x, *b.Addr().Interface().(*map[string]string))
	case *map[string]Quantity:
		return maps.EqualFunc(*x, *b.Addr().Interface().(*map[string]Quantity), func(x, y Quantity) bool { return x.Cmp(y) == 0 })
	}
	switch a.Kind() {
	case reflect.Pointer:
		if a.IsNil() || b.IsNil() {
			return a.IsNil() && b.IsNil()
		}
		return a.UnsafePointer() == b.UnsafePointer() || equal(a.Elem(), b.Elem())
	case reflect.Struct:
		return equalFields(a, b, 0, a.NumField())
	case reflect.Slice:
		for i := range min(a.Len(), b.Len()) {
			if !equal(a.Index(i), b.Index(i)) {
				return false
			}
		}
		return a.Len() == b.Len()
	case reflect.Map, reflect.Interface:
		return reflect.DeepEqual(a.Interface(), b.Interface()) || a.Kind() == reflect.Map && a.Len()+b.Len() == 0
	}
	return a.Equal(b)
}

// equalFields compares the fields of two structs from one index to another.
func equalFields(a, b reflect.Value, from, to int) bool {
	for i := from; i < to; i++ {
		if !equal(a.Field(i), b.Field(i)) {
			return false
		}
	}
	return true
}
