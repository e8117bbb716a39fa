//go:build unix

package site

import (
	"fmt"
	"os"
	"syscall"
)

// lock waits until no other process holds the lock of that name. The kernel gives it back when a process dies, so
// nothing can be left locked.
func lock(name string) (unlock func(), err error) {
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
