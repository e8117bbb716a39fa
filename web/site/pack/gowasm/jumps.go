package gowasm

// Go's compiler turns every jump into a detour: it stores the number of the target block in local 0, branches back to a loop around the
// whole function, and a table there branches to the target. The blocks are nested: a block that begins later encloses the blocks that
// begin earlier. So a jump forward can leave the right number of blocks with a single branch. Nine of ten jumps go forward.

// dispatch is that loop: block 0, loop, blocks, local.get 0, br_table.
type dispatch struct {
	loop   int   // number of blocks around it
	blocks int   // number of open blocks at the table, including the loop
	table  []int // depth of the block that each number leaves, 0 for the innermost; the last entry is for all other numbers
	end    int   // index of the instruction after the table
}

// findDispatch reads the dispatch at the beginning of a function. It returns nil if the function has none, because no jump goes back.
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

// level returns the number of blocks around the block that ends where block n begins.
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
	open, all := d.blocks, d.blocks // open blocks of the dispatch, and all that are open
	for i := d.end; i < len(f.code); i++ {
		all += f.code[i].nesting()
		open = min(open, all)
		depth := all - 1 // of a branch to the outermost block
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

// jump returns the target block if code begins with a jump: i32.const n, local.set 0, br to the loop.
func jump(code []instruction, toLoop int) (n int64, ok bool) {
	if len(code) < 3 || code[0][0] != opI32Const || !code[1].is(opLocalSet, 0) || !code[2].is(opBr, uint64(toLoop)) {
		return 0, false
	}
	return code[0].constant(), true
}
