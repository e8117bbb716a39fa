package check

import (
	"strings"

	"github.com/rollplay/rollplay/engine/yamltext"
)

// withIPv4 returns manifests whose Services have the IP family of the check's own cluster. Which ones yours has is not known, and
// no rollout depends on it. All lines stay where they are.
func withIPv4(text string) string {
	if !strings.Contains(text, "IPv6") {
		return text
	}
	lines := strings.Split(text, "\n")
	for _, d := range yamltext.Split(text) {
		if !strings.Contains(d.Text, "IPv6") {
			continue
		}
		objects := []*yamltext.Node{d.Root()}
		if items := yamltext.Child(d.Root(), "items"); items != nil {
			objects = append(objects, items.Content...)
		}
		for _, o := range objects {
			setIPv4(lines[d.First-1:], o)
		}
	}
	return strings.Join(lines, "\n")
}

// setIPv4 changes the families of an object, if it is a Service, in the lines of its document.
func setIPv4(lines []string, o *yamltext.Node) {
	families := yamltext.Child(yamltext.Child(o, "spec"), "ipFamilies")
	if yamltext.Word(o, "kind") != "Service" || families == nil {
		return
	}
	for _, family := range families.Content {
		if family.Value == "IPv6" {
			line, at := []rune(lines[family.Line-1]), family.Column-1
			lines[family.Line-1] = string(line[:at]) + strings.Replace(string(line[at:]), "IPv6", "IPv4", 1)
		}
	}
}
