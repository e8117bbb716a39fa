//go:build js && wasm

// Command wasm is the playground as the browser runs it: the page, or a worker that measures runs for it. It is no more than a door: everything that is reachable from
// here is downloaded by every visitor, so server code must stay out.
package main

import (
	"runtime/debug"

	"github.com/rollplay/rollplay/app"
	"github.com/rollplay/rollplay/engine/limits"
)

func main() {
	// The collector marks in turns, while the program continues to allocate. Near this limit it works more, so that a tab stays below
	// 512 MB with the largest run; WebAssembly never returns memory.
	debug.SetMemoryLimit(limits.Memory * 15 / 8)
	if inWorker() {
		serve()
	}
	app.Main()
}
