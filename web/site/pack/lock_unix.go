//go:build unix

package pack

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"github.com/rollplay/rollplay/web/must"
)

// lock waits until no other process of this user holds the lock of that name. The kernel releases it when a process dies, so
// nothing stays locked.
func lock(name string) (unlock func()) {
	name = filepath.Join(os.TempDir(), fmt.Sprintf("rollplay-%s-%d.lock", name, os.Getuid()))
	f := must.Have(os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o600))
	must.Wrap(syscall.Flock(int(f.Fd()), syscall.LOCK_EX), "locking %s", name)
	return func() { f.Close() }
}
