// Package numbers recognizes numbers in YAML as go.yaml.in/yaml does, without regular expressions. The build copies this file into the
// wasm's copy of that module.
package numbers

import (
	"errors"
	"strconv"
	"strings"
)

// isFloat matches ^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$
// These are the numbers of Go in decimal notation without underscores, however large they are.
func isFloat(s string) bool {
	if strings.Trim(s, "+-.0123456789eE") != "" {
		return false
	}
	_, err := strconv.ParseFloat(s, 64)
	return err == nil || errors.Is(err, strconv.ErrRange)
}

// isBase60 matches ^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$
func isBase60(s string) bool {
	s = afterSign(s)
	if digits(s) == 0 {
		return false
	}
	s = s[digitsOr_(s):]
	parts := 0
	for ; s != "" && s[0] == ':'; parts++ {
		n := digits(s[1:])
		if n == 0 || n > 2 || n == 2 && s[1] > '5' {
			return false
		}
		s = s[1+n:]
	}
	return parts > 0 && (s == "" || s[0] == '.' && digitsOr_(s[1:]) == len(s)-1)
}

func afterSign(s string) string {
	if s != "" && (s[0] == '-' || s[0] == '+') {
		return s[1:]
	}
	return s
}

// digits counts the digits at the start of s.
func digits(s string) (n int) {
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	return n
}

func digitsOr_(s string) (n int) {
	for n < len(s) && ('0' <= s[n] && s[n] <= '9' || s[n] == '_') {
		n++
	}
	return n
}
