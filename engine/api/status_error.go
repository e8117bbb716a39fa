package api

import (
	"cmp"
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

// StatusError is an error answer of the API server.
type StatusError struct {
	Reason            Reason // empty where the server gives none
	Message           string
	Cause             string // details.causes of the answer; kubectl does not print it
	RetryAfterSeconds int32  // when to try again; 0 if the server does not say
}

func (e *StatusError) Error() string { return e.Message }

// IsReason says whether an error is an answer of the API server with this reason.
func IsReason(err error, reason Reason) bool {
	var s *StatusError
	return errors.As(err, &s) && s.Reason == reason
}

// resources are the plural names of the kinds.
var resources = map[Kind]string{
	KindDeployment:              "deployments.apps",
	KindReplicaSet:              "replicasets.apps",
	KindStatefulSet:             "statefulsets.apps",
	KindDaemonSet:               "daemonsets.apps",
	KindControllerRevision:      "controllerrevisions.apps",
	KindPod:                     "pods",
	KindNode:                    "nodes",
	KindResourceQuota:           "resourcequotas",
	KindPersistentVolumeClaim:   "persistentvolumeclaims",
	KindPodDisruptionBudget:     "poddisruptionbudgets.policy",
	KindHorizontalPodAutoscaler: "horizontalpodautoscalers.autoscaling",
}

// Resource returns the plural name with its group, as error texts use it: deployments.apps, pods.
func (k Kind) Resource() string { return cmp.Or(resources[k], "pods") }

// NotFound is the API server's answer to an unknown name.
func NotFound(key Key) error {
	return &StatusError{Reason: ReasonNotFound, Message: fmt.Sprintf("%s %q not found", key.Kind.Resource(), key.Name)}
}

// AlreadyExists is the answer to the creation of an object whose name is taken.
func AlreadyExists(key Key) error {
	return &StatusError{Reason: ReasonAlreadyExists, Message: fmt.Sprintf("%s %q already exists", key.Kind.Resource(), key.Name)}
}

// Conflict is the answer to a write with an old resourceVersion.
func Conflict(key Key) error {
	return &StatusError{Reason: ReasonConflict, Message: fmt.Sprintf("Operation cannot be fulfilled on %s %q: the object has been modified; "+
		"please apply your changes to the latest version and try again", key.Kind.Resource(), key.Name)}
}

// Forbidden is the answer of an admission plugin that rejects a creation.
func Forbidden(key Key, why string) error {
	return &StatusError{Reason: ReasonForbidden, Message: fmt.Sprintf("%s %q is forbidden: %s", key.Kind.Resource(), key.Name, why)}
}
