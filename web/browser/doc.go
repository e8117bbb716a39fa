// Package browser holds the tests that play rollplay in a real browser, as a person does. It has no code of its own.
package browser
