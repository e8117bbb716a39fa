package gowasm

import (
	"bytes"
	"strings"
	"testing"
)

const (
	start  = "global.get 0; set 1; "
	lower  = "get 1; i32 40; sub; tee 1; global.set 0; "
	raise  = "get 1; i32 40; add; tee 1; global.set 0; get 1; i32 8; add; tee 1; global.set 0; i32 0; return; "
	enter  = "get 1; i32 40; tee 2; i32 0; get 0; select; add; set 3; "
	lowers = "get 1; get 2; sub; tee 1; global.set 0; "
	raises = "get 3; i32 8; add; tee 1; global.set 0; i32 0; return; "
)

// TestFrame: arguments and results of a function whose frame has 40 bytes begin at 48 from the stack pointer, and at 8 from its end.
func TestFrame(t *testing.T) {
	for name, c := range map[string]struct{ code, want string }{
		"an argument":              {"get 1; load 48; set 2; ", "get 3; load 8; set 4; "},
		"a result":                 {"get 1; get 2; store 56; ", "get 3; get 4; store 16; "},
		"a result from an address": {"get 1; get 2; wrap; load 8; store 56; ", "get 3; get 4; wrap; load 8; store 16; "},
		"an address":               {"get 1; i32 64; add; set 2; ", "get 3; i32 24; add; set 4; "},
		"an address of 64 bits":    {"get 1; extend; i64 64; add64; set 2; ", "get 3; extend; i64 24; add64; set 4; "},
		"inside the frame":         {"get 1; get 1; load 32; store 24; ", "get 1; get 1; load 32; store 24; "},
		"the return address":       {"get 1; load 40; set 2; ", "get 1; load 40; set 4; "},
	} {
		t.Run(name, func(t *testing.T) {
			f := function{locals: twoLocals, code: codeOf(t, start+lower+c.code+raise+"end")}
			useFrame(&f)
			if got, want := textOf(t, f.code), start+enter+lowers+c.want+raises+"end"; got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
			if want := []byte{3, 1, typeI32, 2, typeI32, 1, typeI64}; !bytes.Equal(f.locals, want) {
				t.Errorf("locals: %v, want %v", f.locals, want)
			}
		})
	}
}

// TestFrameAfterCalls: behind the number of the function the locals are 3 and 4. The check of the stack uses the size, too, and
// so does each call, behind which the stack may be elsewhere.
func TestFrameAfterCalls(t *testing.T) {
	const number = "i64 589824; set 2; "
	const push = "get 1; i32 8; sub; tee 1; global.set 0; get 1; get 2; i64 1; or64; store 0; i32 0; call 77; "
	const call = push + "global.get 0; set 1; "
	replaced := strings.NewReplacer("40", "200")
	before := start + number + "get 1; i32 72; add; le; if; " + call + "end; " + replaced.Replace(lower) + call + replaced.Replace(raise) + "end"
	up := strings.NewReplacer("40", "200", "get 2", "get 3", "get 3", "get 4", "tee 2", "tee 3", "set 3", "set 4")
	want := start + number + up.Replace(enter) + "get 1; get 3; i32 128; sub; add; le; if; " + call + "end; " + up.Replace(lowers) + push + "global.get 0; tee 1; get 3; add; set 4; " + up.Replace(raises) + "end"
	f := function{locals: []byte{2, 1, typeI32, 1, typeI64}, code: codeOf(t, before)}
	useFrame(&f)
	if got := textOf(t, f.code); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestOtherFrames: a function that moves the stack pointer in a way of its own stays as it is.
func TestOtherFrames(t *testing.T) {
	for name, code := range map[string]string{
		"no frame":         "get 1; load 8; set 2; end",
		"another stack":    lower + "get 2; wrap; tee 1; global.set 0; get 1; load 48; set 2; " + raise + "end",
		"a global alone":   lower + "get 2; wrap; global.set 0; get 1; load 48; set 2; " + raise + "end",
		"a local alone":    lower + "get 2; wrap; set 1; get 1; load 48; set 2; " + raise + "end",
		"two frames":       lower + lower + "get 1; load 48; set 2; " + raise + "end",
		"half a frame":     lower + "get 1; load 48; set 2; get 1; i32 16; add; tee 1; global.set 0; end",
		"an other address": "get 1; i32 8; sub; tee 1; global.set 0; get 1; i64 589825; store 0; i32 0; call 77; global.get 0; set 1; " + lower + raise + "end",
	} {
		f := function{locals: twoLocals, code: codeOf(t, start+code)}
		useFrame(&f)
		if got := textOf(t, f.code); got != start+code {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func codeOf(t *testing.T, text string) []instruction {
	t.Helper()
	f, err := readFunction(append([]byte{0}, assemble(t, text)...))
	if err != nil {
		t.Fatal(err)
	}
	return f.code
}

// textOf writes code as text does.
func textOf(t *testing.T, code []instruction) string {
	t.Helper()
	return text(t, (&function{code: code}).encode())
}
