package kubectl

import (
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"path"
	"strings"
	"unicode"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/api/validate"
	"github.com/rollplay/rollplay/engine/kubectl/line"
)

// newData is a ConfigMap or a Secret while it is put together.
type newData struct {
	*Kubectl
	*command
	kind api.Kind
	tree api.Fields
}

// createData returns what creates a ConfigMap or a Secret of texts and files (create_configmap.go:createConfigMap, create_secret.go:createSecret).
func createData(kind api.Kind) func(*Kubectl, *command) error {
	return func(k *Kubectl, c *command) error {
		d := &newData{k, c, kind, api.Fields{}}
		if c.Flags["from-env-file"] != "" && c.Flags["from-file"]+c.Flags["from-literal"] != "" {
			return errors.New("from-env-file cannot be combined with from-file or from-literal")
		}
		err := cmp.Or(d.each("from-literal", line.Separator, d.literal), d.each("from-file", ",", d.file), d.each("from-env-file", ",", d.environment))
		if err != nil {
			return err
		}
		if of := c.Flags["type"]; of != "" {
			d.tree["type"] = of
		}
		return k.createFields(c, kind, kinds.Of(kind).Singular(), nil, d.tree)
	}
}

func (d *newData) each(flag, between string, read func(string) error) error {
	given := strings.ReplaceAll(d.Flags[flag], line.Separator, between)
	for text := range strings.SplitSeq(given, between) {
		if given == "" {
			break
		} else if err := read(text); err != nil {
			return err
		}
	}
	return nil
}

func (d *newData) add(key, value string) error {
	data, secret := d.tree.Make("data"), d.kind == "Secret"
	_, taken := data[key]
	switch wrong := validate.DataKey(key); {
	case wrong != nil && secret:
		return fmt.Errorf("%q is not valid key name for a Secret %s", key, strings.Join(wrong, ";"))
	case wrong != nil:
		return fmt.Errorf("%q is not a valid key name for a ConfigMap: %s", key, strings.Join(wrong, ","))
	case taken && secret:
		return fmt.Errorf("cannot add key %s, another key by that name already exists", key)
	case taken:
		return fmt.Errorf("cannot add key %q, another key by that name already exists in Data for ConfigMap %q", key, d.Rest[0])
	case secret:
		value = base64.StdEncoding.EncodeToString([]byte(value))
	}
	data[key] = value
	return nil
}

// literal adds KEY=VALUE.
func (d *newData) literal(text string) error {
	key, value, ok := strings.Cut(text, "=")
	if !ok || key == "" {
		return fmt.Errorf("invalid literal source %v, expected key=value", text)
	}
	return d.add(key, value)
}

// file adds a file that a line has written, by its name or as KEY=FILE, or the files of a folder.
func (d *newData) file(source string) error {
	key, name, named := strings.Cut(source, "=")
	if !named {
		key, name = "", source
	}
	switch files := d.filesIn(name); {
	case strings.Contains(name, "="):
		return errors.New("key names or file paths cannot contain '='")
	case named && key == "":
		return fmt.Errorf("key name for file path %v missing", name)
	case name == "":
		return fmt.Errorf("file path for key name %v missing", key)
	case len(files) == 0:
		return noFile(name)
	case named && files[0] != line.FileName(name):
		return errors.New("cannot give a key name for a directory path")
	default:
		for _, file := range files {
			if err := d.add(cmp.Or(key, path.Base(file)), d.files[file]); err != nil {
				return err
			}
		}
		return nil
	}
}

func noFile(name string) error {
	return fmt.Errorf("error reading %s: no such file or directory", name)
}

// environment adds the lines KEY=VALUE of a file (kubectl/pkg/cmd/util/env_file.go).
func (d *newData) environment(name string) error {
	text, ok := d.Kubectl.file(name)
	if folder := len(d.filesIn(name)) > 0; folder && !ok {
		return fmt.Errorf("env %s file cannot be a directory", map[bool]string{true: "secret", false: "config"}[d.kind == "Secret"])
	} else if !ok {
		return noFile(name)
	}
	for row := range strings.Lines(text) {
		row = strings.TrimLeftFunc(strings.TrimRight(row, "\r\n"), unicode.IsSpace)
		if row == "" || row[0] == '#' {
			continue
		}
		key, value, _ := strings.Cut(row, "=")
		if err := cmp.Or(line.CheckVariable(key), d.add(key, value)); err != nil {
			return err
		}
	}
	return nil
}
