package gowasm

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// names of the instructions in these tests. Other bytes are written as numbers.
var names = map[string]byte{
	"block": opBlock, "loop": opLoop, "if": opIf, "end": opEnd, "br": opBr, "br_if": opBrIf, "br_table": opBrTable, "return": opReturn,
	"call": opCall, "get": opLocalGet, "set": opLocalSet, "tee": opLocalTee, "global.get": opGet, "global.set": opSet,
	"i32": opI32Const, "i64": opI64Const, "load": opI64Load, "store": opI64Store,
	"add": opI32Add, "sub": opI32Sub, "add64": opI64Add, "or64": opI64Or, "wrap": opI32Wrap, "extend": opExtendU, "unreachable": 0,
	"select": opSelect, "eqz64": opI64Eqz, "le": opI32LeU,
}

// assemble encodes code such as "get 1; i32 8; add", and "load 16" with the usual alignment.
func assemble(t testing.TB, text string) []byte {
	t.Helper()
	var code []byte
	for _, line := range strings.FieldsFunc(text, func(r rune) bool { return r == ';' || r == '\n' }) {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		op, ok := names[words[0]]
		if !ok {
			t.Fatalf("unknown instruction %q", line)
		}
		code = append(code, op)
		switch op {
		case opBlock, opLoop, opIf:
			code = append(code, noResult)
		case opI64Load, opI64Store:
			code = append(code, 3)
		case opBrTable:
			code = append(code, byte(len(words)-2))
		}
		for _, w := range words[1:] {
			var n int64
			if _, err := fmt.Sscan(w, &n); err != nil {
				t.Fatal(err)
			}
			if op == opI32Const || op == opI64Const {
				code = appendSigned(code, n)
			} else {
				code = binary.AppendUvarint(code, uint64(n))
			}
		}
	}
	return code
}

// text writes code as assemble reads it.
func text(t *testing.T, code []byte) string {
	t.Helper()
	f, err := readFunction(append([]byte{0}, code...))
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, in := range f.code {
		name := fmt.Sprintf("%#x", in[0])
		for n, op := range names {
			if op == in[0] {
				name = n
			}
		}
		switch in[0] {
		case opI32Const, opI64Const:
			name += fmt.Sprint(" ", in.constant())
		case opI64Load, opI64Store:
			name += fmt.Sprint(" ", in.offset())
		case opBr, opBrIf, opCall, opLocalGet, opLocalSet, opLocalTee, opGet, opSet:
			name += fmt.Sprint(" ", in.number())
		case opBrTable:
			for _, b := range in[2:] {
				name += fmt.Sprint(" ", b)
			}
		}
		lines = append(lines, name)
	}
	return strings.Join(lines, "; ")
}

// oneLocal declares the stack pointer, two declares a number of 64 bits, too.
var (
	oneLocal  = []byte{1, 1, typeI32}
	twoLocals = []byte{2, 1, typeI32, 1, typeI64}
)

// shortened returns the body that shorten makes of a body.
func shortened(body []byte) ([]byte, error) {
	f, err := shorten(body)
	if err != nil {
		return nil, err
	}
	return f.encode(), nil
}

// TestShorten shows what becomes of pieces of functions.
func TestShorten(t *testing.T) {
	for name, c := range map[string]struct{ code, want string }{
		"a condition in one step":        {"block; get 0; if; br 1; end; end; end", "block; get 0; br_if 0; end; end"},
		"a branch to its own end":        {"get 0; if; br 0; end; end", "get 0; if; br 0; end; end"},
		"a load from the stack":          {"get 1; extend; i64 8; add64; wrap; load 16; set 2; end", "get 1; load 24; set 2; end"},
		"a load from elsewhere":          {"get 0; i32 8; add; load 16; set 2; end", "get 0; i32 8; add; load 16; set 2; end"},
		"a load below the stack":         {"get 1; i32 -8; add; load 16; set 2; end", "get 1; i32 -8; add; load 16; set 2; end"},
		"a store to the stack":           {"get 1; extend; i64 8; add64; wrap; i64 5; store 0; end", "get 1; i64 5; store 8; end"},
		"a store from the stack":         {"get 1; i32 8; add; get 1; load 40; store 0; end", "get 1; get 1; load 40; store 8; end"},
		"a store of what is pointed to":  {"get 1; i32 8; add; get 2; wrap; load 4; store 0; end", "get 1; get 2; wrap; load 4; store 8; end"},
		"a store of a sum":               {"get 1; i32 8; add; get 2; i64 1; add64; store 0; end", "get 1; i32 8; add; get 2; i64 1; add64; store 0; end"},
		"an address far from the stack":  {"get 1; extend; i64 2000000; add64; wrap; load 0; set 2; end", "get 1; extend; i64 2000000; add64; wrap; load 0; set 2; end"},
		"the stack pointer is used":      {"get 1; i32 8; add; tee 1; global.set 0; get 1; call 3; end", "get 1; i32 8; add; tee 1; global.set 0; get 1; call 3; end"},
		"an address of another register": {"get 2; i64 8; add64; wrap; load 0; set 2; end", "get 2; i64 8; add64; wrap; load 0; set 2; end"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := shortened(append(append([]byte{}, twoLocals...), assemble(t, start+c.code)...))
			if err != nil {
				t.Fatal(err)
			}
			if got := text(t, got[len(twoLocals):]); got != start+c.want {
				t.Errorf("got  %s\nwant %s", got, start+c.want)
			}
		})
	}
}

// TestDirectJumps: block 1 jumps over block 2, and block 2 back to itself, which stays a detour.
func TestDirectJumps(t *testing.T) {
	const before = `global.get 0; set 1; block; loop; block; block; block; block; get 0; br_table 0 0 1 2 2; end
		get 0; if; i32 3; set 0; br 4; end; i32 3; set 0; br 3; end
		i32 2; set 0; br 2; end
		i32 3; set 0; br 1; end; end; unreachable; end; i32 1; end`
	const want = `global.get 0; set 1; block; loop; block; block; block; block; get 0; br_table 0 0 1 2 2; end; ` +
		`get 0; br_if 1; br 1; end; ` +
		`i32 2; set 0; br 2; end; ` +
		`i32 3; set 0; br 1; end; end; unreachable; end; i32 1; end`
	got, err := shortened(append(append([]byte{}, oneLocal...), assemble(t, before)...))
	if err != nil {
		t.Fatal(err)
	}
	if got := text(t, got[len(oneLocal):]); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

const call = "get 1; i32 8; sub; tee 1; global.set 0; get 1; %s; store 0; i32 0; call 77; global.get 0; set 1; "

// TestCalls: the number of a function, here 9, comes from a local, and what unwinds returns.
func TestCalls(t *testing.T) {
	here := func(address string) string { return fmt.Sprintf(call, address) }
	before := "global.get 0; set 1; block; block; block; get 0; br_table 0 1; end; " +
		here("i64 589825") + "br_if 1; end; " + here("i64 589826") + "br_if 0; get 2; set 3; i32 0; return; unreachable; end; i32 1; end"
	unwind := "if; i32 1; return; end; "
	want := "global.get 0; set 1; i64 589824; set 2; block; block; block; get 0; br_table 0 1; end; " +
		here("get 2; i64 1; or64") + unwind + "end; " + here("get 2; i64 2; or64") + unwind + "get 3; set 4; i32 0; return; unreachable; end; i32 1; end"
	got, err := shortened(append(append([]byte{}, twoLocals...), assemble(t, before)...))
	if err != nil {
		t.Fatal(err)
	}
	locals := []byte{3, 1, typeI32, 1, typeI64, 1, typeI64}
	if !strings.HasPrefix(string(got), string(locals)) {
		t.Errorf("locals: %v", got[:8])
	}
	if got := text(t, got[len(locals):]); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestCallsOfOthers: an address of another function, and a branch that leads elsewhere, stay as they are.
func TestCallsOfOthers(t *testing.T) {
	for name, code := range map[string]string{
		"two numbers": "global.get 0; set 1; " + fmt.Sprintf(call, "i64 589825") + "0" + fmt.Sprintf(call, "i64 655361") + "end",
		"elsewhere":   "global.get 0; set 1; block; call 3; global.get 0; set 1; br_if 0; end; i32 2; end",
		"no call":     "global.get 0; set 1; block; call 3; set 0; get 0; br_if 0; end; i32 1; end",
	} {
		code = strings.ReplaceAll(code, "; 0", "; ")
		whole := append(append([]byte{}, oneLocal...), assemble(t, code)...)
		if got, err := shortened(whole); err != nil || string(got) != string(whole) {
			t.Errorf("%s: %v\ngot  %s\nwant %s", name, err, text(t, got[len(oneLocal):]), text(t, whole[len(oneLocal):]))
		}
	}
}

// TestUnknownInstructions: what Go does not write is refused; a function with another convention stays as it is.
func TestUnknownInstructions(t *testing.T) {
	for _, body := range [][]byte{{0, 0xfd}, {0, opMore, 12}, {0, opBr}, {0, opF64Const, 1}, {0, 0x06}, {}, {2, 1}, {0}, {1, 1, typeI32, opGet, 0, opLocalSet, 1, opLocalGet, 1}} {
		if _, err := shortened(body); !errors.Is(err, ErrFormat) {
			t.Errorf("%v: %v", body, err)
		}
	}
	other := append([]byte{0}, assemble(t, "get 0; extend; wrap; set 0; end")...)
	if got, err := shortened(other); err != nil || string(got) != string(other) {
		t.Errorf("%v, %v", got, err)
	}
}
