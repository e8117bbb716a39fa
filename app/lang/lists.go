//go:build !js

package lang

import "embed"

//go:embed *.zh.txt
var lists embed.FS

// List returns the text of a list.
func List(name string) string {
	text, err := lists.ReadFile(name)
	if err != nil {
		panic(err) // all of them are in this package
	}
	return string(text)
}
