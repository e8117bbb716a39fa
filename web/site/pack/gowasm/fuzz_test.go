package gowasm

import (
	"errors"
	"fmt"
	"testing"
)

// FuzzFunctions: a damaged function is rewritten or refused; it never ends the program.
func FuzzFunctions(f *testing.F) {
	f.Add([]byte{1, 1, typeI32, opGet, 0, opLocalSet, 1, opLocalGet, 1, opEnd})
	for _, code := range []string{lower + "get 1; load 48; set 2; " + raise + "end", over + nilCheck(4) + "call 8; global.get 0; set 1; end; end"} {
		f.Add(append([]byte{1, 1, typeI32}, assemble(f, start+code)...))
	}
	rooms := appendItems([]byte{0}, nil)
	for n := range roomsMax {
		rooms = appendItems(rooms, [][]byte{appendSized(nil, append([]byte{0}, assemble(f, fmt.Sprintf("i64 %d; call 1; return; end", 8*(n+1)))...))})
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		section := appendItems(rooms, [][]byte{appendSized(nil, body)})
		if _, _, err := shortenAll(section, 0, func(_, block int) int { return block / 2 }); err != nil && !errors.Is(err, ErrFormat) {
			t.Error(err)
		}
	})
}
