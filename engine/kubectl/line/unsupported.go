package line

import (
	"errors"
	"fmt"

	"github.com/rollplay/rollplay/engine/api"
)

// noStatusViewer is kubectl's answer to a kind that is not rolled out.
func noStatusViewer(key api.Key) error {
	return errors.New("no status viewer has been implemented for " + groupKind(key.Kind))
}

// groupKind names a kind with its group: ReplicaSet.apps.
func groupKind(kind api.Kind) string {
	if group := NamesOf(kind).Group; group != "" {
		return string(kind) + "." + group
	}
	return string(kind)
}

// noHistoryViewer is kubectl's answer to a kind that has no revisions.
func noHistoryViewer(key api.Key) error {
	return fmt.Errorf("no history viewer has been implemented for %q", groupKind(key.Kind))
}

// unsupported returns kubectl's answer to a rollout verb about another kind.
func unsupported(doing string) func(api.Key) error {
	return func(key api.Key) error {
		return fmt.Errorf("%s %q %s is not supported", key.Kind.Resource(), key.Name, doing)
	}
}

// noRollbacker is kubectl's answer to the rollback of another kind.
func noRollbacker(key api.Key) error {
	return fmt.Errorf("no rollbacker has been implemented for %q", key.Kind)
}

// noScale is the server's answer to the scaling of what has no number of pods.
func noScale(api.Key) error {
	return &api.StatusError{Reason: api.ReasonNotFound, Message: "the server could not find the requested resource"}
}

// noAutoscale is the answer about what has no number of pods.
func noAutoscale(key api.Key) error {
	return fmt.Errorf("cannot autoscale a %s: could not find scale subresource for %s in discovery information", key.Kind,
		ResourceVersion(key.Kind))
}
