package browser_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// other is a browser beside Chromium, which a program controls by the commands of WebDriver: Firefox by its own protocol, WebKitGTK by a
// server.
type other struct {
	t    *testing.T
	send func(command string, params map[string]any) (json.RawMessage, error)
}

// otherBrowsers start a browser, or say what to install.
var otherBrowsers = []struct {
	name, install string
	needs         []string
	start         func(t *testing.T) *other
}{
	{"firefox", "apt-get install firefox-esr", []string{"firefox"}, startFirefox},
	{"webkit", "apt-get install webkit2gtk-driver xvfb", []string{"WebKitWebDriver", "Xvfb"}, startWebKit},
}

// allBrowsers includes WebKitGTK, which is slow: make browsers.
var allBrowsers = flag.Bool("browsers", false, "open the playground in WebKitGTK, too")

// TestOtherBrowsers: the playground, the page of a lesson and an embed work in Firefox and WebKitGTK.
func TestOtherBrowsers(t *testing.T) {
	t.Parallel()
	if built.base == "" {
		t.Skip("no Chromium found")
	}
	for _, b := range otherBrowsers {
		t.Run(b.name, func(t *testing.T) {
			if b.name == "webkit" && !*allBrowsers {
				t.Skip("make browsers opens it")
			}
			for _, program := range b.needs {
				if _, err := exec.LookPath(program); err != nil {
					t.Skipf("no %s found: %s", program, b.install)
				}
			}
			o := b.start(t)
			o.playground()
			o.lesson()
			o.embed()
		})
	}
}

// playground plays, scrubs and rolls out another image.
func (o *other) playground() {
	o.t.Helper()
	o.visit("")
	o.wait("the run", `document.getElementById("loader").hidden && rollplay.state().done`)
	o.click(act("play"))
	o.wait("the cursor to move", "rollplay.state().t > 0")
	o.eval(`(rollplay.state().playing && document.querySelector('[data-act="play"]').click(), rollplay.seek(12000), true)`)
	o.wait("the counts at 12 s", `[...document.querySelectorAll('[data-act="legend-item"] .legend-value')].slice(0, 2).map((e) => e.textContent).join() === "13,8"`)
	o.wait("the chart", `(() => { const c = document.querySelector(".chart-host canvas"), d = c.getContext("2d").getImageData(0, 0, c.width, c.height).data; return d.some((v, i) => i % 4 === 0 && v === 213 && d[i + 1] === 94 && d[i + 2] === 0); })()`)
	o.eval(`(rollplay.seek(rollplay.state().end), true)`)
	o.click(act("set-image"))
	o.wait("the command", "rollplay.state().commands > 0 && rollplay.state().done")
	o.shot("playground")
}

// lesson plays the picture on a page for reading.
func (o *other) lesson() {
	o.t.Helper()
	o.visit("s/rounding/")
	o.click(act("play-here"))
	o.wait("the motion", there(`[data-play="pause"]`)+" && "+playerCover+" > 1")
	o.click(`[data-play="after"]`)
	o.wait("a caption", `document.querySelector(".player-said").textContent !== "" && `+there(`[data-play="play"]`))
	o.shot("lesson")
}

// embed plays a run after a click.
func (o *other) embed() {
	o.t.Helper()
	o.visit("embed/#s=recreate")
	o.wait("the picture", `document.getElementById("poster").complete && document.getElementById("start").checkVisibility()`)
	o.click("#start")
	o.wait("the run", `document.getElementById("loader").hidden && rollplay.state().t > 0`)
	o.shot("embed")
}

// do sends a command, and ends the test if the browser refuses it.
func (o *other) do(command string, params map[string]any) json.RawMessage {
	o.t.Helper()
	value, err := o.send(command, params)
	if err != nil {
		o.t.Fatalf("%s: %v", command, err)
	}
	return value
}

// visit opens a page, and notes its errors.
func (o *other) visit(path string) {
	o.t.Helper()
	o.do("Navigate", map[string]any{"url": "about:blank"}) // another fragment alone would not load the page
	o.do("Navigate", map[string]any{"url": built.base + path})
	o.eval(`(window.faults = [], addEventListener("error", (e) => faults.push(e.message)), addEventListener("unhandledrejection", (e) => faults.push(String(e.reason))), true)`)
}

// eval returns the value of an expression, as JSON.
func (o *other) eval(expr string) string {
	o.t.Helper()
	value := o.do("ExecuteAsyncScript", map[string]any{"args": []any{}, "script": fmt.Sprintf(`const done = arguments[arguments.length - 1]; Promise.resolve().then(() => (%s)).then(done, (err) => done("failed: " + err));`, expr)})
	return string(value)
}

// wait waits until an expression is true; an error counts as not yet.
func (o *other) wait(what, expr string) {
	o.t.Helper()
	got := o.eval(fmt.Sprintf(`new Promise((done) => {
		const end = performance.now() + %d;
		(function look() {
			let ok = false, last = "";
			try { ok = Boolean(%s); } catch (err) { last = String(err); }
			if (ok || window.faults?.length || performance.now() > end) done(ok && !faults.length ? "yes" : "no: " + last + faults.join() + " " + document.body.innerText.slice(0, 300));
			else setTimeout(look, 20); // a window under another one draws no frames
		})();
	})`, patience.Milliseconds(), expr))
	if !strings.HasPrefix(got, `"yes`) {
		o.shot("failed")
		o.t.Fatalf("waited for %s: %s\n%s", what, got, expr)
	}
}

// click clicks on an element as a person does.
func (o *other) click(selector string) {
	o.t.Helper()
	o.wait(selector, there(selector)+".checkVisibility()")
	var found map[string]string // one, by a name that the protocol chose
	value := o.do("FindElement", map[string]any{"using": "css selector", "value": selector})
	if json.Unmarshal(value, &found) != nil || len(found) != 1 {
		o.t.Fatalf("%s: %s", selector, value)
	}
	for _, id := range found {
		o.do("ElementClick", map[string]any{"id": id})
	}
}

// shot keeps a picture of the window.
func (o *other) shot(name string) {
	o.t.Helper()
	var picture []byte // base64, as JSON has bytes
	if err := json.Unmarshal(o.do("TakeScreenshot", map[string]any{"full": false}), &picture); err != nil {
		o.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(o.t.ArtifactDir(), name+".png"), picture, 0o644); err != nil {
		o.t.Fatal(err)
	}
}

// background starts a program that ends with the test.
func background(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
}

// soon waits until something is there that another program makes.
func soon[T any](t *testing.T, what string, look func() (T, bool)) T {
	t.Helper()
	again, end := time.NewTicker(20*time.Millisecond), time.After(patience)
	defer again.Stop()
	for {
		if found, ok := look(); ok {
			return found
		}
		select {
		case <-again.C:
		case <-end:
			t.Fatalf("waited for %s", what)
		}
	}
}

// startFirefox starts Firefox and speaks Marionette: a length, a colon and JSON.
func startFirefox(t *testing.T) *other {
	profile := t.TempDir()
	if err := os.WriteFile(filepath.Join(profile, "user.js"), []byte("user_pref(\"marionette.port\", 0);\nuser_pref(\"browser.shell.checkDefaultBrowser\", false);\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("firefox", "--headless", "--marionette", "--no-remote", "--profile", profile, "--width", "1280", "--height", "800", "about:blank")
	cmd.Env = append(os.Environ(), "MOZ_HEADLESS=1", "HOME="+profile)
	background(t, cmd)
	port := soon(t, "Firefox", func() (string, bool) {
		text, err := os.ReadFile(filepath.Join(profile, "MarionetteActivePort"))
		return string(text), err == nil && len(text) > 0
	})
	conn, err := net.Dial("tcp", "127.0.0.1:"+port)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	in, n := bufio.NewReader(conn), 0
	read := func() (message json.RawMessage, err error) {
		length := 0
		if _, err := fmt.Fscanf(in, "%d:", &length); err != nil {
			return nil, err
		}
		message = make([]byte, length)
		_, err = io.ReadFull(in, message)
		return message, err
	}
	if _, err := read(); err != nil { // its greeting
		t.Fatal(err)
	}
	o := &other{t, func(command string, params map[string]any) (json.RawMessage, error) {
		n++
		text, err := json.Marshal([]any{0, n, "WebDriver:" + command, params})
		if err != nil {
			return nil, err
		}
		if _, err := fmt.Fprintf(conn, "%d:%s", len(text), text); err != nil {
			return nil, err
		}
		message, err := read()
		if err != nil {
			return nil, err
		}
		var kind, id int
		var refused, result json.RawMessage
		if err := json.Unmarshal(message, &[]any{&kind, &id, &refused, &result}); err != nil {
			return nil, err
		}
		if len(refused) > 0 && string(refused) != "null" {
			return nil, fmt.Errorf("%s", refused)
		}
		var value struct{ Value json.RawMessage }
		if json.Unmarshal(result, &value) == nil && value.Value != nil {
			return value.Value, nil
		}
		return result, nil
	}}
	o.do("NewSession", map[string]any{})
	o.do("SetTimeouts", map[string]any{"script": 2 * patience.Milliseconds()})
	return o
}

// startWebKit starts WebKitGTK's driver, which starts its small browser on a screen of its own.
func startWebKit(t *testing.T) *other {
	screen := screenFor(t)
	ear, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	base := "http://" + ear.Addr().String()
	port := ear.Addr().(*net.TCPAddr).Port
	ear.Close()
	cmd := exec.Command("WebKitWebDriver", fmt.Sprintf("--port=%d", port))
	home := t.TempDir()
	cmd.Env = append(os.Environ(), "DISPLAY="+screen, "HOME="+home, "XDG_RUNTIME_DIR="+home, "WEBKIT_DISABLE_COMPOSITING_MODE=1", "LIBGL_ALWAYS_SOFTWARE=1")
	background(t, cmd)
	soon(t, "WebKitWebDriver", func() (bool, bool) {
		r, err := http.Get(base + "/status")
		if err == nil {
			r.Body.Close()
		}
		return true, err == nil
	})
	session := ""
	paths := map[string]string{"Navigate": "url", "ExecuteAsyncScript": "execute/async", "FindElement": "element", "SetTimeouts": "timeouts"}
	o := &other{t, func(command string, params map[string]any) (json.RawMessage, error) {
		method, path := http.MethodPost, base+"/session"
		switch {
		case command == "ElementClick":
			path += session + "/element/" + params["id"].(string) + "/click"
			params = map[string]any{}
		case command == "TakeScreenshot":
			method, path = http.MethodGet, path+session+"/screenshot"
		case command == "DeleteSession":
			method, path = http.MethodDelete, path+session
		case paths[command] != "":
			path += session + "/" + paths[command]
		}
		text, err := json.Marshal(params)
		if err != nil {
			return nil, err
		}
		request, err := http.NewRequest(method, path, bytes.NewReader(text))
		if err != nil {
			return nil, err
		}
		answer, err := (&http.Client{Timeout: 3 * patience}).Do(request)
		if err != nil {
			return nil, err
		}
		defer answer.Body.Close()
		var value struct{ Value json.RawMessage }
		if err := json.NewDecoder(answer.Body).Decode(&value); err != nil {
			return nil, err
		}
		if answer.StatusCode != http.StatusOK {
			return nil, fmt.Errorf("%s", value.Value)
		}
		return value.Value, nil
	}}
	var begun struct{ SessionID string }
	value := o.do("NewSession", map[string]any{"capabilities": map[string]any{"alwaysMatch": map[string]any{}}})
	if err := json.Unmarshal(value, &begun); err != nil {
		t.Fatal(err)
	}
	session = "/" + begun.SessionID
	t.Cleanup(func() { o.send("DeleteSession", map[string]any{}) })
	o.do("SetTimeouts", map[string]any{"script": 2 * patience.Milliseconds()})
	return o
}

// screenFor starts a screen without a monitor, and returns its name.
func screenFor(t *testing.T) string {
	out, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", "1280x900x24", "-nolisten", "tcp")
	cmd.ExtraFiles = []*os.File{in}
	background(t, cmd)
	in.Close()
	number, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return ":" + strings.TrimSpace(number)
}
