// Package world starts a scenario in the engine and reaches what a run keeps to itself: its clock and its API server.
// Everything here that depends on the inside of the engine depends on it in this file.
package world

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/node/kubelet"
	"github.com/rollplay/rollplay/engine/sim"
)

// World is a run of the engine, with its inside.
type World struct {
	Run    *engine.Run
	Kernel *sim.Kernel
	Server *apiserver.Server
}

// Start starts the scenario of a text, which must be valid.
func Start(text string) *World {
	run, diagnostics := engine.Start(engine.Recording{Scenario: text})
	if run == nil {
		panic(fmt.Sprintf("conformance: a scenario is not valid: %v\n%s", diagnostics, text))
	}
	inside := reflect.ValueOf(run).Elem().FieldByName("world").Elem()
	return &World{Run: run, Kernel: pointer[sim.Kernel](inside, "kernel"), Server: pointer[apiserver.Server](inside, "server")}
}

// Kubelet returns the kubelet of all nodes.
func (w *World) Kubelet() *kubelet.Kubelet {
	return pointer[kubelet.Kubelet](reflect.ValueOf(w.Run).Elem().FieldByName("world").Elem(), "kubelet")
}

// PullsFailIn lets each pull that fails take the same time, in ms: a scenario's text cannot say how long that takes.
func (w *World) PullsFailIn(ms int64) {
	behaviours := reflect.ValueOf(w.Kubelet()).Elem().FieldByName("behaviours")
	for i := range behaviours.Len() {
		b := (*kubelet.Behaviour)(behaviours.Index(i).Addr().UnsafePointer())
		if b.PullFails && b.Pull == nil {
			b.Pull = &kubelet.Range{Min: ms, Max: ms}
		}
	}
}

// WithoutLimits lets the clients of all controllers send at once whatever they want: a sync that pauses cannot be compared as a whole.
func (w *World) WithoutLimits() *World {
	for _, l := range w.Kernel.Loops {
		if limit := reflect.ValueOf(l).Elem().FieldByName("limit"); !limit.IsNil() {
			burst := limit.Elem().FieldByName("burst")
			*(*int64)(unsafe.Pointer(burst.UnsafeAddr())) = 1 << 40
		}
	}
	return w
}

// pointer returns the value of an unexported field.
func pointer[T any](v reflect.Value, name string) *T {
	f := v.FieldByName(name)
	if !f.IsValid() || f.Type() != reflect.TypeFor[*T]() {
		panic("conformance: the engine's world has no field " + name + " of type " + reflect.TypeFor[*T]().String())
	}
	return *(**T)(unsafe.Pointer(f.UnsafeAddr()))
}
