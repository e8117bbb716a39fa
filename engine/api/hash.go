package api

import (
	"hash/fnv"
	"maps"
	"slices"
	"strconv"
)

// Hash returns the value of the label pod-template-hash: it depends on nothing but the template, without that label,
// and the collision count, and looks like the real one. Every part ends with a byte that no JSON, label or
// annotation key holds, so that no two templates write the same bytes.
func (t *PodTemplateSpec) Hash(collisionCount *int32) string {
	h := fnv.New32a()
	write := func(parts ...string) {
		for _, s := range parts {
			h.Write([]byte(s))
			h.Write([]byte{0})
		}
	}
	if t.Spec != nil {
		write(t.Spec.canon)
	}
	for _, k := range slices.Sorted(maps.Keys(t.Labels)) {
		if k != PodTemplateHashLabel {
			write("label", k, t.Labels[k])
		}
	}
	for _, k := range slices.Sorted(maps.Keys(t.Annotations)) {
		write("annotation", k, t.Annotations[k])
	}
	write(t.meta)
	if collisionCount != nil {
		write(strconv.Itoa(int(*collisionCount)))
	}
	return encodeHash(h.Sum32())
}

// encodeHash prints a number in decimal, with signs for the digits that cannot make a word.
func encodeHash(n uint32) string {
	b := []byte(strconv.FormatUint(uint64(n), 10))
	for i := range b {
		b[i] = "456789bcdf"[b[i]-'0']
	}
	return string(b)
}
