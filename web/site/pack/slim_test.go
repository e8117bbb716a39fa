package pack

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/web/site/pack/slim"
)

// panics is a program that shows everything that reads the function table: a traceback, the names of callers through inlined functions,
// deferred calls and recover, garbage collection of a deep stack, and its growth. And it moves pointers while the collector marks.
const panics = `package main

import (
	"fmt"
	"runtime"
	"strings"
	"syscall/js"
)

type node struct {
	next *node
	text string
}

//go:noinline
func deep(n int, list *node) int {
	if n == 0 {
		runtime.GC()
		return 0
	}
	text := strings.Repeat("x", n%7)
	defer func() { list.text += text[:0] }()
	return deep(n-1, &node{list, text}) + len(text)
}

func small() string { return names() } // inlined

func names() string {
	var pcs [8]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs[:])])
	var all []string
	for more := true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		all = append(all, f.Function)
	}
	return strings.Join(all, " < ")
}

//go:noinline
func index(list []int, i int) int { return list[i] }

func recovered() (text string) {
	defer func() { text = fmt.Sprint(recover(), " in ", names()) }()
	return fmt.Sprint(index(nil, 3))
}

// taking turns leaves the stack in the middle of loops and calls, and comes back.
func turns() (sum float64) {
	c, done := make(chan int), make(chan float64)
	for n := range 5 {
		go func() {
			part := 0.0
			for v := range c {
				runtime.Gosched()
				part += float64(v*n) / 7
			}
			done <- part * 0
		}()
	}
	for v := range 1_000 {
		c <- v
		sum += float64(v) / 3
	}
	close(c)
	for range 5 {
		sum += <-done
	}
	return sum
}

//go:noinline
func second(n *node) string { return n.next.text + n.next.next.text }

func ofNil() (text string) {
	defer func() { text = fmt.Sprint(recover(), " in ", names()) }()
	return second(&node{next: &node{}})
}

func inlinedIndex(list []int, i int) int { return list[i] }

func inlinedNil(n *node) string { return n.next.text }

// both panics by itself or in one of two inlined calls.
//
//go:noinline
func both(list []int, i int, n *node) string {
	text := n.text
	runtime.Gosched()
	return fmt.Sprint(text, inlinedIndex(list, i), inlinedNil(n))
}

func inlined(list []int, n *node) (text string) {
	defer func() { text = fmt.Sprint(recover(), " in ", names()) }()
	return both(list, 1, n)
}

// cycles returns how often the collector has marked everything.
func cycles() uint32 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.NumGC
}

// moved moves the second half of a list to where the collector does not look, while it marks the first half, and returns how many entries it
// has freed since. Without write barriers that is all of them, unless it was done before they moved.
func moved() (lost int, inTime bool) {
	const all = 300_000
	var list *node
	for i := range all {
		list = &node{list, fmt.Sprint(i)}
	}
	before, done := cycles(), make(chan bool)
	go func() { runtime.GC(); close(done) }()
	runtime.Gosched()
	kept := make([]*node, 1000) // the collector takes it for marked
	middle := list
	for range all / 2 {
		middle = middle.next
	}
	kept[0], middle.next = middle.next, nil
	inTime = cycles() == before
	<-done
	for i := range all {
		list = &node{list, strings.Repeat("y", i%9)}
	}
	lost = all/2 - 1
	for n := kept[0]; n != nil && n.text == fmt.Sprint(lost-1); n = n.next {
		lost--
	}
	return lost, inTime
}

// called calls JavaScript, and uses its arguments behind that.
//
//go:noinline
func called(f js.Func, a, b int) (sum, product int) {
	f.Invoke()
	return a + b, a * b
}

// cameBack calls JavaScript that comes back: the collector halves the stack of the caller, and others write where it was.
func cameBack() string {
	f := js.FuncOf(func(js.Value, []js.Value) any {
		done := make(chan int)
		for range 3 {
			runtime.GC()
			for range 50 {
				go func() { done <- deep(500, &node{}) }()
			}
			for range 50 {
				<-done
			}
		}
		return nil
	})
	defer f.Release()
	return fmt.Sprint(called(f, 3, 4))
}

func main() {
	deep(20_000, &node{})
	fmt.Println(cameBack())
	lost, inTime := 0, false
	for rounds := 0; lost == 0 && !inTime && rounds < 50; rounds++ {
		lost, inTime = moved()
	}
	fmt.Println(lost, "lost")
	fmt.Println(turns())
	fmt.Println(deep(20_000, &node{}))
	fmt.Println(small())
	fmt.Println(recovered())
	fmt.Println(ofNil())
	fmt.Println(inlined(nil, nil))
	fmt.Println(inlined([]int{1}, &node{}))
	fmt.Println(inlined([]int{1, 2}, &node{}))
	done := make(chan int)
	go func() { done <- deep(5_000, &node{}) }()
	fmt.Println(<-done)
	index([]int{1, 2}, 4)
}
`

// TestSlimProgram runs a program as it was linked and as the build rewrites it: it prints the same, apart from lines, files and
// arguments.
func TestSlimProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles Go's runtime for wasm")
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	cold := hot
	hot = append(slices.Clip(hot), "example.org/panics/wasm") // so that calls are inlined
	t.Cleanup(func() { hot = cold })
	raw := compilePanics(t, false)
	want := runWasm(t, node, raw)
	for _, name := range []string{"main.small < main.main", "main.recovered.func1", "main.inlinedIndex < main.both < main.inlined", "main.inlinedNil < main.both", "runtime.sigpanic < main.both", "goroutine 1 [running]", "main.index(", "/main.go:"} {
		if !strings.Contains(want, name) {
			t.Errorf("the whole program does not print %q:\n%s", name, want)
		}
	}
	// A call in a traceback has two lines: main.index(0x1234, 0x3) and /tmp/main.go:42 +0x3.
	lines := regexp.MustCompile(`(?m)\([^()\n]*\)\n\t\S+:\d+ \+0x[0-9a-f]+$`)
	plain := lines.ReplaceAllString(want, "()\n\t?:0")
	if plain == want {
		t.Error("no line is left out, so this tests nothing")
	}
	for patched, whole := range map[bool][]byte{false: raw, true: compilePanics(t, true)} {
		small, err := slim.Module(whole, patched)
		if err != nil {
			t.Fatal(err)
		}
		got := runWasm(t, node, small)
		if calls := regexp.MustCompile(`(?m)\(\)\n\t\?:0 \+0x[0-9a-f]+$`).ReplaceAllString(got, "()\n\t?:0"); calls != plain {
			t.Errorf("patched: %t, got:\n%s\nwant:\n%s", patched, calls, plain)
		}
		if runWasm(t, node, withoutBarriers(t, small)) == got {
			t.Error("the write barriers write no pointers, and nothing is lost")
		}
		if a, b := compressed(t, small), compressed(t, raw); a > b*80/100 {
			t.Errorf("%d bytes of %d are left", a, b)
		}
		if indexed, err := slim.Module(whole, false); err != nil || patched && len(small) > len(indexed)*90/100 {
			t.Errorf("%v: without the index of functions it has %d bytes, with it %d", err, len(small), len(indexed))
		}
	}
}

// withoutBarriers returns a program whose helpers for write barriers write zeros.
func withoutBarriers(t *testing.T, module []byte) []byte {
	t.Helper()
	const pointer, zero = "\xa7\x20", "\xa7\x42" // i32.wrap_i64, and local.get or i64.const
	for _, helper := range []string{
		"\x20\x01" + pointer + "\x00\x37\x03\x00\x0b", // local.get 1; i32.wrap_i64; local.get 0; i64.store 0; end
		"\x20\x02" + pointer + "\x00\x37\x03\x00\x20\x02" + pointer + "\x01\x37\x03\x08\x0b",
	} {
		if n := bytes.Count(module, []byte(helper)); n != 1 {
			t.Fatalf("%d helpers end with % x", n, helper)
		}
		module = bytes.Replace(module, []byte(helper), []byte(strings.ReplaceAll(helper, pointer, zero)), 1)
	}
	return module
}

func compilePanics(t *testing.T, patched bool) []byte {
	t.Helper()
	root, dir := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.org/panics\n\ngo 1.26\n", "go.sum": "", "wasm/main.go": panics} {
		if err := write(filepath.Join(root, name), text); err != nil {
			t.Fatal(err)
		}
	}
	overlay := ""
	if patched {
		var err error
		if overlay, err = withPatches(goRoot(), root, dir); err != nil {
			t.Fatal(err)
		}
	}
	out := filepath.Join(dir, "panics.wasm")
	if err := compile(Options{Root: root}, filepath.Join(root, "go.mod"), overlay, out); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func write(name, text string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, []byte(text), 0o644)
}

// runWasm returns what a program prints before it fails.
func runWasm(t *testing.T, node string, module []byte) string {
	t.Helper()
	goroot := goRoot()
	name := filepath.Join(t.TempDir(), "program.wasm")
	if err := os.WriteFile(name, module, 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(node, "--stack-size=8192", filepath.Join(goroot, "lib", "wasm", "wasm_exec_node.js"), name).CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 2 {
		t.Fatalf("it ended with %v, not with the code of a panic\n%s", err, out)
	}
	return string(out)
}

func compressed(t *testing.T, raw []byte) int {
	t.Helper()
	small, err := Fast.brotliOf(raw)
	if err != nil {
		t.Fatal(err)
	}
	return len(small)
}
