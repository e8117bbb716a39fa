package breath

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

// TestPartsAreTheWhole: what is read and written in parts is the same, with a breath for each part.
func TestPartsAreTheWhole(t *testing.T) {
	breaths := 0
	Host = func() { breaths++ }
	defer func() { Host = nil }()
	text := strings.Repeat("0123456789", 2000)
	b, err := io.ReadAll(NewReader(text))
	if err != nil || string(b) != text {
		t.Fatalf("read %d bytes, %v; want %d", len(b), err, len(text))
	}
	if least := len(text) / part; breaths < least {
		t.Errorf("%d breaths while reading, want at least %d", breaths, least)
	}
	breaths = 0
	var out bytes.Buffer
	if err := Write(&out, b); err != nil || out.String() != text || breaths != len(text)/part+1 {
		t.Errorf("wrote %d bytes with %d breaths, %v", out.Len(), breaths, err)
	}
}
