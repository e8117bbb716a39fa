//go:build !js

package gallery

import "github.com/rollplay/rollplay/scenarios"

// textOf has every text: only the program in the browser starts without them.
var textOf = scenarios.Text
