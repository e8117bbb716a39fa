package site

import (
	"fmt"
	"os"
	"path/filepath"
)

// marker is a file that only our own folders have, so an earlier site can be recognized and removed.
const marker = ".rollplay-site"

// WriteTo writes the site into dir, each file beside its compressed forms, which web servers such as nginx (gzip_static,
// brotli_static) and Caddy (precompressed) send as they are. It removes an earlier site from dir first, and refuses a folder
// with other files.
func (s *Site) WriteTo(dir string) error {
	if err := empty(dir); err != nil {
		return err
	}
	if err := write(dir, marker, []byte("Made by go run ./web/rollplay build, which may delete all of this folder.\n")); err != nil {
		return err
	}
	for _, f := range s.Files {
		for suffix, content := range map[string][]byte{"": f.Raw, ".br": f.Brotli, ".gz": f.Gzip} {
			if content == nil {
				continue
			}
			if err := write(dir, f.Name+suffix, content); err != nil {
				return err
			}
		}
	}
	return nil
}

// empty removes dir if an earlier build made it.
func empty(dir string) error {
	entries, err := os.ReadDir(dir)
	if os.IsNotExist(err) || err == nil && len(entries) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(dir, marker)); err != nil {
		return fmt.Errorf("%s is not empty, and no earlier build made it: choose another folder", dir)
	}
	return os.RemoveAll(dir)
}

func write(dir, name string, content []byte) error {
	p := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
		return err
	}
	return os.WriteFile(p, content, 0o644)
}
