package api

import (
	"errors"
	"fmt"
)

// Reason is the machine-readable reason of an API server error.
type Reason string

// The reasons that callers branch on.
const (
	ReasonNotFound      Reason = "NotFound"
	ReasonAlreadyExists Reason = "AlreadyExists"
	ReasonConflict      Reason = "Conflict"
	ReasonInvalid       Reason = "Invalid"
	ReasonForbidden     Reason = "Forbidden"
	ReasonBadRequest    Reason = "BadRequest"

	ReasonTooManyRequests Reason = "TooManyRequests" // an eviction that a disruption budget does not allow now (P-12)
)

// StatusError is a refusal of the API server.
type StatusError struct {
	Reason            Reason // empty where the server gives none
	Message           string
	Cause             string // what the server says of the cause; kubectl does not print it
	RetryAfterSeconds int32  // when to try again; 0 if the server does not say
}

func (e *StatusError) Error() string { return e.Message }

// IsReason says whether an error is a refusal for that reason.
func IsReason(err error, reason Reason) bool {
	var s *StatusError
	return errors.As(err, &s) && s.Reason == reason
}

// Resource returns the plural name with its group, as error texts use it: deployments.apps, pods.
func (k Kind) Resource() string {
	switch k {
	case KindDeployment:
		return "deployments.apps"
	case KindReplicaSet:
		return "replicasets.apps"
	case KindNode:
		return "nodes"
	case KindResourceQuota:
		return "resourcequotas"
	case KindStatefulSet:
		return "statefulsets.apps"
	case KindDaemonSet:
		return "daemonsets.apps"
	case KindControllerRevision:
		return "controllerrevisions.apps"
	case KindPodDisruptionBudget:
		return "poddisruptionbudgets.policy"
	case KindHorizontalPodAutoscaler:
		return "horizontalpodautoscalers.autoscaling"
	case KindPersistentVolumeClaim:
		return "persistentvolumeclaims"
	}
	return "pods"
}

// NotFound is the API server's answer to a name that it does not have.
func NotFound(key Key) error {
	return &StatusError{Reason: ReasonNotFound, Message: fmt.Sprintf("%s %q not found", key.Kind.Resource(), key.Name)}
}

// AlreadyExists is the answer to the creation of a name that is taken.
func AlreadyExists(key Key) error {
	return &StatusError{Reason: ReasonAlreadyExists, Message: fmt.Sprintf("%s %q already exists", key.Kind.Resource(), key.Name)}
}

// Conflict is the answer to a write with an old resourceVersion.
func Conflict(key Key) error {
	return &StatusError{Reason: ReasonConflict, Message: fmt.Sprintf("Operation cannot be fulfilled on %s %q: the object has been modified; "+
		"please apply your changes to the latest version and try again", key.Kind.Resource(), key.Name)}
}

// Forbidden is the answer of an admission plugin that refuses a creation.
func Forbidden(key Key, why string) error {
	return &StatusError{Reason: ReasonForbidden, Message: fmt.Sprintf("%s %q is forbidden: %s", key.Kind.Resource(), key.Name, why)}
}
