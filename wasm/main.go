//go:build js && wasm

// Command wasm is the playground as the browser runs it. It is no more than a door: everything that is reachable from
// here is downloaded by every visitor, so server code must stay out.
package main

import "github.com/rollplay/rollplay/app"

func main() { app.Main() }
