package pack

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// ErrNoNPM is returned when packages are missing and there is nothing to install them with.
var ErrNoNPM = errors.New("npm is missing: install Node.js 20 or newer, which brings it, and run this again")

// installPackages runs npm ci when what the lockfile names is not there. The lock makes it safe for the tests of
// several packages, which run at the same time.
func installPackages(o Options) error {
	web := filepath.Join(o.Root, "web")
	if fresh(web) {
		return nil
	}
	unlock, err := lock("npm")
	if err != nil {
		return err
	}
	defer unlock()
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

// fresh says whether npm has installed since the lockfile was last changed. npm leaves a lockfile of its own behind
// when it is done.
func fresh(web string) bool {
	want, err := os.Stat(filepath.Join(web, "package-lock.json"))
	if err != nil {
		return false
	}
	have, err := os.Stat(filepath.Join(web, "node_modules", ".package-lock.json"))
	return err == nil && !have.ModTime().Before(want.ModTime())
}
