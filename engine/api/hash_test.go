package api

import "testing"

// The worked example of A-7.
func TestEncodeHash(t *testing.T) {
	if got := encodeHash(1668961435); got != "5bbdfb5879" {
		t.Errorf("got %s, want 5bbdfb5879", got)
	}
}
