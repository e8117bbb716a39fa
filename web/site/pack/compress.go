package pack

import (
	"bytes"
	"compress/gzip"
	"io"
	"runtime"
	"sync"

	"github.com/andybalholm/brotli"
)

// Speed says how hard to compress.
type Speed struct{ brotli, gzip int }

var (
	// Fast is for trying things out: a quarter larger, and done in a moment.
	Fast = Speed{brotli: 4, gzip: 3}
	// Small is for publishing. It takes about half a minute.
	Small = Speed{brotli: brotli.BestCompression, gzip: gzip.BestCompression}
)

// window is the largest that every browser accepts: 16 MB, which holds the whole wasm.
const window = 24

// compress fills in Brotli and Gzip of every file, several files at a time.
func Compress(o Options, files []File) error {
	if o.Speed == Small {
		o.Logf("compressing (this takes half a minute)")
	}
	errs := make([]error, 2*len(files))
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	var wg sync.WaitGroup
	run := func(err *error, dst *[]byte, raw []byte, with func(io.Writer) io.WriteCloser) {
		slots <- struct{}{}
		wg.Go(func() {
			*dst, *err = squeeze(raw, with)
			<-slots
		})
	}
	for i := range files {
		f := &files[i]
		run(&errs[2*i], &f.Brotli, f.Raw, o.Speed.brotliWriter)
		run(&errs[2*i+1], &f.Gzip, f.Raw, o.Speed.gzipWriter)
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func (s Speed) brotliWriter(w io.Writer) io.WriteCloser {
	return brotli.NewWriterOptions(w, brotli.WriterOptions{Quality: s.brotli, LGWin: window})
}

func (s Speed) gzipWriter(w io.Writer) io.WriteCloser {
	z, err := gzip.NewWriterLevel(w, s.gzip)
	if err != nil {
		panic("site: " + err.Error()) // only a level that does not exist
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
