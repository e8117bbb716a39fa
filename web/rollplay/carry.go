package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"unsafe"
)

// carried writes a value as JSON from which carry makes the same value again: with unexported fields, maps of any keys, and nil apart from
// empty. Results of runs travel so between the shards of a command, which are processes of one version.
func carried(v reflect.Value) any {
	switch v.Kind() {
	case reflect.Bool:
		return v.Bool()
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return v.Int()
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return v.Uint()
	case reflect.Float64:
		return v.Float()
	case reflect.String:
		return v.String()
	case reflect.Pointer:
		if !v.IsNil() {
			return []any{carried(v.Elem())}
		}
		return nil
	case reflect.Struct:
		list := make([]any, v.NumField())
		for i := range list {
			list[i] = carried(v.Field(i))
		}
		return list
	case reflect.Slice:
		if v.IsNil() {
			return nil
		}
		list := make([]any, v.Len())
		for i := range list {
			list[i] = carried(v.Index(i))
		}
		return list
	case reflect.Map:
		return carriedMap(v)
	}
	panic("a result of a run has a " + v.Type().String() + ", which no shard can carry")
}

// carriedMap writes a map as a list of keys and values in an order that is always the same.
func carriedMap(v reflect.Value) any {
	if v.IsNil() {
		return nil
	}
	pairs := make([][2]any, 0, v.Len())
	for it := v.MapRange(); it.Next(); {
		pairs = append(pairs, [2]any{carried(it.Key()), carried(it.Value())})
	}
	slices.SortFunc(pairs, func(a, b [2]any) int { return cmp.Compare(fmt.Sprint(a[0]), fmt.Sprint(b[0])) })
	return pairs
}

// carry fills in a value that carried has written.
func carry(text json.RawMessage, v reflect.Value) error {
	v = reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem() // unexported fields, too
	if string(text) == "null" {
		v.SetZero()
		return nil
	}
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return carryEach(text, 1, func(int) reflect.Value { return v.Elem() })
	case reflect.Struct:
		return carryEach(text, v.NumField(), v.Field)
	case reflect.Slice:
		var list []json.RawMessage
		err := json.Unmarshal(text, &list)
		v.Set(reflect.MakeSlice(v.Type(), len(list), len(list)))
		for i := 0; i < len(list) && err == nil; i++ {
			err = carry(list[i], v.Index(i))
		}
		return err
	case reflect.Map:
		return carryMap(text, v)
	}
	return carryPlain(text, v)
}

// carryPlain fills in a value without parts. Types that read JSON in their own way are not asked.
func carryPlain(text json.RawMessage, v reflect.Value) (err error) {
	switch {
	case v.CanInt():
		var n int64
		err = json.Unmarshal(text, &n)
		v.SetInt(n)
	case v.CanUint():
		var n uint64
		err = json.Unmarshal(text, &n)
		v.SetUint(n)
	case v.CanFloat():
		var n float64
		err = json.Unmarshal(text, &n)
		v.SetFloat(n)
	case v.Kind() == reflect.Bool:
		v.SetBool(string(text) == "true")
	default:
		var s string
		err = json.Unmarshal(text, &s)
		v.SetString(s)
	}
	return err
}

// carryEach fills in n values.
func carryEach(text json.RawMessage, n int, at func(i int) reflect.Value) error {
	var list []json.RawMessage
	err := json.Unmarshal(text, &list)
	if err == nil && len(list) != n {
		err = fmt.Errorf("it has %d fields instead of %d", len(list), n)
	}
	for i := 0; i < n && err == nil; i++ {
		err = carry(list[i], at(i))
	}
	return err
}

func carryMap(text json.RawMessage, v reflect.Value) error {
	var pairs [][2]json.RawMessage
	err := json.Unmarshal(text, &pairs)
	v.Set(reflect.MakeMap(v.Type()))
	for i := 0; i < len(pairs) && err == nil; i++ {
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		if err = carry(pairs[i][0], key); err == nil {
			err = carry(pairs[i][1], value)
		}
		v.SetMapIndex(key, value)
	}
	return err
}
