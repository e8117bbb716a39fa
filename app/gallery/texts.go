//go:build !js

package gallery

import "github.com/rollplay/rollplay/scenarios"

// TextOf has every text: only the program in the browser starts without them.
var TextOf = scenarios.Text
