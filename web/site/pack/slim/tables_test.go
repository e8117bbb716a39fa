package slim

import (
	"bytes"
	"errors"
	"fmt"
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
		if err := table.mark(1, make([]bool, len(table.tables))); !errors.Is(err, gowasm.ErrFormat) {
			t.Error(fmt.Errorf("a table without an end: %w", err))
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

// TestInlines: of three functions the first has no data about inlined calls, the second has an empty place for it, the third has it.
func TestInlines(t *testing.T) {
	const size = funcEnd + 4*(dataInlined+1)
	table := funcTable{all: make([]byte, 3*size), funcs: []int{0, size, 2 * size}}
	table.all[funcRest] = dataInlined
	table.all[size+funcRest], table.all[2*size+funcRest] = dataInlined+1, dataInlined+1
	table.set(size+funcEnd+4*dataInlined, ^uint32(0))
	for i, want := range []bool{false, false, true, true} {
		if got := table.inlines(i); got != want {
			t.Errorf("function %d: %t", i, got)
		}
	}
}
