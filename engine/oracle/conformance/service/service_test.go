package service

import (
	"flag"
	"os"
	"testing"

	"github.com/rollplay/rollplay/engine/oracle/conformance/upstream"
)

var scenarios = flag.Int("scenarios", 60, "how many")

func TestMain(m *testing.M) {
	flag.Parse()
	upstream.Quiet()
	os.Exit(m.Run())
}

// TestScenarios compares some random scenarios; `go run . -kind service -n 2000` compares many.
func TestScenarios(t *testing.T) {
	syncs, looks := 0, 0
	for k := range *scenarios {
		v := Scenario(t, 1, k)
		syncs, looks = syncs+v.Syncs, looks+v.Looks
		if v.Difference != "" {
			t.Fatalf("scenario %d: %s", k, v.Difference)
		}
	}
	if syncs < 10**scenarios || looks < 10**scenarios {
		t.Errorf("only %d syncs and %d looks in %d scenarios", syncs, looks, *scenarios)
	}
}

// TestProxy compares kube-proxy's choices and moments.
func TestProxy(t *testing.T) {
	for k := range 10 * *scenarios {
		if d := Proxy(t, 1, k); d != "" {
			t.Fatalf("scenario %d: %s", k, d)
		}
	}
}
