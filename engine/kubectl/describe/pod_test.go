package describe

import "testing"

// TestFieldTitles: how the names of fields are printed that nobody gave a title.
func TestFieldTitles(t *testing.T) {
	for name, want := range map[string]string{
		"apiVersion": "API Version", "uid": "UID", "creationTimestamp": "Creation Timestamp", "$patch": "$patch", "app": "App",
		"kubernetes.io/os": "kubernetes.io/os", "dnsPolicy": "Dns Policy",
	} {
		if got := fieldTitle(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}
