package scenario

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"unicode/utf8"

	"github.com/rollplay/rollplay/engine/breath"
)

// asJSON turns what the YAML parser returns into what encoding/json makes of the JSON that kubectl sends: objects with
// strings as keys, and json.Number (sigs.k8s.io/yaml converts the same way, but prints and parses JSON on the way).
func asJSON(v any) (any, error) {
	switch v := v.(type) {
	case nil, bool:
		return v, nil
	case string:
		if !utf8.ValidString(v) { // of the tag !!binary
			return string([]rune(v)), nil
		}
		return v, nil
	case int:
		return json.Number(strconv.Itoa(v)), nil
	case []any:
		list := make([]any, len(v))
		for i, item := range v {
			breath.Take()
			e, err := asJSON(item)
			if err != nil {
				return nil, err
			}
			list[i] = e
		}
		return list, nil
	case map[any]any:
		return object(v)
	}
	return viaJSON(v)
}

func object(v map[any]any) (any, error) {
	m := make(map[string]any, len(v))
	for k, value := range v {
		name, err := keyText(k, value)
		if err != nil {
			return nil, err
		}
		if _, taken := m[name]; taken {
			return nil, fmt.Errorf("key %q already set in map", name) // 1 and "1"
		}
		if m[name], err = asJSON(value); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// keyText returns a key as a string, like sigs.k8s.io/yaml.
func keyText(k, value any) (string, error) {
	switch k := k.(type) {
	case string:
		if !utf8.ValidString(k) {
			return string([]rune(k)), nil
		}
		return k, nil
	case int, int64, bool:
		return fmt.Sprint(k), nil
	case float64:
		s := strconv.FormatFloat(k, 'g', -1, 32)
		if infinite, ok := map[string]string{"+Inf": ".inf", "-Inf": "-.inf", "NaN": ".nan"}[s]; ok {
			s = infinite
		}
		return s, nil
	}
	return "", fmt.Errorf("unsupported map key of type: %s, key: %+#v, value: %+#v", reflect.TypeOf(k), k, value)
}

// viaJSON converts rare values: fractions, large numbers, times.
func viaJSON(v any) (any, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	err = d.Decode(&v)
	return v, err
}
