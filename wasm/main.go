//go:build js && wasm

// Command wasm is the playground as the browser runs it: the page, or a worker that measures runs for it. It is no more than a door: everything that is reachable from
// here is downloaded by every visitor, so server code must stay out.
package main

import (
	"fmt"
	"runtime/debug"
	"syscall/js"

	"github.com/rollplay/rollplay/app"
	"github.com/rollplay/rollplay/engine/forecast/sweep"
	"github.com/rollplay/rollplay/engine/limits"
)

func main() {
	// The collector marks in turns, while the program continues to allocate. Near this limit it works more, so that a tab stays below
	// 512 MB with the largest run; WebAssembly never returns memory.
	debug.SetMemoryLimit(limits.Memory * 15 / 8)
	if js.Global().Get("document").IsUndefined() { // web/shell/worker.js has started the program, to measure runs
		serve()
	}
	app.Main()
}

// serve runs what the page asks for, until the page ends the worker. A task comes with its first run; its later runs come without it.
func serve() {
	var hand *sweep.Hand
	js.Global().Call("rollplayHand", js.FuncOf(func(_ js.Value, args []js.Value) any {
		if text := args[0].String(); text != "" {
			var err error
			if hand, err = sweep.NewHand(text); err != nil {
				panic(fmt.Sprint("a task that the page cannot have written: ", err))
			}
		}
		return hand.Run(args[1].Int())
	}))
	select {}
}
