package api

import "errors"

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
