package pack

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/rollplay/rollplay/web/must"
)

// patch changes a file of Go's source. The hash binds it to one version of the file: in another version the same lines may mean
// something else.
type patch struct {
	file  string // below GOROOT/src
	hash  string // SHA-256 of the file that was patched
	whole string // the new text of the file, if nothing of it stays
	as    string // where the changed copy goes, if not in its place
}

// goPatches are the changed files of Go 1.26.8, the toolchain in go.mod. For another version read what changed in each file, then update
// its hash.
//
// The patches in runtime let Go's garbage collector share the browser's only thread. Whenever no goroutine can run, the collector marks and
// sweeps until it is done before it gives the thread back: a run of 200 MB stops the page for half a second. With these changes it works
// for at most 8 ms of a turn of the browser and asks for another turn in a millisecond if there is more to do. Allocations pay
// for themselves meanwhile by marking in proportion, as everywhere.
//
// The patches of runtime/symtab.go make the list of functions when the program starts, and find the function of an address by its number,
// which in WebAssembly is in the address. So package slim leaves out the list and an index: the index was a fifth of the program, and
// the list 4 % of the download.
//
// The patches of slices sort with functions that compare and swap, as package sort does, and insert and delete in fewer steps: Go compiles
// its own functions once for each type.
//
// The patches of time drop what no moment in the page needs: Go source, JSON and text of it, zones other than those of the browser and UTC, and
// layouts with names of months. The Replacer of strings has one way to replace in place of five.
//
// The patch of syscall/js makes the values of JavaScript that Go holds larger. Each has a finalizer, and the runtime keeps the
// finalizers of 8 kB in a list that it searches from its front: with 1,024 values of 8 bytes, that took a fifth of a long task.
var goPatches = []patch{
	{file: "runtime/lock_js.go", hash: "458487e20f1eb9c8fc37f0ebf9207e4ff9997ab4e5508e1e786d53079ec4d1c1"},
	{file: "runtime/proc.go", hash: "b0ea864c1dd251cd9146644863ae9126ca57761dff05862dc80ab0799925fec6"},
	{file: "runtime/mgc.go", hash: "8ac2523177e5915edfaf4e122a903eceef08b5abd765f8d7ed96a8cc1ed3a504"},
	{file: "runtime/mgcsweep.go", hash: "81139b39aeacd63e86bdadb6e921882e871bb30c87479b454aa5d82adc0c91aa"},
	{file: "runtime/symtab.go", hash: "556bdcf7743dc7be1c7c6bef9f95b968879c152696a4fa96afb6b6c48e2f45e9"},
	{file: "syscall/js/js.go", hash: "bb41b696c1f184089a1e6a793fb5e731d19089eab15e6fb121d5ebaca97ee330"},
	{file: "time/format.go", hash: "f288c56858ab25828551681778f006b591ed140fc12e60122b6a9a7e35b07eb7"},
	{file: "time/time.go", hash: "e8b6ea9e6e7cb890aeed1d24ee7163a2237b6fa78ffc564efb8688dba717f02a"},
	{file: "time/zoneinfo.go", hash: "03bc9ba0ed7f4657121992620a83621f2ac7c5a6eb8b559d46600829e618211c"},
	{file: "slices/slices.go", hash: "8f2f5990f2189d57e530ddb8bf8224bab3e28e12d5da9f44e6d082c94228adcf"},
	{file: "slices/sort.go", hash: "e6cd273b637e7dd2f547596c22e6236b92ae9b376f31ceb7b3c3269dd60a38df"},
	{file: "sort/zsortfunc.go", as: "slices/zsortfunc.go", hash: "35cdbcbc3a63372e12eebc815c249adfd420e9d783a99b0405998a7ccb00ac1a"},
	{file: "strings/replace.go", hash: "fbe8467c532ea7e5cdb848577423c4f218cbe2776907fb5c8c091006c786cdba", whole: replacements("go")["replace.go"]},
	{file: "internal/godebug/godebug.go", hash: "cd492e76ae63872ac4310fc09b2e097229588dbf114d14d713be3f027b0233c8", whole: replacements("go")["godebug.go"]},
}

// goChanges are the changes of the files, except those that are replaced as a whole.
var goChanges = changesOf("go")

// ErrRuntime is the error for another Go than the patched one.
var ErrRuntime = errors.New("the patches of Go's runtime do not apply")

const otherRuntime = `Build with the toolchain that go.mod names (GOTOOLCHAIN=auto downloads it), or compare the file with that version,
then update its patch and its hash in web/site/pack/runtime.go. "rollplay serve" and "rollplay build --debug" work without the patches.`

// runtimeOverlay returns the file for go build -overlay with the patched files of Go, which it writes into dir. With another version of
// Go a release fails, because large runs would block the page; other builds continue with Go's own runtime and an empty overlay.
func runtimeOverlay(o Options, goroot, dir string) (overlay string, err error) {
	overlay, err = withPatches(goroot, o.Root, dir)
	if err == nil || !errors.Is(err, ErrRuntime) {
		return overlay, err
	}
	if o.Debug || o.Speed != Small {
		o.Logf("Go's collector stays as it is, so large runs block the page for longer: %v", err)
		return "", nil
	}
	return "", fmt.Errorf("%w\n%s", err, otherRuntime)
}

// withPatches writes the changed files into dir and returns the file for go build -overlay.
func withPatches(goroot, root, dir string) (overlay string, err error) {
	defer must.Caught(&err)
	replace := map[string]string{}
	write := func(from string, text []byte) {
		to := filepath.Join(dir, filepath.Base(from))
		replace[from] = to
		must.Do(os.WriteFile(to, text, 0o644))
	}
	write(filepath.Join(root, "app", "browser", "turn.go"), []byte(replacements("go")["turn.go"]))
	for _, p := range goPatches {
		from := filepath.Join(goroot, "src", filepath.FromSlash(p.file))
		text, err := p.apply(from)
		if err != nil {
			return "", fmt.Errorf("%w: %s: %w", ErrRuntime, p.file, err)
		}
		write(filepath.Join(goroot, "src", p.place()), text)
	}
	overlay = filepath.Join(dir, "overlay.json")
	return overlay, os.WriteFile(overlay, must.Have(json.Marshal(map[string]any{"Replace": replace})), 0o644)
}

// place is where the changed file goes, below GOROOT/src.
func (p *patch) place() string { return filepath.FromSlash(cmp.Or(p.as, p.file)) }

// apply returns the changed text of a file.
func (p *patch) apply(name string) ([]byte, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	if hash := fmt.Sprintf("%x", sha256.Sum256(text)); hash != p.hash {
		return nil, fmt.Errorf("its SHA-256 is %s, that of the patched version %s", hash, p.hash)
	}
	if p.whole != "" {
		return []byte(p.whole), nil
	}
	return replaceOnce(text, goChanges[p.file])
}
