//go:build !linux

package engine

import "time"

var testsBegan = time.Now()

// threadTime is the time that passed: elsewhere than on Linux, what other programs take counts too.
func threadTime() time.Duration { return time.Since(testsBegan) }
