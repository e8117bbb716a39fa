package main

import (
	"fmt"
	"testing"

	"github.com/rollplay/rollplay/engine/oracle/conformance/service"
)

// compareServices compares random Services with the real EndpointSlice controller, and choices of kube-proxy.
func compareServices(t *testing.T) (exit int) {
	from, end := 0, *count
	if *only >= 0 {
		from, end = *only, *only+1
	}
	different, syncs, looks := 0, 0, 0
	for k := from; k < end; k++ {
		v := service.Scenario(t, *seed, k)
		syncs, looks = syncs+v.Syncs, looks+v.Looks
		if v.Difference == "" {
			v.Difference = service.Proxy(t, *seed, k)
		}
		if v.Difference != "" {
			different++
			fmt.Printf("scenario %d of seed %d: %s\n", k, *seed, v.Difference)
		}
	}
	fmt.Printf("%d looks at all slices, and as many Services of kube-proxy as scenarios\n", looks)
	fmt.Printf("%d scenarios, %d syncs compared, %d different\n", end-from, syncs, different)
	return min(different, 1)
}
