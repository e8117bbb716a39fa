package recorded

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
)

// readLines calls use for each record of a gzipped file of JSON lines.
func readLines[T any](fsys fs.FS, name string, use func(*T) error) (err error) {
	f, err := fsys.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	d := json.NewDecoder(bufio.NewReaderSize(z, 1<<16))
	for line := 1; ; line++ {
		var record T
		switch err := d.Decode(&record); {
		case err == io.EOF:
			return nil
		case err != nil:
			return fmt.Errorf("%s: record %d: %w", name, line, err)
		}
		if err := use(&record); err != nil {
			return fmt.Errorf("%s: record %d: %w", name, line, err)
		}
	}
}
