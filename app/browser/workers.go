package browser

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// StartWorkers starts workers that measure runs, at most as many as a limit, unless some are there. When they are ready they are
// reported as numbers-heard; a browser that has none to give reports nothing.
func StartWorkers(limit int) { call("startWorkers", limit) }

// GiveWorkers hands a task over, of which the runs with these numbers are missing.
func GiveWorkers(id int, task string, missing []int) {
	if !app.IsServer {
		call("giveWorkers", id, task, JSON(missing))
	}
}

// EndWorkers ends them, with what they work on.
func EndWorkers() { call("endWorkers") }
