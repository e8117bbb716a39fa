package pack

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"io/fs"
	"math/bits"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/andybalholm/brotli"

	"github.com/rollplay/rollplay/web/must"
)

// Speed is the effort of compression.
type Speed struct{ brotli, gzip int }

var (
	// Fast is for development: a quarter larger, and done in a moment.
	Fast = Speed{brotli: 4, gzip: 3}
	// Small is for publishing. The wasm alone takes a minute, unless an earlier build has compressed the same one.
	Small = Speed{brotli: brotli.BestCompression, gzip: gzip.BestCompression}
)

// Compress fills in Brotli and Gzip of every file, several files at a time.
func Compress(o Options, files []File) error {
	if o.Speed == Small {
		o.Logf("compressing (this takes a minute)")
	}
	errs := make([]error, 2*len(files))
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var wg sync.WaitGroup
	run := func(do func()) {
		slots <- struct{}{}
		wg.Go(func() { do(); <-slots })
	}
	for i := range files {
		f := &files[i]
		run(func() { f.Brotli, errs[2*i] = o.brotli(f) })
		run(func() { f.Gzip, errs[2*i+1] = squeeze(f.Raw, o.Speed.gzipWriter) })
	}
	wg.Wait()
	return cmp.Or(errs...)
}

// brotli compresses a file. The best quality takes a minute for the wasm, so the results for large files stay in the
// cache.
func (o Options) brotli(f *File) ([]byte, error) {
	if o.Speed != Small || len(f.Raw) < 100_000 {
		return o.Speed.brotliOf(f.Raw)
	}
	stem, _, _ := strings.Cut(path.Base(f.Name), "-")
	small, err := o.kept("brotli-"+stem, f.Raw, func() ([]byte, error) { return o.Speed.brotliOf(f.Raw) })
	if len(small) == 0 {
		small = nil
	}
	return small, err
}

// brotliOf compresses with a window that holds all of raw. The largest that every browser accepts has 16 MB, enough for the wasm;
// for a small file most of the time would go into clearing it. A larger file than 16.5 MB would be split where it cannot be helped: the encoder
// reads a part that is mostly code as UTF-8, and needs 16 kB more for it.
func (s Speed) brotliOf(raw []byte) ([]byte, error) {
	window := min(max(bits.Len(uint(len(raw)+16)), 10), 24)
	return squeeze(raw, func(w io.Writer) io.WriteCloser {
		return brotli.NewWriterOptions(w, brotli.WriterOptions{Quality: s.brotli, LGWin: window})
	})
}

func (s Speed) gzipWriter(w io.Writer) io.WriteCloser {
	return must.Have(gzip.NewWriterLevel(w, s.gzip)) // the levels exist
}

// squeeze returns raw as the writer encodes it, nil if that is not shorter.
func squeeze(raw []byte, with func(io.Writer) io.WriteCloser) ([]byte, error) {
	var buf bytes.Buffer
	w := with(&buf)
	_, err := w.Write(raw)
	if err = cmp.Or(err, w.Close()); err != nil || buf.Len() >= len(raw) {
		return nil, err
	}
	return buf.Bytes(), nil
}

// keptMost limits the results of one kind in the cache. It covers a few branches and the two forms of app.wasm.
const keptMost = 6

// kept returns the result that belongs to these inputs from the cache, or makes it and puts it there. Only one process makes it;
// others wait. So the tests of all packages build and compress the program once, also between runs.
func (o Options) kept(kind string, inputs []byte, result func() ([]byte, error)) (made []byte, err error) {
	defer must.Caught(&err)
	defer lock(fmt.Sprintf("%s-%.4x", kind, sha256.Sum256([]byte(o.Root))))() // other clones need not wait
	dir := filepath.Join(o.Root, "web", "node_modules", ".cache", kind)
	name := filepath.Join(dir, fmt.Sprintf("%x", sha256.Sum256(inputs)))
	if have, err := os.ReadFile(name); err == nil {
		now := time.Now()
		return have, os.Chtimes(name, now, now) // the least recently used go first
	}
	made = must.Have(result())
	writeNew(name, made)
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
