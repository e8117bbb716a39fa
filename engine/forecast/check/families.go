package check

import (
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/yamltext"
)

// withIPv4 returns manifests whose Services have the IP family of the check's own cluster. Which ones yours has is not known, and
// no rollout depends on it. All lines stay where they are.
func withIPv4(text string) string {
	if !strings.Contains(text, "IPv6") {
		return text
	}
	for i := range yamltext.Split(text) {
		root := yamltext.Split(text)[i].Root()
		text = setIPv4(text, i, root)
		if items := yamltext.Child(root, "items"); items != nil {
			for at, item := range items.Content {
				text = setIPv4(text, i, item, "items", strconv.Itoa(at))
			}
		}
	}
	return text
}

// setIPv4 changes the families of one object, if it is a Service.
func setIPv4(text string, document int, object *yamltext.Node, path ...string) string {
	families := yamltext.Child(yamltext.Child(object, "spec"), "ipFamilies")
	if yamltext.Word(object, "kind") != "Service" || families == nil {
		return text
	}
	for i, family := range families.Content {
		if family.Value != "IPv6" {
			continue
		}
		at := append(path[:len(path):len(path)], "spec", "ipFamilies", strconv.Itoa(i))
		if edited, err := yamltext.Split(text)[document].Set(at, "IPv4"); err == nil {
			text = edited
		}
	}
	return text
}
