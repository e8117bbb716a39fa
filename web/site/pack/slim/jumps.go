package slim

// Go's compiler turns every jump into a detour: it writes the number of the block it wants into local 0, goes back to a loop around the
// whole function, and a table there goes to that block. The blocks stand inside one another, one that begins later around those that
// begin earlier, so a jump forward can leave just as many of them at once. Nine of ten jumps go forward.

// dispatch is that loop: block 0, loop, blocks, local.get 0, br_table.
type dispatch struct {
	loop   int   // how many blocks are around it
	blocks int   // how many are open at the table, with the loop
	table  []int // which of the blocks a number leaves, the innermost is 0; the last is for all other numbers
	end    int   // index of the instruction behind the table
}

// findDispatch reads the beginning of a function. It is nil if no jump goes back.
func findDispatch(f *function) *dispatch {
	d := dispatch{loop: -1}
	i := 2
	for ; i < len(f.code) && (f.code[i][0] == opBlock || f.code[i][0] == opLoop); i++ {
		if f.code[i][0] == opLoop {
			d.loop = d.blocks
		}
		d.blocks++
	}
	if d.loop < 0 || i+1 >= len(f.code) || !f.code[i].is(opLocalGet, 0) || f.code[i+1][0] != opBrTable {
		return nil
	}
	r := wasmReader{rest: f.code[i+1][1:]}
	for range r.unsigned() + 1 {
		d.table = append(d.table, int(r.leb()))
	}
	d.end = i + 2
	return &d
}

// level returns how many blocks are around the one that ends where block n begins.
func (d *dispatch) level(n int64) int {
	if n < 0 || n >= int64(len(d.table)) {
		n = int64(len(d.table)) - 1
	}
	return d.blocks - 1 - d.table[n]
}

// jumpDirectly replaces jumps forward through the loop by branches.
func jumpDirectly(f *function) {
	d := findDispatch(f)
	if d == nil {
		return
	}
	out := f.code[:d.end:d.end]
	open, inner := d.blocks, 0 // blocks of the dispatch that are open here, and others inside
	for i := d.end; i < len(f.code); i++ {
		switch f.code[i][0] {
		case opBlock, opLoop, opIf:
			inner++
		case opEnd:
			if inner > 0 {
				inner--
			} else {
				open--
			}
		}
		depth := open + inner - 1 // of a branch to the outermost block
		if n, ok := jump(f.code[i:], depth-d.loop); ok {
			if to := d.level(n); to > d.loop && to < open {
				out = append(out, with(opBr, uint64(depth-to)))
				i += 2
				continue
			}
		}
		out = append(out, f.code[i])
	}
	f.code = out
}

// jump says whether code begins with a jump, to which block: i32.const n, local.set 0, br to the loop.
func jump(code []instruction, toLoop int) (n int64, ok bool) {
	if len(code) < 3 || code[0][0] != opI32Const || !code[1].is(opLocalSet, 0) || !code[2].is(opBr, uint64(toLoop)) {
		return 0, false
	}
	return code[0].constant(), true
}
