//go:build unix

package pack

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// lock waits until no other process of this user holds the lock of that name. The kernel releases it when a process dies, so
// nothing stays locked.
func lock(name string) (unlock func(), err error) {
	name = filepath.Join(os.TempDir(), fmt.Sprintf("rollplay-%s-%d.lock", name, os.Getuid()))
	f, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		f.Close()
		return nil, fmt.Errorf("locking %s: %w", name, err)
	}
	return func() { f.Close() }, nil
}
