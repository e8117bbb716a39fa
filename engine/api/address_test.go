package api_test

import (
	"testing"

	"github.com/rollplay/rollplay/engine/api"
)

// TestServiceAddresses: Services with short names have addresses of their own. A hash of short texts that is cut at its front is nearly the
// same for all of them.
func TestServiceAddresses(t *testing.T) {
	has := map[string]string{}
	for _, name := range []string{"a", "b", "web", "all", "canary", "db", "api", "shop", "front", "back", "blue", "green", "web-1", "web-2"} {
		for _, namespace := range []string{"default", "team"} {
			ip := api.ServiceIP(namespace, name, 0)
			if other := has[ip]; other != "" {
				t.Errorf("%s/%s and %s have %s", namespace, name, other, ip)
			}
			has[ip] = namespace + "/" + name
		}
	}
}
