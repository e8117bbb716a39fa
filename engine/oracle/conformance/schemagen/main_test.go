package main

import (
	"os"
	"testing"

	_ "github.com/rollplay/rollplay/engine/api/decode" // so that a result is not cached beyond a change of schema.txt
)

// TestSchemaIsCurrent: the fields that our reader knows are those of the pinned API.
func TestSchemaIsCurrent(t *testing.T) {
	kept, err := os.ReadFile("../../../api/decode/schema.txt")
	if err != nil {
		t.Fatal(err)
	}
	if string(kept) != schema() {
		t.Error("schema.txt is not what this command prints")
	}
}
