package pack

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
)

// Speed says how hard to compress.
type Speed struct{ brotli, gzip int }

var (
	// Fast is for development: a quarter larger, and done in a moment.
	Fast = Speed{brotli: 4, gzip: 3}
	// Small is for publishing. The wasm alone takes a minute, unless an earlier build has compressed the same one.
	Small = Speed{brotli: brotli.BestCompression, gzip: gzip.BestCompression}
)

// window is the largest that every browser accepts. It has 16 MB, so it holds the whole wasm.
const window = 24

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
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// brotli compresses a file. The best quality takes a minute for the wasm, so the last result for each large file stays in the
// cache behind the hash of its content.
func (o Options) brotli(f *File) ([]byte, error) {
	if o.Speed != Small || len(f.Raw) < 100_000 {
		return squeeze(f.Raw, o.Speed.brotliWriter)
	}
	hash := sha256.Sum256(f.Raw)
	stem, _, _ := strings.Cut(filepath.Base(f.Name), "-")
	name := filepath.Join(o.Root, "web", "node_modules", ".cache", "brotli", stem)
	if kept, err := os.ReadFile(name); err == nil && bytes.HasPrefix(kept, hash[:]) {
		return kept[len(hash):], nil
	}
	small, err := squeeze(f.Raw, o.Speed.brotliWriter)
	if err != nil || small == nil {
		return nil, err
	}
	return small, writeNew(name, append(hash[:], small...))
}

func (s Speed) brotliWriter(w io.Writer) io.WriteCloser {
	return brotli.NewWriterOptions(w, brotli.WriterOptions{Quality: s.brotli, LGWin: window})
}

func (s Speed) gzipWriter(w io.Writer) io.WriteCloser {
	z, err := gzip.NewWriterLevel(w, s.gzip)
	if err != nil {
		panic("pack: " + err.Error()) // only for a level that does not exist
	}
	return z
}

// squeeze returns raw as the writer encodes it, nil if that is not shorter.
func squeeze(raw []byte, with func(io.Writer) io.WriteCloser) ([]byte, error) {
	var buf bytes.Buffer
	w := with(&buf)
	if _, err := w.Write(raw); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	if buf.Len() >= len(raw) {
		return nil, nil
	}
	return buf.Bytes(), nil
}
