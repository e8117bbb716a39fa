package pack

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rollplay/rollplay/web/must"
)

// keptMost limits the results of one kind in the cache. It covers a few branches and the two forms of app.wasm.
const keptMost = 6

// kept returns the result that belongs to these inputs from the cache, or makes it and puts it there. Only one process makes it;
// others wait. So the tests of all packages build and compress the program once, also between runs.
func (o Options) kept(kind string, inputs []byte, result func() ([]byte, error)) (made []byte, err error) {
	defer must.Caught(&err)
	defer must.Have(lock(fmt.Sprintf("%s-%.4x", kind, sha256.Sum256([]byte(o.Root)))))() // other clones need not wait
	sum := sha256.Sum256(inputs)
	dir := filepath.Join(o.Root, "web", "node_modules", ".cache", kind)
	name := filepath.Join(dir, hex.EncodeToString(sum[:]))
	if have, err := os.ReadFile(name); err == nil {
		now := time.Now()
		return have, os.Chtimes(name, now, now) // the least recently used go first
	}
	made = must.Have(result())
	must.Do(writeNew(name, made))
	removeOldest(dir)
	return made, nil
}

// removeOldest leaves keptMost files in a folder of the cache.
func removeOldest(dir string) {
	var files []fs.FileInfo
	for _, e := range must.Have(os.ReadDir(dir)) {
		files = append(files, must.Have(e.Info()))
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int {
		return cmp.Or(b.ModTime().Compare(a.ModTime()), strings.Compare(a.Name(), b.Name()))
	})
	for _, f := range files[min(len(files), keptMost):] {
		must.Do(os.Remove(filepath.Join(dir, f.Name())))
	}
}
