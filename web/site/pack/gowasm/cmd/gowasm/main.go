// Command gowasm rewrites the WebAssembly module in a file, as package gowasm describes, and prints its size before and after.
//
//	gowasm app.wasm
package main

import (
	"fmt"
	"os"

	"github.com/rollplay/rollplay/web/site/pack/gowasm"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: gowasm FILE")
		os.Exit(2)
	}
	if err := rewrite(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "gowasm:", err)
		os.Exit(1)
	}
}

func rewrite(name string) error {
	module, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	small, err := gowasm.Rewrite(module, gowasm.Hooks{})
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	fmt.Fprintf(os.Stderr, "%s: %d bytes, was %d\n", name, len(small), len(module))
	return os.WriteFile(name, small, 0o644)
}
