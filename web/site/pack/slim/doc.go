// Package slim rewrites the WebAssembly that Go's linker writes, so that less has to be downloaded and more of it runs faster. What
// the program does stays the same, apart from the lines in a traceback. Three things change:
//
//   - Jumps. Go's compiler sends every jump through a table at the beginning of the function. Of 59,700 jumps 53,500 go forward, and
//     those become branches. Addresses on the stack are added in the load or store, which removes 370,000 instructions.
//   - Calls. Each call carries its return address and the depth of a branch, two numbers that never repeat. The function's part of
//     the address moves to a local, and the branch becomes a return.
//   - Data. 100,000 segments are joined across short runs of zeros. Tables that only tracebacks and signals read (lines, files,
//     arguments, preemption points) become zeros: a panic still names every function, without the types of a generic one.
//
// The first two make the download 13% smaller (2.04 → 1.76 MB of brotli) and the engine need 22% less CPU (rollouts of 1,000 pods in
// Node, three runs each). wasm-opt makes the same program larger (2.42 MB with -O1, 2.49 MB with -Oz). What a rule does not recognize
// stays as it is, and an instruction that Go does not write today fails the build. Two tests watch: a program with goroutines, panics
// and deep stacks prints the same with and without, and so do the traces of all scenarios.
package slim
