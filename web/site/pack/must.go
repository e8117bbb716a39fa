package pack

// failure is the panic with which Must ends a build.
type failure struct{ error }

// Must returns a value, or ends the build with the error. Nearly every step of a build can fail, and then nothing is left to do but to say
// why: the exported function that began the build defers Caught and returns the error.
func Must[T any](value T, err error) T {
	if err != nil {
		panic(failure{err})
	}
	return value
}

// Check ends the build if there is an error.
func Check(err error) { Must(0, err) }

// Caught sets err to the error with which Must ended the build.
func Caught(err *error) {
	switch v := recover().(type) {
	case nil:
	case failure:
		*err = v.error
	default:
		panic(v)
	}
}
