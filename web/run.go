package main

import "errors"

// play prints the trace of a scenario.
func play(args []string, c console) error { return errors.New("run: not built yet") }
