package main

import (
	"fmt"
	"reflect"
	"runtime/debug"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unsafe"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/sim"
)

// verdict is what came out of the comparison over one scenario.
type verdict struct {
	difference *difference // nil: none
	known      string      // the name of the known difference that it is, "" if it is none
	syncs      int
	wakes      int
	evictions  int
}

// compare runs a scenario in a bubble of fake time, with the real controllers beside the engine's.
func compare(t *testing.T, text string) (v verdict) {
	synctest.Test(t, func(*testing.T) { v = compareInBubble(text) })
	if v.difference != nil {
		v.known = knownDifference(v.difference)
	}
	return v
}

// letPass lets fake time pass in a bubble, and whoever waits for it act.
func letPass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// syncsMax is after how many reconciles a scenario is left. Both sides can go round in circles: a Deployment that was
// complete once and has unavailable pods is looked at again without a pause when its deadline has passed.
const syncsMax = 3000

func compareInBubble(text string) verdict {
	run, diagnostics := engine.Start(engine.Recording{Scenario: text})
	if run == nil {
		panic(fmt.Sprintf("conformance: a scenario is not valid: %v\n%s", diagnostics, text))
	}
	kernel, server := worldOf(run)
	time.Sleep(time.Until(wallTime(0))) // before anything in the bubble can wake up meanwhile
	j := newJudge(kernel, server.Store)
	server.Store.Informer(api.KindPod).AddHandler(&phases{kernel, server.Client("environment")})
	j.follow(run)
	j.upstream.stop()
	synctest.Wait()
	return verdict{difference: j.first, syncs: j.syncs, wakes: j.wakes, evictions: j.evictions.count}
}

// follow runs the engine until it is done, or differs, or has done enough.
func (j *judge) follow(run *engine.Run) {
	defer func() {
		if r := recover(); r != nil {
			j.differ("the engine", "panics", fmt.Sprintf("%v\n%s", r, debug.Stack()), "none")
		}
	}()
	for j.first == nil && j.syncs < syncsMax && !run.Advance(1) {
	}
}

// worldOf returns the kernel and the server of a run, which the engine keeps to itself.
func worldOf(run *engine.Run) (*sim.Kernel, *apiserver.Server) {
	world := reflect.ValueOf(run).Elem().FieldByName("world").Elem()
	return pointer[sim.Kernel](world, "kernel"), pointer[apiserver.Server](world, "server")
}

func pointer[T any](v reflect.Value, name string) *T {
	f := v.FieldByName(name)
	if !f.IsValid() || f.Type() != reflect.TypeFor[*T]() {
		panic("conformance: the engine's world has no field " + name + " of type " + reflect.TypeFor[*T]().String())
	}
	return *(**T)(unsafe.Pointer(f.UnsafeAddr()))
}

// summary is the last line of a run.
func summary(scenarios, syncs, evictions, different int) string {
	return fmt.Sprintf("%d scenarios, %d syncs and %d evictions compared, %d different", scenarios, syncs, evictions, different)
}

// indent puts a text under a headline.
func indent(text string) string {
	return "    " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n    ")
}
