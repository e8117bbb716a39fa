// Package numbers recognizes numbers in YAML as go.yaml.in/yaml does, without regular expressions. The build copies this file into the
// wasm's copy of that module.
package numbers

// isFloat matches ^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$
func isFloat(s string) bool {
	s = afterSign(s)
	whole := digits(s)
	s = s[whole:]
	if s != "" && s[0] == '.' {
		fraction := digits(s[1:])
		if whole+fraction == 0 {
			return false
		}
		s = s[1+fraction:]
	} else if whole == 0 {
		return false
	}
	if s == "" {
		return true
	}
	if s[0] != 'e' && s[0] != 'E' {
		return false
	}
	s = afterSign(s[1:])
	return s != "" && digits(s) == len(s)
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
