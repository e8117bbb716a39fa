package gowasm

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// In these tests 21 and 22 get room for one and for two pointers, and 31 and 32 are the helpers.
func testBarriers() *barriers {
	b := &barriers{rooms: map[uint64]int{}, helper: 31}
	for n := range roomsMax {
		b.rooms[uint64(21+n)] = n + 1
	}
	return b
}

const (
	over = "block; block; get 0; br_if 1; end; "
	room = "call %d; global.get 0; set 1; tee 5; wrap; "
	one  = room + "get 1; load 40; store 0; "
)

// TestBarriers: what a barrier saves and loads goes, and a helper gets the pointers.
func TestBarriers(t *testing.T) {
	room := func(n int) string { return fmt.Sprintf(room, n) }
	for name, c := range map[string]struct{ code, want string }{
		"the new pointer": {
			over + room(21) + "get 1; load 40; store 0; end; end",
			over + "get 1; load 40; call 31; end; end",
		},
		"saved registers": {
			over + "get 1; get 6; store 48; get 1; get 7; store 56; " + room(21) + "get 1; load 48; store 0; get 1; load 48; set 6; end; end",
			over + "get 6; call 31; end; end",
		},
		"the old pointer": {
			over + "get 6; wrap; load 16; set 7; get 1; get 7; store 56; " + room(22) + "get 1; load 40; store 0; get 5; wrap; get 1; load 56; store 8; end; end",
			over + "get 1; load 40; get 6; wrap; load 16; call 32; end; end",
		},
		"three pointers": {
			over + room(23) + "get 6; store 0; get 5; wrap; get 7; store 8; get 5; wrap; i64 9; store 16; end; end",
			over + "get 6; get 7; call 32; i64 9; call 31; end; end",
		},
		"a jump behind": {
			"block; get 0; if; i32 3; set 0; br 7; end; end; " + room(21) + "get 6; store 0; i32 3; set 0; br 5; end",
			"block; get 0; if; i32 3; set 0; br 7; end; end; get 6; call 31; i32 3; set 0; br 5; end",
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := textOf(t, testBarriers().shorten(codeOf(t, c.code))); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestOtherBarriers: a barrier that is not understood stays as it is.
func TestOtherBarriers(t *testing.T) {
	one := fmt.Sprintf(one, 21)
	for name, code := range map[string]string{
		"a branch elsewhere":    strings.Replace(over, "br_if 1", "br_if 2", 1) + one + "end; end",
		"a jump elsewhere":      "block; get 0; if; i32 3; set 0; br 7; end; end; " + one + "i32 4; set 0; br 5; end",
		"a jump out of another": "block; get 0; if; i32 3; set 0; br 7; end; end; " + one + "i32 3; set 0; br 4; end",
		"another call":          over + "call 9; global.get 0; set 1; " + one + "end; end",
		"two rooms":             over + one + one + "end; end",
		"half of the room":      over + fmt.Sprintf(room, 22) + "get 6; store 0; end; end",
		"twice the same":        over + fmt.Sprintf(room, 22) + "get 6; store 0; get 5; wrap; get 7; store 0; end; end",
		"a pointer to the room": over + fmt.Sprintf(room, 21) + "get 5; store 0; end; end",
		"a store elsewhere":     over + "get 6; wrap; get 7; store 0; " + one + "end; end",
		"a change of the stack": over + "get 1; i32 8; sub; tee 1; global.set 0; " + one + "end; end",
		"a check for nil":       over + "get 6; " + nilCheck(7) + one + "end; end",
		"an empty stack":        over + "set 6; " + one + "end; end",
		"more on the stack":     over + "get 6; " + one + "end; end",
	} {
		f := codeOf(t, code)
		if got := textOf(t, testBarriers().shorten(f)); got != textOf(t, f) {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// TestFindBarriers: the functions that get room follow one another.
func TestFindBarriers(t *testing.T) {
	var functions []*function
	add := func(code string) { functions = append(functions, &function{locals: []byte{0}, code: codeOf(t, code)}) }
	add("end")
	for n := range roomsMax {
		if b := findBarriers(functions, 7); b != nil {
			t.Errorf("after %d functions: %v", n, b)
		}
		add(fmt.Sprintf("i64 %d; call 7; return; end", 8*(n+1)))
	}
	add("end")
	b := findBarriers(functions, 7)
	if b == nil || b.rooms[8] != 1 || b.rooms[15] != 8 || b.helper != 17 {
		t.Fatalf("%v", b)
	}
	helpers, types := b.helpers()
	if want := [][]byte{{typeFunc, 1, typeI64, 0}, {typeFunc, 2, typeI64, typeI64, 0}}; !bytes.Equal(bytes.Join(types, nil), bytes.Join(want, nil)) {
		t.Errorf("types: %v", types)
	}
	for i, want := range []string{
		"call 8; set 1; get 1; wrap; get 0; store 0; end",
		"call 9; set 2; get 2; wrap; get 0; store 0; get 2; wrap; get 1; store 8; end",
	} {
		if got := textOf(t, helpers[i].code); got != want {
			t.Errorf("helper %d: %s", i+1, got)
		}
	}
	functions[4] = functions[0]
	if b := findBarriers(functions, 7); b != nil {
		t.Errorf("with another function between them: %v", b)
	}
}
