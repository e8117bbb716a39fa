package api

import (
	"errors"
	"strings"
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
	ReasonInternalError Reason = "InternalError"

	ReasonTooManyRequests Reason = "TooManyRequests" // an eviction that a disruption budget does not allow now (P-12)
)

// StatusError is an error answer of the API server.
type StatusError struct {
	Reason            Reason // empty where the server gives none
	Message           string
	Doing             string // in front of the message of an invalid object, where kubectl prints several errors
	Cause             string // details.causes of the answer; kubectl does not print it
	RetryAfterSeconds int32  // when to try again; 0 if the server does not say
}

func (e *StatusError) Error() string { return e.Message }

// IsReason says whether an error is an answer of the API server with this reason.
func IsReason(err error, reason Reason) bool {
	var s *StatusError
	return errors.As(err, &s) && s.Reason == reason
}

// Errors are the errors of several calls made side by side, in one (apimachinery pkg/util/errors/errors.go:aggregate).
type Errors []error

// Aggregate joins errors as controllers do (apimachinery util/errors.NewAggregate): nil without errors, and a single error
// unchanged.
func Aggregate(errs []error) error {
	switch len(errs) {
	case 0:
		return nil
	case 1:
		return errs[0]
	}
	return Errors(errs)
}

// Error returns the texts in brackets, each of them once.
func (a Errors) Error() string {
	texts := a.texts(nil, map[string]bool{})
	if len(texts) == 1 {
		return texts[0]
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

// texts appends the texts that were not seen yet, those of inner joined errors one by one.
func (a Errors) texts(list []string, seen map[string]bool) []string {
	for _, err := range a {
		if inner, ok := err.(Errors); ok {
			list = inner.texts(list, seen)
			continue
		}
		if text := err.Error(); !seen[text] {
			list, seen[text] = append(list, text), true
		}
	}
	return list
}

// Unwrap returns the single errors.
func (a Errors) Unwrap() []error { return a }
