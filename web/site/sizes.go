package site

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// Ceilings of the download, in bytes after brotli -11. They come down with the real sizes.
const (
	WasmCeiling      = 1_850_000
	FirstLoadCeiling = 2_050_000
)

// WriteSizes prints a table of the files of the first load.
func (s *Site) WriteSizes(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%-24s %12s %12s\n", "first load", "raw", "brotli")
	var raw, sent int
	for i := range s.Files {
		f := &s.Files[i]
		if !f.First {
			continue
		}
		fmt.Fprintf(&b, "%-24s %12s %12s\n", f.Name, thousands(len(f.Raw)), thousands(f.Transfer()))
		raw += len(f.Raw)
		sent += f.Transfer()
	}
	fmt.Fprintf(&b, "%-24s %12s %12s   (ceiling %s)\n", "all", thousands(raw), thousands(sent), thousands(FirstLoadCeiling))
	s.writeEmbedSizes(&b)
	s.writePageSizes(&b)
	_, err := io.WriteString(w, b.String())
	return err
}

// CheckSizes returns an error if a file is over its ceiling. It is meaningful only for a site built with Small.
func (s *Site) CheckSizes() error {
	var errs []error
	all := 0
	for i := range s.Files {
		f := &s.Files[i]
		if !f.First {
			continue
		}
		all += f.Transfer()
		if f.Type == "application/wasm" && f.Transfer() > WasmCeiling {
			errs = append(errs, tooLarge(f.Name, f.Transfer(), WasmCeiling))
		}
	}
	if all > FirstLoadCeiling {
		errs = append(errs, tooLarge("the first load", all, FirstLoadCeiling))
	}
	errs = append(errs, s.checkEmbedSizes(), s.checkPosters())
	return errors.Join(errs...)
}

func tooLarge(what string, got, ceiling int) error {
	return fmt.Errorf("%s has %s bytes after brotli, the ceiling is %s", what, thousands(got), thousands(ceiling))
}

// thousands writes 1234567 as 1,234,567.
func thousands(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
