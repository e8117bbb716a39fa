// Package slim makes app.wasm smaller. Package gowasm rewrites its code and its data segments; here the tables that only tracebacks and
// signals read (lines, files, arguments, preemption points) become zeros. A panic still names every function, without the types of a
// generic one.
//
// Two tests compare the program before and after: one with goroutines, panics and deep stacks prints the same, and so do the traces
// of all scenarios.
package slim

import (
	"bytes"
	"encoding/binary"
	"math"

	"github.com/rollplay/rollplay/web/must"
	"github.com/rollplay/rollplay/web/site/pack/gowasm"
)

// Module returns the rewritten module. With counted it also loses the list of the functions, and the index that Go's runtime uses to find the
// function of an address, because the runtime was patched to make the list by counting.
func Module(module []byte, counted bool) ([]byte, error) {
	var t *funcTable
	return gowasm.Rewrite(module, gowasm.Hooks{
		Memory: func(memory []byte) (err error) {
			t, err = dropTables(memory, counted)
			return err
		},
		Like: func(function, block int) int { return t.like(function, block) },
	})
}

// Go's function table (pclntab) holds the line, the position of the stack pointer, the live pointers and more for each address in the
// code. The tables for lines and files, for the arguments in a traceback, and for preemption by a signal, which WebAssembly does not
// have, are 7 % of the download. Without them a traceback still names every function, with "?:0" for its line.
//
// The layout is that of Go 1.20 and later: see pcHeader, functab and _func in Go's runtime/symtab.go and runtime2.go. A Go with
// another layout has another magic number, and the build fails.

// funcTableMagic starts the table: a magic number, two zeros, addresses are multiples of 1, a pointer has 8 bytes.
var funcTableMagic = []byte{0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8}

// Offsets in the header, of numbers with 8 bytes, and in the entry of a function, of numbers with 4.
const (
	headerFuncs, headerFiles, headerNames                  = 8, 16, 32
	headerUnits, headerFileNames, headerTables, headerList = 40, 48, 56, 64
	headerSize                                             = 72

	funcStack, funcFile, funcLine, funcTables  = 16, 20, 24, 28
	funcUnit, funcStartLine, funcRest, funcEnd = 32, 36, 43, 44
)

// Indices of the tables by address (PCDATA) and of the data of a function (FUNCDATA) that only tracebacks and signals use:
// see internal/abi/symtab.go.
var (
	tablesUnused = []int{0, 3} // UnsafePoint, ArgLiveIndex
	dataUnused   = []int{5, 6} // ArgInfo, ArgLiveInfo
)

// tableInlined is the index of the table that says which inlined call is the one at an address (InlTreeIndex).
const tableInlined = 2

// funcTable is the function table in the memory of a program.
type funcTable struct {
	all    []byte // from the header to the end of the memory
	tables []byte // by address; the offsets in an entry point into it
	funcs  []int  // where the entry of each function begins
}

// dropTables fills the unused tables with zeros and, with counted, the index.
func dropTables(memory []byte, counted bool) (t *funcTable, err error) {
	defer must.Caught(&err)
	t = findFuncTable(memory)
	used := make([]bool, len(t.tables))
	for _, f := range t.funcs {
		t.strip(f, used)
	}
	for i := range t.tables {
		if !used[i] {
			t.tables[i] = 0
		}
	}
	clear(t.all[t.header(headerUnits):t.header(headerTables)]) // names of files, by compilation unit
	shortenNames(t.all[t.header(headerNames):t.header(headerUnits)])
	if counted {
		t.dropList()
		t.dropIndex(memory)
	}
	return t, nil
}

// like is that of gowasm.Hooks. A trace reads at a return address and before it where the stack pointer is and which call is inlined.
func (t *funcTable) like(function, block int) int {
	if function >= len(t.funcs) {
		return block
	}
	f, inlined := t.funcs[function], []int32(nil)
	stack, _ := t.values(t.number(f + funcStack))
	if t.number(f+funcTables) > tableInlined {
		inlined, _ = t.values(t.number(f + funcEnd + 4*tableInlined))
	}
	for b := 1; b < block; b++ {
		if alike(stack, b, block) && alike(inlined, b, block) {
			return b
		}
	}
	return block
}

// alike reports whether two blocks have the same values, and those before them. A function without a table has the same ones everywhere.
func alike(values []int32, a, b int) bool {
	return values == nil || b < len(values) && values[a] == values[b] && values[a-1] == values[b-1]
}

// dropList fills the list of the functions with zeros, all but its first, and the addresses in their entries. The entries follow one another
// in the order of their addresses, which in WebAssembly are numbers without a gap, so the patched runtime makes the list when it starts.
func (t *funcTable) dropList() {
	list := t.header(headerList)
	first := t.number(list)
	for i, f := range t.funcs {
		next := (t.end(f) + 7) &^ 7
		must.Be((i+1 == len(t.funcs) || next == t.funcs[i+1]) && t.number(f) == first+i && t.number(list+8*i) == first+i,
			"%w: function %d does not follow the one before", gowasm.ErrFormat, i)
		t.set(f, 0)
	}
	clear(t.all[list+8 : list+8*len(t.funcs)])
}

// The index from addresses to functions has 20 bytes for each 4096 addresses. In WebAssembly a function has 65,536 addresses, whatever its
// size, so a fifth of the program is this index. See findfuncbucket and moduledata in Go's runtime/symtab.go.
const (
	indexSize, indexEach = 20, 4096
	dataIndex            = 152 // in moduledata: the addresses of the index, of the first function, and behind the last
	dataSize             = 176
)

// dropIndex fills the index with zeros.
func (t *funcTable) dropIndex(memory []byte) {
	header := len(memory) - len(t.all)
	// The list of the tables begins with the addresses of the header and of the names.
	begin := binary.LittleEndian.AppendUint64(nil, uint64(header))
	begin = binary.LittleEndian.AppendUint64(begin, uint64(header+t.header(headerNames)))
	data := bytes.Index(memory, begin)
	must.Be(data >= 0 && len(memory)-data >= dataSize, "%w: it has no list of its tables", gowasm.ErrFormat)
	at := func(i int) int { return int(binary.LittleEndian.Uint64(memory[data+i:])) }
	index, first, last := at(dataIndex), at(dataIndex+8), at(dataIndex+16)
	size := (last - first) / indexEach * indexSize
	must.Be(index > 0 && size > 0 && index+size <= len(memory), "%w: the index of functions is at %d, for the addresses %d to %d",
		gowasm.ErrFormat, index, first, last)
	clear(memory[index : index+size])
}

// shortenNames removes the parts of names that tracebacks do not print: the type arguments of a generic function, which can be a whole
// struct, and the type of a generated comparison. Every name keeps its place, and zeros follow it.
func shortenNames(names []byte) {
	for len(names) > 0 {
		n := bytes.IndexByte(names, 0)
		if n < 0 {
			return
		}
		name := names[:n]
		from, to := bytes.IndexByte(name, '['), bytes.LastIndexByte(name, ']')
		for _, generated := range []string{"type:.eq.", "type:.hash."} {
			if bytes.HasPrefix(name, []byte(generated)) {
				clear(name[len(generated):])
				from = -1
			}
		}
		if from >= 0 && to > from+len("...") {
			rest := copy(name[from:], "[..."+string(name[to:]))
			clear(name[from+rest:])
		}
		names = names[n+1:]
	}
}

// findFuncTable finds the table by its header and checks that it is complete.
func findFuncTable(memory []byte) *funcTable {
	for from := 0; ; {
		i := bytes.Index(memory[from:], funcTableMagic)
		must.Be(i >= 0, "%w: it has no function table", gowasm.ErrFormat)
		t := &funcTable{all: memory[from+i:]}
		if t.read() {
			return t
		}
		from += i + 1
	}
}

func (t *funcTable) header(at int) int { return int(binary.LittleEndian.Uint64(t.all[at:])) }
func (t *funcTable) number(at int) int { return int(binary.LittleEndian.Uint32(t.all[at:])) }
func (t *funcTable) set(at int, n uint32) {
	binary.LittleEndian.PutUint32(t.all[at:], n)
}

// read reads the header and the places of the functions, and reports whether they make sense.
func (t *funcTable) read() bool {
	if len(t.all) < headerSize {
		return false
	}
	n, list := t.header(headerFuncs), t.header(headerList)
	last := headerSize
	for _, at := range []int{headerNames, headerUnits, headerFileNames, headerTables, headerList} {
		if t.header(at) < last || t.header(at) > len(t.all) {
			return false
		}
		last = t.header(at)
	}
	if n <= 0 || n > (len(t.all)-list)/8 {
		return false
	}
	t.tables = t.all[t.header(headerTables):list]
	for i := range n {
		f := list + t.number(list+8*i+4)
		if f+funcEnd > len(t.all) || t.end(f) > len(t.all) {
			return false
		}
		t.funcs = append(t.funcs, f)
	}
	return true
}

// end returns where the entry of a function ends, behind its offsets of tables and data.
func (t *funcTable) end(f int) int {
	return f + funcEnd + 4*t.number(f+funcTables) + 4*int(t.all[f+funcRest])
}

// strip takes the unused tables off a function, and marks the others as used: functions share tables with the same content.
func (t *funcTable) strip(f int, used []bool) {
	for _, at := range []int{funcFile, funcLine, funcUnit, funcStartLine} {
		t.set(f+at, 0)
	}
	tables, data := t.number(f+funcTables), int(t.all[f+funcRest])
	for _, i := range tablesUnused {
		if i < tables {
			t.set(f+funcEnd+4*i, 0)
		}
	}
	for _, i := range dataUnused {
		if i < data {
			t.set(f+funcEnd+4*tables+4*i, ^uint32(0))
		}
	}
	t.mark(t.number(f+funcStack), used)
	for i := range tables {
		t.mark(t.number(f+funcEnd+4*i), used)
	}
}

// mark marks a table as used.
func (t *funcTable) mark(at int, used []bool) {
	_, end := t.values(at)
	for i := at; i < end; i++ {
		used[i] = true
	}
}

// blocksMax is the largest number of addresses of a function.
const blocksMax = 1 << 16

// values returns a table's value at each address, nil without a table, and where the table ends. It is a row of pairs, how much the value and
// the address grow, and ends at a value that does not grow; only the first may stay the same.
func (t *funcTable) values(at int) (values []int32, end int) {
	if at == 0 {
		return nil, 0 // no table
	}
	rest := t.tables[min(at, len(t.tables)):]
	next := func(most uint64) uint64 {
		number, n := binary.Uvarint(rest)
		must.Be(n > 0 && number <= most, "%w: the table at %d has no end", gowasm.ErrFormat, at)
		rest = rest[n:]
		return number
	}
	last := int32(-1)
	for first := true; ; first = false {
		grows := next(math.MaxUint32)
		if grows == 0 && !first {
			return values, len(t.tables) - len(rest)
		}
		last += int32(grows>>1) ^ -int32(grows&1)
		for range next(blocksMax - uint64(len(values))) {
			values = append(values, last)
		}
	}
}
