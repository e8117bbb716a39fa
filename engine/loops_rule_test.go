package engine_test

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// A loop over what a user wrote, or over the objects of a cluster, takes a breath (or counts its work with a limits.Meter, which does)
// if it is deep. Depth is counted in powers of a few hundred: the lists of an object have a few hundred entries, which is 1; the objects of a
// cluster and keys are tens of thousands, which is 2. A loop in a loop, or in what it calls, adds up. A loop with a breath in it
// counts as what is between two breaths.
const (
	few  = 1
	many = 2

	tooDeep = few + many // a few hundred looks at each of 20,000 pods, or three lists in each other
)

// shallowLoops are deep loops that need no breath, by their function, each with its reason.
var shallowLoops = map[string]string{
	"api.Nearest":               "the candidates are words of rollplay's own tables",
	"api.detach":                "the structs are Go types",
	"line.unknownVerb":          "the verbs are rollplay's own",
	"line.readVerbs":            "the table of the verbs is rollplay's own",
	"explain.fieldList":         "the fields are rollplay's own",
	"print.columnWidths":        "the text is the description of one object, whose lines have a few cells",
	"validate.volumes":          "a volume has one of thirty sources",
	"validate.claims":           "a claim has four access modes, and limits.Parts bounds the claims",
	"apiserver.refuse":          "a pod takes ten resources at most, and limits.Quotas bounds the quotas",
	"apiserver.statusOf":        "a quota limits few resources, and the pods of a namespace are in few scopes: ten at most, and one more for each PriorityClass",
	"disruption.scale":          "pods have one owner each, and a map says whether it was counted: 20,000 pods take 2 ms",
	"replicaset.PodsByNode":     "the sequences are of a Table, which takes breaths, and a Deployment has few ReplicaSets with pods",
	"deployment.isScalingEvent": "a ReplicaSet's annotation is read, no list",
	"nodelife.look":             "for each node one look into a table: 5,000 nodes take 1 ms",
	"daemon.newRound":           "each pod is put into a map by its node: 5,000 take 1 ms",
	"daemon.removeFinished":     "the pods of one node and one DaemonSet",
	"daemon.podsShouldBeOnNode": "the pods of one node and one DaemonSet",
	"daemon.keepNewest":         "the pods of one node and one DaemonSet",
	"daemon.manage":             "it makes a plan, an entry for each pod without a node",
	"nodelife.setState":         "it looks once for the first node of a zone, and takes a breath for each zone",
	"api.Matches":               "a NodeSelector has one node to look at, and limits.Parts bounds its terms",
	"statefulset.split":         "limits.Ordinals bounds the pods",
}

// TestDeepLoopsTakeBreaths reads kubectl, the API server, the objects and the controllers.
func TestDeepLoopsTakeBreaths(t *testing.T) {
	p := newProgram(t, "./kubectl", "./controllers/...")
	used := map[string]bool{}
	for _, loop := range p.deepLoops(func(pkg string) bool {
		below, _ := strings.CutPrefix(pkg, module+"/engine/")
		return strings.HasPrefix(below, "kubectl") || strings.HasPrefix(below, "api") || strings.HasPrefix(below, "controllers/")
	}) {
		if used[loop.in] = true; shallowLoops[loop.in] == "" {
			t.Errorf("%s: a loop of depth %d in %s takes no breath", loop.at, loop.depth, loop.in)
		}
	}
	for name := range shallowLoops {
		if !used[name] {
			t.Errorf("%s has no deep loop any more", name)
		}
	}
}

// TestLoopRuleSeesWhatIsMissing: each of these programs is right with its breath, and wrong once the line is removed.
func TestLoopRuleSeesWhatIsMissing(t *testing.T) {
	head := `package small
import (
	"slices"
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/limits"
)
var _, _, _, _ = slices.Sort[[]int], breath.Often, limits.Meter{}, api.Pod{}
`
	for name, body := range map[string]string{
		"objects and a list": `func f(list []*api.Pod, words []string) (n int) {
	for _, pod := range list {
		breath.Often() // BREATH
		for _, w := range words { if pod.Name == w { n++ } }
	}
	return n
}`,
		"a function that loops": `func in(s string, words []string) bool { return slices.Contains(words, s) }
func f(list map[api.Key]int, words []string) (n int) {
	for key := range list {
		breath.Often() // BREATH
		if in(key.Name, words) { n++ }
	}
	return n
}`,
		"a method behind an interface": `type asks interface{ is(string) bool }
type words []string
func (w words) is(s string) bool { return slices.Contains(w, s) }
func f(list []api.Object, a asks) (n int) {
	for _, o := range list {
		breath.Often() // BREATH
		if a.is(o.Key().Name) { n++ }
	}
	return n
}`,
		"a function that is given": `func f(list []*api.Pod, words []string) []*api.Pod {
	return slices.DeleteFunc(list, func(p *api.Pod) bool {
		breath.Often() // BREATH
		return slices.Contains(words, p.Name)
	})
}`,
		"three lists": `func f(a, b, c []string) (n int) {
	for _, x := range a { for _, y := range b {
		breath.Often() // BREATH
		for _, z := range c { if x+y == z { n++ } }
	} }
	return n
}`,
		"a meter": `func f(list []*api.Pod, words []string, m *limits.Meter) (n int) {
	for _, pod := range list {
		if m.Count(len(words)) != nil { return n } // BREATH
		for _, w := range words { if pod.Name == w { n++ } }
	}
	return n
}`,
	} {
		kept := head + body
		var without []string
		for line := range strings.Lines(kept) {
			if !strings.Contains(line, "// BREATH") {
				without = append(without, line)
			}
		}
		for text, want := range map[string]int{kept: 0, strings.Join(without, ""): 1} {
			p := newProgram(t, "./sim", "./limits")
			p.check(t, "small", map[string]any{"small.go": text})
			if got := p.deepLoops(func(pkg string) bool { return pkg == "small" }); len(got) != want {
				t.Errorf("%s: deep loops %v, want %d in\n%s", name, got, want, text)
			}
		}
	}
}

// program is code with its types.
type program struct {
	set      *token.FileSet
	info     types.Info
	outside  types.Importer            // of packages that are read compiled
	packages map[string]*types.Package // that are read from their text
	bodies   map[*types.Func]*ast.FuncDecl
	named    []types.Type

	breathes map[*types.Func]bool
	depths   map[*types.Func]int
}

// newProgram reads packages with those of ours that they import.
func newProgram(t *testing.T, patterns ...string) *program {
	const format = "{{.ImportPath}}\t{{.Export}}\t{{.Dir}}\t{{.GoFiles}}"
	out, err := exec.Command("go", append([]string{"list", "-export", "-deps", "-f", format}, patterns...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	exports := map[string]string{}
	set := token.NewFileSet()
	p := &program{set: set, packages: map[string]*types.Package{}, bodies: map[*types.Func]*ast.FuncDecl{},
		breathes: map[*types.Func]bool{}, depths: map[*types.Func]int{}, outside: importer.ForCompiler(set, "gc",
			func(name string) (io.ReadCloser, error) { return os.Open(exports[name]) })}
	p.info = types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
	for line := range strings.Lines(string(out)) { // each after those that it imports
		f := strings.Split(strings.TrimSpace(line), "\t")
		if exports[f[0]] = f[1]; !strings.HasPrefix(f[0], module) {
			continue
		}
		files := map[string]any{}
		for _, name := range strings.Fields(strings.Trim(f[3], "[]")) {
			files[f[2]+"/"+name] = nil
		}
		p.check(t, f[0], files)
	}
	return p
}

// check reads a package; a file without a text is read from the disk.
func (p *program) check(t *testing.T, name string, files map[string]any) {
	var parsed []*ast.File
	for file, text := range files {
		f, err := parser.ParseFile(p.set, file, text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, f)
	}
	config := types.Config{Importer: p}
	pkg, err := config.Check(name, p.set, parsed, &p.info)
	if err != nil {
		t.Fatal(err)
	}
	p.packages[name] = pkg
	for _, f := range parsed {
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Body != nil {
				p.bodies[p.info.Defs[d.Name].(*types.Func)] = d
			}
		}
	}
	for _, name := range pkg.Scope().Names() {
		if o, ok := pkg.Scope().Lookup(name).(*types.TypeName); ok {
			p.named = append(p.named, o.Type())
		}
	}
}

func (p *program) Import(name string) (*types.Package, error) {
	if own := p.packages[name]; own != nil {
		return own, nil
	}
	return p.outside.Import(name)
}

type deepLoop struct {
	in, at string
	depth  int
}

// deepLoops returns the deepest loop of each function that has one that is too deep.
func (p *program) deepLoops(of func(pkg string) bool) (list []deepLoop) {
	for f, d := range p.bodies {
		if !of(f.Pkg().Path()) {
			continue
		}
		found := deepLoop{in: f.Pkg().Name() + "." + f.Name(), depth: tooDeep - 1}
		p.depth(d.Body, func(loop ast.Node, depth int) {
			if depth > found.depth {
				found.depth, found.at = depth, p.set.Position(loop.Pos()).String()
			}
		})
		if found.at != "" {
			list = append(list, found)
		}
	}
	return list
}

// seeing is called with each loop that takes no breath.
type seeing func(loop ast.Node, depth int)

// depth returns the depth of the deepest loop of some code, with those of what it calls.
func (p *program) depth(n ast.Node, see seeing) (deepest int) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.RangeStmt:
			size := p.size(n.X)
			if p.takes(n.X) {
				size = 0
			}
			deepest = max(deepest, p.depth(n.X, see), p.loop(n, size, n.Body, see))
		case *ast.ForStmt:
			deepest = max(deepest, p.loop(n, few, n.Body, see))
		case *ast.CallExpr:
			deepest = max(deepest, p.call(n, see))
		default:
			return true
		}
		return false
	})
	return deepest
}

func (p *program) loop(n ast.Node, size int, body ast.Node, see seeing) int {
	within := p.depth(body, see)
	if size == 0 || p.takes(body) {
		return within
	}
	if see != nil {
		see(n, within+size)
	}
	return within + size
}

// call is the depth of a call and its arguments. The functions of slices, maps and sort go through their first argument. What is
// given as a function literal is called at each step.
func (p *program) call(n *ast.CallExpr, see seeing) int {
	own, given, through := 0, p.depth(n.Fun, see), false
	for _, f := range p.callees(n) {
		own = max(own, p.depthOf(f))
		if f.Pkg() != nil && slices.Contains([]string{"slices", "maps", "sort"}, f.Pkg().Path()) {
			own, through = p.size(n.Args[0]), true
		}
	}
	for _, a := range n.Args {
		d := p.depth(a, see)
		_, literal := a.(*ast.FuncLit)
		switch {
		case literal && p.takes(a):
			own = 0
		case literal && own > 0:
			own, d = own+d, 0
		}
		given = max(given, d)
	}
	if see != nil && through {
		see(n, own)
	}
	return max(own, given)
}

func (p *program) depthOf(f *types.Func) int {
	if known, ok := p.depths[f]; ok {
		return known
	}
	p.depths[f] = 0 // in a recursion
	if d := p.bodies[f]; d != nil {
		p.depths[f] = p.depth(d.Body, nil)
	}
	return p.depths[f]
}

// takes says whether some code may take a breath.
func (p *program) takes(n ast.Node) (found bool) {
	ast.Inspect(n, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && !found {
			found = slices.ContainsFunc(p.callees(call), p.takesIn)
		}
		return !found
	})
	return found
}

func (p *program) takesIn(f *types.Func) bool {
	if f.Pkg() != nil && f.Pkg().Path() == module+"/engine/breath" {
		return true
	}
	if known, ok := p.breathes[f]; ok {
		return known
	}
	p.breathes[f] = false // in a recursion
	if d := p.bodies[f]; d != nil {
		p.breathes[f] = p.takes(d.Body)
	}
	return p.breathes[f]
}

// callees returns the functions that a call may call: one, or those behind the method of an interface.
func (p *program) callees(call *ast.CallExpr) (list []*types.Func) {
	fun := ast.Unparen(call.Fun)
	if generic, ok := fun.(*ast.IndexExpr); ok {
		fun = generic.X
	}
	var id *ast.Ident
	switch f := fun.(type) {
	case *ast.Ident:
		id = f
	case *ast.SelectorExpr:
		id = f.Sel
	}
	f, ok := p.info.Uses[id].(*types.Func)
	if !ok {
		return nil
	}
	recv := f.Origin().Signature().Recv()
	if recv == nil || !types.IsInterface(recv.Type()) {
		return []*types.Func{f.Origin()}
	}
	methods, _ := recv.Type().Underlying().(*types.Interface)
	for _, t := range p.named {
		if n, ok := t.(*types.Named); !ok || n.TypeParams().Len() > 0 || types.IsInterface(t) || !types.Implements(types.NewPointer(t), methods) {
			continue
		}
		if o, _, _ := types.LookupFieldOrMethod(t, true, f.Pkg(), f.Name()); o != nil {
			list = append(list, o.(*types.Func))
		}
	}
	return list
}

// size says how long a loop is that ranges over a value. Arrays, constants, literals and rollplay's own tables are short.
func (p *program) size(x ast.Expr) int {
	x = ast.Unparen(x)
	if id, ok := x.(*ast.Ident); ok {
		if v, ok := p.info.Uses[id].(*types.Var); ok && v.Parent() == v.Pkg().Scope() {
			return 0
		}
	}
	t := p.info.Types[x]
	if _, literal := x.(*ast.CompositeLit); literal || t.Value != nil {
		return 0
	}
	switch u := t.Type.Underlying().(type) {
	case *types.Slice:
		return p.number(u.Elem())
	case *types.Map:
		return max(p.number(u.Elem()), p.number(u.Key()))
	case *types.Signature: // of an iterator
		return p.number(u.Params().At(0).Type().(*types.Signature).Params().At(0).Type())
	case *types.Basic:
		return few
	}
	return 0
}

// number says how many values of a type there may be. An object has a condition of each type.
func (p *program) number(t types.Type) int {
	apis := p.packages[module+"/engine/api"].Scope()
	switch {
	case types.Identical(t, apis.Lookup("Condition").Type()):
		return 0
	case types.Identical(t, apis.Lookup("Key").Type()), types.Implements(t, apis.Lookup("Object").Type().Underlying().(*types.Interface)):
		return many
	}
	return few
}
