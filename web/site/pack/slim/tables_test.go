package slim

import (
	"bytes"
	"errors"
	"testing"

	"github.com/rollplay/rollplay/web/must"
	"github.com/rollplay/rollplay/web/site/pack/gowasm"
)

// TestTablesRefused: what is not as Go writes it is refused, not guessed.
func TestTablesRefused(t *testing.T) {
	for n := range 3 * len(funcTableMagic) {
		memory := append(bytes.Repeat([]byte{1}, n), funcTableMagic...)
		if _, err := dropTables(memory, true); !errors.Is(err, gowasm.ErrFormat) {
			t.Errorf("a header of %d bytes: %v", n, err)
		}
	}
	t.Run("no end", func(t *testing.T) {
		table := funcTable{tables: []byte{0, 2, 1, 2, 1}}
		var err error
		func() {
			defer must.Caught(&err)
			table.mark(1, make([]bool, len(table.tables)))
		}()
		if !errors.Is(err, gowasm.ErrFormat) {
			t.Errorf("a table without an end: %v", err)
		}
	})
	t.Run("no list", func(t *testing.T) {
		const list, first, second = headerSize, headerSize + 24, headerSize + 24 + 48
		for name, broken := range map[string][2]uint32{
			"as it is":       {first + funcTables, 0},
			"another size":   {first + funcTables, 4},
			"another entry":  {second, 9},
			"another number": {list + 8, 9},
		} {
			table := funcTable{all: make([]byte, second+funcEnd), funcs: []int{first, second}}
			table.set(headerList, list)
			for i, at := range table.funcs {
				table.set(at, uint32(7+i))
				table.set(list+8*i, uint32(7+i))
			}
			table.set(int(broken[0]), broken[1])
			var err error
			func() {
				defer must.Caught(&err)
				table.dropList()
			}()
			if (err == nil) != (name == "as it is") || err != nil && !errors.Is(err, gowasm.ErrFormat) {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

// TestLike: a block is like the first one with the same values at it and before it. The position of the stack pointer is 0 in block 0 and 8 in
// blocks 1 to 8; the inlined call is another one in block 6. A row is how much a value grows, twice, and for how many blocks it holds.
func TestLike(t *testing.T) {
	const inlined = 7
	table := funcTable{all: make([]byte, funcEnd+12), funcs: []int{0}, tables: []byte{0, 2, 1, 16, 8, 0, 0, inlined: 0, 6, 4, 1, 3, 2, 0}}
	table.set(funcStack, 1)
	table.set(funcTables, tableInlined+1)
	table.set(funcEnd+4*tableInlined, inlined)
	for block, want := range []int{0, 1, 2, 2, 2, 2, 6, 7, 2, 9} {
		if got := table.like(0, block); got != want {
			t.Errorf("block %d is like %d, want %d", block, got, want)
		}
	}
	if got := table.like(1, 3); got != 3 {
		t.Errorf("block 3 of a function without an entry is like %d", got)
	}
}
