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

// TestDateOfNothing: a container that was lost has begun and ended in year 1, as Go prints its zero time.
func TestDateOfNothing(t *testing.T) {
	if got := date(0); got != "Mon, 01 Jan 0001 00:00:00 +0000" {
		t.Error(got)
	}
}
