//go:build !unix

package pack

// lock does nothing where flock is missing. At worst two processes install the same packages at the same time.
func lock(string) (unlock func()) { return func() {} }
