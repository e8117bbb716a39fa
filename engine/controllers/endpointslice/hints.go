package endpointslice

import (
	"cmp"
	"slices"

	"github.com/rollplay/rollplay/engine/api"
)

// hintsOf returns the hints that an endpoint of a Service should have (E-6).
func hintsOf(distribution *string, e *api.Endpoint) *api.EndpointHints {
	if distribution == nil {
		return nil
	}
	h := &api.EndpointHints{}
	if e.Zone != "" {
		h.ForZones = []api.Hint{{Name: e.Zone}}
	}
	if e.NodeName != "" && *distribution == api.PreferSameNode {
		h.ForNodes = []api.Hint{{Name: e.NodeName}}
	}
	if len(h.ForZones)+len(h.ForNodes) == 0 {
		return nil
	}
	return h
}

// misled says whether the hints of a slice are wrong. With a distribution only ready endpoints count.
func misled(distribution *string, slice *api.EndpointSlice) bool {
	return slices.ContainsFunc(slice.Endpoints, func(e api.Endpoint) bool {
		if distribution == nil {
			return e.Hints != nil
		}
		return e.Conditions.Ready && !sameHints(e.Hints, hintsOf(distribution, &e))
	})
}

func sameHints(a, b *api.EndpointHints) bool {
	a, b = cmp.Or(a, &api.EndpointHints{}), cmp.Or(b, &api.EndpointHints{})
	return slices.Equal(a.ForZones, b.ForZones) && slices.Equal(a.ForNodes, b.ForNodes)
}

// hint sets the hints of a slice that is about to be written.
func hint(distribution *string, slice *api.EndpointSlice) {
	for i := range slice.Endpoints {
		if e := &slice.Endpoints[i]; distribution == nil || e.Conditions.Ready {
			e.Hints = hintsOf(distribution, e)
		}
	}
}
