package line

import (
	"errors"
	"fmt"

	"github.com/rollplay/rollplay/engine/api"
)

// ErrorText words an error as kubectl does: an answer of the server is named as such, an invalid object has a
// sentence of its own, anything else is an error of the command.
func ErrorText(err error) string {
	var refused *api.StatusError
	if errors.As(err, &refused) && refused == err {
		if refused.Reason == api.ReasonInvalid {
			return refused.Message
		}
		return fmt.Sprintf("Error from server (%s): %s", refused.Reason, refused.Message)
	}
	return "error: " + err.Error()
}

// NotFound is the API server's answer to a name that it does not have.
func NotFound(key api.Key) error {
	if key.Kind == KindEvent {
		return &api.StatusError{Reason: api.ReasonNotFound, Message: `events "` + key.Name + `" not found`}
	}
	return api.NotFound(key)
}
