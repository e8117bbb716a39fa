package gowasm_test

import (
	"fmt"

	"github.com/rollplay/rollplay/web/site/pack/gowasm"
)

// A module with two data segments, "go" at 8 and "wasm" at 16, becomes a module with one segment.
func ExampleRewrite() {
	module := []byte("\x00asm\x01\x00\x00\x00" + // header
		"\x0b\x11" + "\x02" + // data section of 17 bytes with two segments
		"\x00\x41\x08\x0b\x02go" + "\x00\x41\x10\x0b\x04wasm")
	small, err := gowasm.Rewrite(module, gowasm.Hooks{Memory: func(memory []byte) error {
		fmt.Printf("memory: %q\n", memory[8:])
		return nil
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("segments:", small[10])
	// Output:
	// memory: "go\x00\x00\x00\x00\x00\x00wasm"
	// segments: 1
}
