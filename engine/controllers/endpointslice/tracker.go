package endpointslice

import "github.com/rollplay/rollplay/engine/api"

// tracker holds the generation of each slice that the controller has written, by Service and UID, and gone for a deleted slice (E-4).
type tracker map[api.Key]map[string]int64

const gone = -1

// expect notes a slice as the controller has written it.
func (t tracker) expect(slice *api.EndpointSlice, generation int64) {
	of := t[serviceKey(slice)]
	if of == nil {
		of = map[string]int64{}
		t[serviceKey(slice)] = of
	}
	of[slice.UID] = generation
}

// foreign says whether a slice in the cache is newer than what the controller has written.
func (t tracker) foreign(slice *api.EndpointSlice) bool {
	generation, known := t[serviceKey(slice)][slice.UID]
	return !known || slice.Generation > generation
}

// lost forgets a deleted slice, and says whether somebody else deleted it.
func (t tracker) lost(slice *api.EndpointSlice) bool {
	generation, known := t[serviceKey(slice)][slice.UID]
	delete(t[serviceKey(slice)], slice.UID)
	return known && generation != gone
}

// stale says whether the cache lacks something that the controller has written.
func (t tracker) stale(svc api.Key, cached []*api.EndpointSlice) bool {
	seen := map[string]bool{}
	for _, slice := range cached {
		seen[slice.UID] = true
		if generation, known := t[svc][slice.UID]; known && (generation == gone || generation > slice.Generation) {
			return true
		}
	}
	for uid, generation := range t[svc] {
		if generation != gone && !seen[uid] {
			return true
		}
	}
	return false
}
