package gowasm

import (
	"fmt"
	"testing"
)

// nilCheck is the rest of a check for nil in block n.
func nilCheck(n int) string {
	return fmt.Sprintf("eqz64; if; get 1; i32 8; sub; tee 1; global.set 0; get 1; get 2; i64 %d; or64; store 0; i32 0; call 77; "+
		"global.get 0; set 1; if; i32 1; return; end; end; ", n)
}

// TestNilChecks: each gets the number of the block that is like its own.
func TestNilChecks(t *testing.T) {
	code := codeOf(t, "get 3; "+nilCheck(5)+"get 4; "+nilCheck(9)+"get 5; "+nilCheck(11)+"end")
	shareNilChecks(code, func(block int) int { return min(block, 9) - 3 })
	if got, want := textOf(t, code), "get 3; "+nilCheck(2)+"get 4; "+nilCheck(6)+"get 5; "+nilCheck(6)+"end"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
