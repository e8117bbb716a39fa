package slim

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/rollplay/rollplay/web/site/pack/gowasm"
)

// TestTablesRefused: what is not as Go writes it is refused, not guessed.
func TestTablesRefused(t *testing.T) {
	for n := range 3 * len(funcTableMagic) {
		memory := append(bytes.Repeat([]byte{1}, n), funcTableMagic...)
		if err := dropTables(memory, true); !errors.Is(err, gowasm.ErrFormat) {
			t.Errorf("a header of %d bytes: %v", n, err)
		}
	}
	t.Run("no end", func(t *testing.T) {
		table := funcTable{tables: []byte{0, 2, 1, 2, 1}}
		if err := table.mark(1, make([]bool, len(table.tables))); !errors.Is(err, gowasm.ErrFormat) {
			t.Error(fmt.Errorf("a table without an end: %w", err))
		}
	})
}
