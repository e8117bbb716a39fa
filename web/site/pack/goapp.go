package pack

// goApp is the module that draws the page. Its server pages link net/http and TLS, 350 kB of the download; its states and device IDs,
// which this page does not use, AES and random numbers, 60 kB. It has one route, so it needs no regular expressions either.
var goApp = module{
	path: "github.com/maxence-charriere/go-app/v10",
	dirs: []string{"pkg/app", "pkg/errors"},
	files: map[string]string{
		"http.go": goAppClient, "resource.go": "package app\n", "static.go": "package app\n", "crypto.go": goAppCrypto,
		"guard.go": goAppGuard, "state.go": goAppStates,
	},
	changes: map[string][][2]string{
		// Where a text or an attribute reaches the browser: characters that hide or move others are visible, wherever the page
		// shows a text that a stranger wrote.
		"js_wasm.go": {
			{`Call("createTextNode", v)`, `Call("createTextNode", Visible(v))`},
			{`v.Set("nodeValue", val)`, `v.Set("nodeValue", Visible(val))`},
		},
		// The package html has a table of all entities, 25 kB, although only EscapeString is used, for HTML that a server sends.
		"node.go": {
			{"\t\"html\"\n", ""}, {"html.EscapeString(v.value)", "escapeHTML.Replace(v.value)"}, {`FilterUIElems(v.Render())`, `rendered(v)`},
			{"depth uint, v UI) (UI, error) {\n\tctx = m.context(ctx, v)\n",
				"depth uint, v UI) (UI, error) {\n\tdraws()\n\tctx = m.context(ctx, v)\n"},
			{"\tctx = m.context(ctx, v)\n\n\troot := v.root()\n", "\tdraws()\n\tctx = m.context(ctx, v)\n\n\troot := v.root()\n"},
		},
		// The page handles a panic of a component, a handler or a deferred function (goAppGuard); the program continues.
		"engine.go": {
			{"\t\t\tdispatch()\n\n\t\tcase <-frames.C:", "\t\t\tguarded(dispatch)\n\n\t\tcase <-frames.C:"},
			{"\t\t\tdefere()\n", "\t\t\tguarded(defere)\n"},
		},
		// A drawing that began before the last letter was typed would take the letter away: it leaves the field alone, and the letter's
		// event draws it again.
		"attribute.go": {
			{`jsElement.Call("setAttribute", name, value)`, `jsElement.Call("setAttribute", name, shown(name, value))`},
			{"case \"value\":\n\t\tjsElement.Set(name, value)",
				"case \"value\":\n\t\tif !jsElement.Get(\"unheard\").Truthy() {\n\t\t\tjsElement.Set(name, value)\n\t\t}"},
		},
		"context.go": {{"\t\"github.com/google/uuid\"\n", ""}},
		"route.go": {
			{"\t\"regexp\"\n", ""}, {"regexp.MustCompile(pattern)", "everyPath(pattern)"}, {"*regexp.Regexp", "paths"},
		},
	},
	sources: map[string]source{"visible.go": {"engine/words/visible.go", "package words\n", "package app\n", goAppVisible}},
}

// goAppClient replaces the server by the two names that the rest of go-app uses. Our page has no resources under go-app's /web/, so
// every location stays as it is.
const goAppClient = `package app

import "strings"

var escapeHTML = strings.NewReplacer("&", "&amp;", "'", "&#39;", "<", "&lt;", ">", "&gt;", "\"", "&#34;")

type Handler struct{}

func clientResourceResolver(string) func(string) string { return func(location string) string { return location } }

// paths are the paths of a route: here only all of them.
type paths struct{}

func everyPath(pattern string) paths {
	if pattern != ".*" {
		panic("this build of go-app knows only the route .*")
	}
	return paths{}
}

func (paths) MatchString(string) bool { return true }
`

// goAppCrypto replaces encryption and device IDs by errors.
const goAppCrypto = `package app

import "errors"

var errCrypto = errors.New("this build of go-app has no encryption")

func encrypt(string, []byte) ([]byte, error) { return nil, errCrypto }
func decrypt(string, []byte) ([]byte, error) { return nil, errCrypto }

var uuid noUUID

type noUUID struct{}

func (noUUID) NewString() string { panic("this build of go-app has no device IDs and no shared states") }
`

// goAppStates refuses states that are shared between components: our page hands its state down.
const goAppStates = `package app

type (
	State        struct{}
	Observer     struct{}
	stateManager struct{}
)

const noStates = "this build of go-app has no shared states"

func (*stateManager) Observe(Context, string, any) Observer { panic(noStates) }
func (*stateManager) Get(Context, string, any)              { panic(noStates) }
func (*stateManager) Set(Context, string, any) State        { panic(noStates) }
func (*stateManager) Delete(Context, string)                { panic(noStates) }
func (*stateManager) Cleanup()                              {}
func (*stateManager) CleanupExpiredPersistedStates(Context) {}
`

// goAppVisible is added to our own words.Visible, which go-app can't import. Other attributes than those that people read or hear have a
// meaning, such as an address.
const goAppVisible = `
func shown(name, value string) string {
	if name == "title" || strings.HasPrefix(name, "aria-") {
		return Visible(value)
	}
	return value
}
`

// goAppGuard is a file of the copy. The page is the component that has a method Broke; where another one panics, there is nothing. Its
// method Draws is called for each element that is made and of each component that is drawn again, so that it can give the thread back.
const goAppGuard = `package app

var (
	broke func(any)
	draws = func() {}
)

func guarded(do func()) {
	defer func() {
		if broke == nil {
			return
		}
		if v := recover(); v != nil {
			broke(v)
		}
	}()
	do()
}

func rendered(c Composer) (ui []UI) {
	if page, ok := c.(interface{ Broke(any) }); ok {
		broke = page.Broke
	}
	if page, ok := c.(interface{ Draws() }); ok {
		draws = page.Draws
	}
	guarded(func() { ui = FilterUIElems(c.Render()) })
	if ui == nil {
		ui = []UI{Elem("div").Hidden(true)}
	}
	return ui
}
`
