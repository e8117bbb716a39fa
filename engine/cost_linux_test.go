package engine

import (
	"syscall"
	"time"
	"unsafe"
)

// threadTime is the processor time of this thread.
func threadTime() time.Duration {
	const threadClock = 3
	var now syscall.Timespec
	syscall.Syscall(syscall.SYS_CLOCK_GETTIME, threadClock, uintptr(unsafe.Pointer(&now)), 0)
	return time.Duration(now.Nano())
}
