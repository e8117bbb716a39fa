package api

import (
	"encoding/json"
	"strconv"
	"strings"
)

// IntOrString is a number or a text, for maxSurge and maxUnavailable: 3 or "25%".
type IntOrString struct {
	IsString bool
	Int      int32
	Str      string
}

// Int returns a number as an IntOrString.
func Int(n int32) *IntOrString { return &IntOrString{Int: n} }

// Str returns a text as an IntOrString.
func Str(s string) *IntOrString { return &IntOrString{IsString: true, Str: s} }

// String returns the value as a manifest shows it, without quotes.
func (v IntOrString) String() string {
	if v.IsString {
		return v.Str
	}
	return strconv.Itoa(int(v.Int))
}

// MarshalJSON returns a JSON number or string.
func (v IntOrString) MarshalJSON() ([]byte, error) {
	if v.IsString {
		return json.Marshal(v.Str)
	}
	return json.Marshal(v.Int)
}

// Percent returns the number before the % sign; ok is false for a number, or a text that is not digits and a % sign.
func (v *IntOrString) Percent() (p int64, ok bool) {
	digits, found := strings.CutSuffix(v.Str, "%")
	p, err := strconv.ParseInt(digits, 10, 32)
	return p, found && err == nil && digits[0] != '+' && digits[0] != '-'
}

// Scaled returns the number itself, or the percentage of total, rounded up or down in exact integers (D-20).
// A text that is no percentage counts as 0.
func (v *IntOrString) Scaled(total int32, roundUp bool) int32 {
	if v == nil {
		return 0
	}
	if !v.IsString {
		return v.Int
	}
	p, ok := v.Percent()
	if !ok {
		return 0
	}
	n := p * int64(total)
	if roundUp {
		n += 99
	}
	return int32(n / 100)
}
