package line

import (
	"errors"
	"fmt"
	"strings"

	"github.com/rollplay/rollplay/engine/api/validate"
)

// notInName says whether a letter may not be in the name of a variable.
func notInName(c rune) bool {
	return c != '-' && c != '.' && c != '_' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z')
}

// CheckVariable refuses what kubectl refuses as the name of a variable (apimachinery validation.IsEnvVarName); a manifest may have more.
func CheckVariable(name string) error {
	var wrong []string
	if name == "" || name[0] >= '0' && name[0] <= '9' || strings.ContainsFunc(name, notInName) {
		wrong = append(wrong, "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not "+
			"start with a digit (e.g. 'my.env-name',  or 'MY_ENV.NAME',  or 'MyEnvName1', regex used for validation is '[-._a-zA-Z][-._a-zA-Z0-9]*')")
	}
	if wrong = append(wrong, validate.ChangesFolder(name)...); len(wrong) > 0 {
		return fmt.Errorf("%q is not a valid key name: %s", name, strings.Join(wrong, ";"))
	}
	return nil
}

// readVariables reads the words of set env. Variables come in the order of the words; of several with one name the first counts.
func readVariables(words []string) (Pairs, error) {
	p := Pairs{Values: map[string]string{}}
	for _, w := range words {
		name, value, set := strings.Cut(w, "=")
		switch {
		case w == "-":
			return p, errors.New("rollplay does not model - for set env: name the variables")
		case !set && strings.HasSuffix(w, "-"):
			p.Remove = append(p.Remove, strings.TrimSuffix(w, "-"))
			continue
		case !set:
			return p, fmt.Errorf("unknown environment variable: %s", w)
		case CheckVariable(name) != nil:
			return p, CheckVariable(name)
		}
		if _, twice := p.Values[name]; !twice {
			p.Keys = append(p.Keys, name)
			p.Values[name] = value
		}
	}
	if len(p.Both()) > 0 {
		return p, errors.New("can not both modify and remove the same environment variable in the same command")
	}
	return p, nil
}
