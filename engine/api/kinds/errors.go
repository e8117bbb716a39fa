package kinds

import (
	"fmt"

	"github.com/rollplay/rollplay/engine/api"
)

// NotFound is the API server's answer to an unknown name.
func NotFound(key api.Key) error {
	return answer(api.ReasonNotFound, "%s %q not found", key)
}

// AlreadyExists is the answer to the creation of an object whose name is taken.
func AlreadyExists(key api.Key) error {
	return answer(api.ReasonAlreadyExists, "%s %q already exists", key)
}

// Taken is the answer if the stored object of that name is being deleted, too (registry/store.go:create).
func Taken(stored api.Object) error {
	if stored.Meta().Terminating() {
		return answer(api.ReasonAlreadyExists, "object is being deleted: %s %q already exists", stored.Key())
	}
	return AlreadyExists(stored.Key())
}

// Conflict is the answer to a write with an old resourceVersion.
func Conflict(key api.Key) error {
	return answer(api.ReasonConflict, "Operation cannot be fulfilled on %s %q: the object has been modified; "+
		"please apply your changes to the latest version and try again", key)
}

// Forbidden is the answer of an admission plugin that rejects a creation.
func Forbidden(key api.Key, why string) error {
	return answer(api.ReasonForbidden, "%s %q is forbidden: "+why, key)
}

func answer(reason api.Reason, format string, key api.Key) error {
	return &api.StatusError{Reason: reason, Message: fmt.Sprintf(format, Of(key.Kind).Resource(), key.Name)}
}
