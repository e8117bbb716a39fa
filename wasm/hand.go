//go:build js && wasm

package main

import (
	"fmt"
	"syscall/js"

	"github.com/rollplay/rollplay/engine/forecast/sweep"
)

// inWorker says that there is no page: the program was started by web/shell/worker.js to measure runs.
func inWorker() bool { return js.Global().Get("document").IsUndefined() }

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
