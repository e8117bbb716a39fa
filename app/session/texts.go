//go:build !js

package session

import "github.com/rollplay/rollplay/scenarios"

// textOf has every text: only the program in the browser starts without them.
var textOf = scenarios.Text
