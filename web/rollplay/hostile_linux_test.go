package main

import (
	"os"
	"syscall"
)

// mostMemory is the most memory that an ended process had, in bytes.
func mostMemory(state *os.ProcessState) int64 { return state.SysUsage().(*syscall.Rusage).Maxrss << 10 }
