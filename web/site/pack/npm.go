package pack

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/rollplay/rollplay/web/must"
)

// ErrNoNPM means that packages are missing and cannot be installed.
var ErrNoNPM = errors.New("npm is missing: install Node.js 20 or newer, which contains it, and try again")

// installPackages runs npm ci if packages of the lockfile are missing. The lock makes it safe for the tests of several
// packages, which run at the same time.
func installPackages(o Options) error {
	web := filepath.Join(o.Root, "web")
	if fresh(web) {
		return nil
	}
	defer must.Have(lock("npm"))()
	if fresh(web) {
		return nil
	}
	if _, err := exec.LookPath("npm"); err != nil {
		return ErrNoNPM
	}
	o.Logf("installing the JavaScript packages of web/package-lock.json (npm ci)")
	cmd := exec.Command("npm", "ci")
	cmd.Dir = web
	if msg, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("npm ci: %w\n%s", err, bytes.TrimSpace(msg))
	}
	return nil
}

// fresh reports whether npm has installed the packages since the last change of the lockfile. npm writes a lockfile of its own
// when it is done.
func fresh(web string) bool {
	want, err := os.Stat(filepath.Join(web, "package-lock.json"))
	if err != nil {
		return false
	}
	have, err := os.Stat(filepath.Join(web, "node_modules", ".package-lock.json"))
	return err == nil && !have.ModTime().Before(want.ModTime())
}
