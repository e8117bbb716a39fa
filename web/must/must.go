// Package must ends a piece of work at its first error. Nearly every step of a build, or of a command, can fail, and then nothing is left
// to do but to say why: the function that began the work defers Caught and returns the error.
package must

import "fmt"

// failure is the panic with which Have ends the work.
type failure struct{ error }

// Have returns a value, or ends the work with the error.
func Have[T any](value T, err error) T {
	if err != nil {
		panic(failure{err})
	}
	return value
}

// Do ends the work if there is an error.
func Do(err error) { Have(0, err) }

// Be ends the work with an error of this text unless something holds.
func Be(holds bool, format string, args ...any) {
	if !holds {
		Do(fmt.Errorf(format, args...))
	}
}

// Wrap ends the work if there is an error, which follows this text.
func Wrap(err error, format string, args ...any) {
	Be(err == nil, "%s: %w", fmt.Sprintf(format, args...), err)
}

// Caught sets err to the error with which the work ended.
func Caught(err *error) {
	switch v := recover().(type) {
	case nil:
	case failure:
		*err = v.error
	default:
		panic(v)
	}
}
