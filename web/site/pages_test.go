package site

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"html/template"
	"io"
	"net/http/httptest"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/rollplay/rollplay/app"
	apikinds "github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/fidelity"
	"github.com/rollplay/rollplay/engine/forecast"
	"github.com/rollplay/rollplay/engine/forecast/check"
	"github.com/rollplay/rollplay/engine/kubectl/line"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/engine/scenario/schema"
	"github.com/rollplay/rollplay/scenarios"
	"github.com/rollplay/rollplay/web/site/pack"
	"github.com/rollplay/rollplay/web/site/pages"
	"github.com/rollplay/rollplay/web/site/poster"
)

const testURL = "https://example.org/some/where/"

// pagesOf returns the pages of a site at an address, which the tests share and only read.
func pagesOf(t *testing.T, address string) *Site {
	t.Helper()
	if read[address] == nil {
		root, err := pack.Root()
		if err != nil {
			t.Fatal(err)
		}
		files, missing, err := pages.Reading(pack.Options{Root: root, URL: address})
		if err != nil {
			t.Fatal(err)
		}
		s := &Site{Files: append(files, pack.Text("index.html", "")), missing: missing}
		slices.SortFunc(s.Files, pack.ByName)
		read[address] = s
	}
	return read[address]
}

// read holds the sites of pagesOf by address.
var read = map[string]*Site{}

// element is a start tag with its attributes, and the text up to the next tag.
type element struct {
	name  string
	attrs map[string]string
	text  string
}

// elements reads a page. What the reader of XML does not forgive would be a mistake in HTML too.
func elements(t *testing.T, f *pack.File) []element {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(f.Raw))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	var all []element
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatalf("%s: %v", f.Name, err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			e := element{name: token.Name.Local, attrs: map[string]string{}}
			for _, a := range token.Attr {
				e.attrs[a.Name.Local] = a.Value
			}
			all = append(all, e)
		case xml.CharData:
			if n := len(all); n > 0 && all[n-1].text == "" {
				all[n-1].text = string(token)
			}
		}
	}
}

// find returns an attribute of the first element with a given value of another attribute, or "".
func find(all []element, name, attr, value, want string) string {
	for _, e := range all {
		if e.name == name && e.attrs[attr] == value {
			return e.attrs[want]
		}
	}
	return ""
}

func textOf(all []element, name string) string {
	for _, e := range all {
		if e.name == name {
			return e.text
		}
	}
	return ""
}

// isYAML finds the scenario among the elements with code.
func isYAML(e element) bool { return e.name == "code" && e.attrs["lang"] == "en" }

// TestPages checks every page for reading: it is complete, it obeys the policy, and each of its links leads somewhere.
func TestPages(t *testing.T) {
	for _, address := range []string{"", testURL} {
		s := pagesOf(t, address)
		for i := range s.Files {
			f := &s.Files[i]
			if path.Ext(f.Name) != ".html" || f.Name == "index.html" {
				continue
			}
			t.Run(f.Name+" "+address, func(t *testing.T) { checkReadPage(t, s, f) })
		}
		for _, lang := range app.Langs() {
			var files []string
			for _, folder := range []string{pages.GalleryFolder, pages.SchemaFolder, pages.CheckFolder, pages.MeasuresFolder, pages.MeasuredFolder} {
				files = append(files, pages.FileIn(folder, lang))
			}
			for _, name := range scenarios.Names() {
				files = append(files, pages.PresetName(name, lang))
			}
			for _, file := range files {
				f := s.File(file)
				if f == nil {
					t.Fatalf("there is no %s", file)
				}
				checkLanguages(t, f, lang, address)
			}
		}
	}
}

// checkLanguages: a page says what language it is in, and leads to itself in each of them.
func checkLanguages(t *testing.T, f *pack.File, lang, address string) {
	t.Helper()
	all := elements(t, f)
	if got := all[0].attrs["lang"]; got != lang {
		t.Errorf("%s: the language is %q", f.Name, got)
	}
	if han := strings.ContainsFunc(textOf(all, "h2")+find(all, "nav", "class", "", "aria-label"), isHan); han != (lang == "zh") {
		t.Errorf("%s: Chinese words: %v", f.Name, han)
	}
	for _, other := range app.Langs() {
		page := strings.TrimSuffix(strings.TrimSuffix(f.Name, "index.html"), "zh/")
		href := find(all, "link", "hreflang", other, "href")
		if address != "" { // search engines want it in full
			if want := address + pages.InLang(page, other); href != want {
				t.Errorf("%s: in %s it is %s, want %s", f.Name, other, href, want)
			}
		} else if got, want := leadsTo(f.Name, href), pages.InLang(page, other)+"index.html"; got != want {
			t.Errorf("%s: in %s it is %s, want %s", f.Name, other, got, want)
		}
		if other != lang && leadsTo(f.Name, find(all, "a", "hreflang", other, "href")) != pages.InLang(page, other)+"index.html" {
			t.Errorf("%s: there is no way to %s", f.Name, other)
		}
	}
}

func isHan(r rune) bool { return unicode.Is(unicode.Han, r) }

func checkReadPage(t *testing.T, s *Site, f *pack.File) {
	all := elements(t, f)
	if got := find(all, "meta", "http-equiv", "Content-Security-Policy", "content"); got != pack.Policy {
		t.Errorf("the policy is %q", got)
	}
	for _, name := range []string{"title", "h1"} {
		if textOf(all, name) == "" {
			t.Errorf("there is no <%s>", name)
		}
	}
	for _, e := range all {
		scripted := strings.HasPrefix(f.Name, pages.GalleryFolder) || strings.HasPrefix(f.Name, "s/")
		if e.name == "script" && (!scripted || e.attrs["src"] == "" || strings.TrimSpace(e.text) != "") || e.name == "style" {
			t.Errorf("there is a <%s>", e.name)
		}
		if e.name == "a" && strings.HasPrefix(e.attrs["href"], "https://") {
			continue // what a lesson refers to
		}
		if e.name == "img" && (e.attrs["width"] == "" || e.attrs["height"] == "") {
			t.Errorf("%s has no size, so the page jumps when it comes", e.attrs["src"])
		}
		for attr, value := range e.attrs {
			if attr == "style" || strings.HasPrefix(attr, "on") {
				t.Errorf("<%s> has %s=%q", e.name, attr, value)
			}
			if attr != "href" && attr != "src" && attr != "srcset" || strings.HasPrefix(value, "data:") {
				continue
			}
			if value == "/some/where/" || strings.HasPrefix(value, "/some/where/") {
				value = strings.TrimPrefix(value, "/some/where/") // the page for addresses that lead nowhere
			}
			if rest, ok := strings.CutPrefix(value, testURL); ok {
				if s.File(leadsTo("x", rest)) == nil {
					t.Errorf("%s is not in the site", value)
				}
			} else if leadsTo(f.Name, value) == pack.LicensesName {
				continue // Build adds it to the pages
			} else if s.File(leadsTo(f.Name, value)) == nil || strings.Contains(value, ":") {
				t.Errorf("%s is not in the site", value)
			}
		}
	}
}

// TestPresetPage: a page holds the scenario, word for word, and the way into the playground.
func TestPresetPage(t *testing.T) {
	s := pagesOf(t, "")
	for _, name := range scenarios.Names() {
		all := elements(t, s.File(pages.PresetName(name, "en")))
		p, err := poster.New(name, scenarios.Text(name))
		if err != nil {
			t.Fatal(err)
		}
		if got, want := textOf(all[slices.IndexFunc(all, isYAML):], "code"), scenarios.Text(name); got != want {
			t.Errorf("%s: the YAML is %q", name, got)
		}
		if got, want := textOf(all, "h1"), p.Title.En; got != want {
			t.Errorf("%s: the title is %q, want %q", name, got, want)
		}
		if got, want := find(all, "a", "data-act", "open-preset", "href"), "../../#s="+name; got != want {
			t.Errorf("%s: the button leads to %q, want %q", name, got, want)
		}
		summary := find(all, "meta", "name", "description", "content")
		if sc, _ := scenario.Parse(scenarios.Text(name)); len(sc.Goals) > 0 { // its lesson is the solution
			if summary != sc.Question.En {
				t.Errorf("%s: the description is %q, want the question %q", name, summary, sc.Question.En)
			}
		} else if summary == "" || !strings.HasPrefix(scenarios.Text(name), "# "+summary) {
			t.Errorf("%s: the description is %q, which is not the beginning of the lesson", name, summary)
		}
		for _, property := range []string{"og:title", "og:description", "og:image", "og:image:alt", "og:type"} {
			if find(all, "meta", "property", property, "content") == "" {
				t.Errorf("%s lacks %s", name, property)
			}
		}
		if got := find(all, "meta", "property", "og:url", "content"); got != "" {
			t.Errorf("%s: without an address og:url is %q", name, got)
		}
	}
}

// TestFormerPresets: an address with the former name of a scenario still has a page, which leads to the run under its present name.
func TestFormerPresets(t *testing.T) {
	s := pagesOf(t, "")
	if len(scenarios.Aliases()) == 0 {
		t.Fatal("no scenario had another name")
	}
	for old, now := range scenarios.Aliases() {
		f := s.File(pages.PresetName(old, "zh"))
		if f == nil {
			t.Errorf("%s has no page", old)
			continue
		}
		if got, want := find(elements(t, f), "a", "data-act", "open-preset", "href"), "../../../#s="+now+"&lang=zh"; got != want {
			t.Errorf("%s leads to %s, want %s", old, got, want)
		}
	}
}

// TestGalleryPath: six chapters in the order of the path; cards say how long they take and what to see before; a search finds them by
// the words of their captions and by the errors that Kubernetes reports.
func TestGalleryPath(t *testing.T) {
	s := pagesOf(t, "")
	for _, lang := range app.Langs() {
		f := s.File(pages.FileIn(pages.GalleryFolder, lang))
		all := elements(t, f)
		for _, c := range scenarios.Chapters() {
			if find(all, "section", "class", "chapter", "id") == "" || !strings.Contains(string(f.Raw), app.PageText(lang, "chapter-"+c.ID)) {
				t.Errorf("%s: there is no chapter %s", lang, c.ID)
			}
		}
		for name, words := range map[string]string{"crash-loop": "crashloopbackoff", "bad-image": "imagepullbackoff", "delete-in-the-middle": "downtime", "quota": "exceeded"} {
			if got := find(all, "li", "data-name", name, "data-search"); lang == "en" && !strings.Contains(got, words) || !strings.Contains(got, strings.ReplaceAll(words, "downtime", "delete")) {
				t.Errorf("%s: a search for %q does not find %s: %s", lang, words, name, got)
			}
		}
	}
	zh := string(s.File(pages.FileIn(pages.GalleryFolder, "zh")).Raw)
	for _, want := range []string{"先看", "分钟", "停机"} {
		if !strings.Contains(zh, want) {
			t.Errorf("the Chinese gallery lacks %q", want)
		}
	}
}

// TestPresetPageInChinese: it leads to the run and to its neighbours in the same language.
func TestPresetPageInChinese(t *testing.T) {
	s := pagesOf(t, "")
	name := scenarios.Names()[1]
	f := s.File(pages.PresetName(name, "zh"))
	all := elements(t, f)
	if got, want := find(all, "a", "data-act", "open-preset", "href"), "../../../#s="+name+"&lang=zh"; got != want {
		t.Errorf("the button leads to %q, want %q", got, want)
	}
	for rel, neighbour := range map[string]string{"prev": scenarios.Names()[0], "next": scenarios.Names()[2]} {
		if got := leadsTo(f.Name, find(all, "a", "rel", rel, "href")); got != pages.PresetName(neighbour, "zh") {
			t.Errorf("%s leads to %s", rel, got)
		}
	}
	if got := find(all, "img", "width", strconv.Itoa(poster.Width), "alt"); !strings.ContainsFunc(got, isHan) {
		t.Errorf("the picture is described by %q", got)
	}
}

// TestFidelityPage: it has every rule, the results, and a heading for each section that its overview links to.
func TestFidelityPage(t *testing.T) {
	root, err := pack.Root()
	if err != nil {
		t.Fatal(err)
	}
	report, err := fidelity.Read(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	f := pagesOf(t, "").File(pages.FidelityPage)
	page := html.UnescapeString(string(f.Raw))
	ids, links := map[string]int{}, 0
	for _, e := range elements(t, f) {
		ids[e.attrs["id"]]++
	}
	for _, e := range elements(t, f) {
		if place, ok := strings.CutPrefix(e.attrs["href"], "#"); ok {
			links++
			if ids[place] != 1 {
				t.Errorf("%d elements are called %q", ids[place], place)
			}
		}
	}
	if links != len(report.Sections) {
		t.Errorf("the overview links to %d sections, want %d", links, len(report.Sections))
	}
	for r := range report.All() {
		if ids[r.ID] != 1 || !strings.Contains(page, r.Title) {
			t.Errorf("%s is not in the page", r.ID)
		}
	}
	for _, line := range slices.Concat(report.Results, report.Versions) {
		if !strings.Contains(page, line) {
			t.Errorf("the page lacks %q", line)
		}
	}
}

// TestKubectlPage: it has every command of the prompt, with all its options.
func TestKubectlPage(t *testing.T) {
	page := html.UnescapeString(string(pagesOf(t, "").File(pages.KubectlPage).Raw))
	for _, command := range line.Modelled() {
		row := "<tr><td><code>" + command.Use + "</code></td><td>" + command.Brief + "</td><td>"
		for _, f := range command.Flags {
			row += "<code>" + f.Name + "</code> "
		}
		if !strings.Contains(page, row+"</td></tr>") {
			t.Errorf("the page lacks %s", row)
		}
	}
}

// TestSchemaPage: it has every field in both languages, and the JSON Schema has every kind for the editor.
func TestSchemaPage(t *testing.T) {
	s := pagesOf(t, "")
	for _, lang := range app.Langs() {
		page := html.UnescapeString(string(s.File(pages.FileIn(pages.SchemaFolder, lang)).Raw))
		for name, o := range schema.Objects() {
			for _, f := range o.Fields {
				sentence := f.En
				if lang == "zh" {
					sentence = f.Zh
				}
				if !strings.Contains(page, "<code>"+f.Name+"</code>") || !strings.Contains(page, "<td>"+f.Since+"</td><td>"+sentence+"</td>") {
					t.Errorf("%s: the page lacks %s.%s", lang, name, f.Name)
				}
			}
		}
	}
	file := string(s.File(pages.SchemaFile).Raw)
	for _, k := range apikinds.All() {
		if k.Applied() != strings.Contains(file, strconv.Quote(string(k.Name))) {
			t.Errorf("the editor offers %s: %v", k.Name, !k.Applied())
		}
	}
}

// TestMeasuresPage: every figure of a scorecard is defined in both languages, with its heading and its name in JSON.
func TestMeasuresPage(t *testing.T) {
	s := pagesOf(t, "")
	for _, lang := range app.Langs() {
		page := html.UnescapeString(string(s.File(pages.FileIn(pages.MeasuresFolder, lang)).Raw))
		for i := range forecast.Measures {
			m := &forecast.Measures[i]
			_, row, found := strings.Cut(page, "<td>"+m.Heading+"</td><td><code>"+m.Name+"</code></td>")
			row, _, _ = strings.Cut(row, "</tr>")
			if _, meaning, _ := strings.Cut(strings.TrimSuffix(row, "</td>"), "</td><td>"); !found || len(meaning) < 30 {
				t.Errorf("%s: the page does not define %s: %q", lang, m.Name, meaning)
			}
		}
		if !strings.Contains(page, "P95") {
			t.Errorf("%s: the page does not define the percentiles", lang)
		}
	}
}

// TestCheckPage: it has every rule of rollplay check with its level, and says why and how to fix a finding, in both languages.
func TestCheckPage(t *testing.T) {
	for _, lang := range app.Langs() {
		page := html.UnescapeString(string(pagesOf(t, "").File(pages.FileIn(pages.CheckFolder, lang)).Raw))
		for _, r := range check.Rules() {
			for _, says := range []scenario.Text{r.Title, r.Why, r.Fix} {
				sentence := says.En
				if lang == "zh" {
					sentence = says.Zh
				}
				if !strings.Contains(page, sentence) {
					t.Errorf("%s: the page lacks %q", lang, sentence)
				}
			}
			if !strings.Contains(page, `<section id="`+r.ID+`">`) || !strings.Contains(page, "<code>"+r.ID+"</code> · "+r.Level) {
				t.Errorf("%s: the page lacks %s", lang, r.ID)
			}
		}
	}
}

// TestGalleryPage: a card for each scenario with its question and its fields, and each field can be chosen. The filter is hidden
// until its script runs.
func TestGalleryPage(t *testing.T) {
	s := pagesOf(t, "")
	for _, lang := range app.Langs() {
		f := s.File(pages.FileIn(pages.GalleryFolder, lang))
		all := elements(t, f)
		var cards []string
		options := map[string]bool{}
		for _, e := range all {
			if name := e.attrs["data-name"]; name != "" {
				cards = append(cards, name)
			}
			if e.name == "option" {
				options[e.text] = true
			}
		}
		if !slices.Equal(cards, scenarios.Names()) {
			t.Errorf("%s: the cards are %q", lang, cards)
		}
		for _, name := range scenarios.Names() {
			sc, _ := scenario.Parse(scenarios.Text(name))
			if !strings.Contains(string(f.Raw), template.HTMLEscapeString(sc.Question.In(lang))) {
				t.Errorf("%s: the card of %s lacks its question", lang, name)
			}
			if got := find(all, "li", "data-name", name, "data-fields"); got != strings.Join(sc.Fields, " ") {
				t.Errorf("%s: the card of %s has the fields %q", lang, name, got)
			}
			for _, field := range sc.Fields {
				if !options[field] || strings.ContainsAny(field, " \t") {
					t.Errorf("%s: there is no choice for the field %q", lang, field)
				}
			}
		}
		if hidden := find(all, "div", "id", "filter", "role"); hidden != "search" {
			t.Errorf("%s: there is no filter", lang)
		}
		if strings.Count(find(all, "p", "id", "found", "data-some"), "%d") != 2 {
			t.Errorf("%s: the count has no places for its numbers", lang)
		}
	}
}

// TestAnnouncements: with an address, the site announces every page, and every announced address exists.
func TestAnnouncements(t *testing.T) {
	s := pagesOf(t, testURL)
	there := func(address string) {
		t.Helper()
		rest, ok := strings.CutPrefix(address, testURL)
		if !ok || s.File(leadsTo("x", rest)) == nil {
			t.Errorf("%q is not in the site", address)
		}
	}
	english, bothLanguages := []string{"the playground", "fidelity", "kubectl"}, []string{"gallery", "authors", "schema", "measures", "check", "requests"}
	var sitemap struct {
		URL []struct {
			Loc string `xml:"loc"`
		} `xml:"url"`
	}
	if err := xml.Unmarshal(s.File("sitemap.xml").Raw, &sitemap); err != nil {
		t.Fatal(err)
	}
	if got, want := len(sitemap.URL), 2*(len(scenarios.Names())+len(bothLanguages))+len(english); got != want {
		t.Errorf("the sitemap has %d pages, want %d", got, want)
	}
	for _, u := range sitemap.URL {
		if !strings.HasPrefix(u.Loc, testURL+pages.AuthorsFolder) { // which is made with the embed
			there(u.Loc)
		}
	}
	if robots := string(s.File("robots.txt").Raw); !strings.Contains(robots, "Sitemap: "+testURL+"sitemap.xml\n") {
		t.Errorf("robots.txt is %q", robots)
	}
	for _, name := range scenarios.Names() {
		all := elements(t, s.File(pages.PresetName(name, "en")))
		there(find(all, "meta", "property", "og:image", "content"))
		there(find(all, "meta", "name", "twitter:image", "content"))
		there(find(all, "meta", "property", "og:url", "content"))
		there(find(all, "link", "type", "application/json+oembed", "href"))
		checkOEmbed(t, s.File(pages.OEmbedName(name)), name, there)
	}
}

func checkOEmbed(t *testing.T, f *pack.File, name string, there func(string)) {
	t.Helper()
	var answer struct {
		Version, Type, Title, HTML string
		Width, Height              int
		Thumbnail                  string `json:"thumbnail_url"`
	}
	if err := json.Unmarshal(f.Raw, &answer); err != nil {
		t.Fatal(err)
	}
	if answer.Version != "1.0" || answer.Type != "rich" || answer.Title == "" || answer.Width == 0 || answer.Height == 0 {
		t.Errorf("%s: got %+v", f.Name, answer)
	}
	there(answer.Thumbnail)
	frames := elements(t, &pack.File{Name: f.Name, Raw: []byte(answer.HTML)})
	if len(frames) != 1 || frames[0].attrs["src"] != testURL+"embed/?layout=compact&s="+name || !strings.HasPrefix(frames[0].attrs["sandbox"], "allow-scripts") {
		t.Errorf("%s: the frame is %s", f.Name, answer.HTML)
	}
}

// TestAnnouncementsNeedAnAddress: what would be wrong without one is not there.
func TestAnnouncementsNeedAnAddress(t *testing.T) {
	s := pagesOf(t, "")
	for i := range s.Files {
		if name := s.Files[i].Name; path.Base(name) == "oembed.json" || name == "sitemap.xml" {
			t.Errorf("there is %s", name)
		}
	}
	if got, want := string(s.File("robots.txt").Raw), "User-agent: *\nAllow: /\n"; got != want {
		t.Errorf("robots.txt is %q, want %q", got, want)
	}
}

func TestNormalURL(t *testing.T) {
	for address, want := range map[string]string{
		"https://example.org":                     "https://example.org/",
		"https://example.org/rollplay":            "https://example.org/rollplay/",
		"http://localhost:8000/a/":                "http://localhost:8000/a/",
		"example.org":                             "",
		"ftp://example.org/":                      "",
		"https://example.org/?a=b":                "",
		"https://example.org/#top":                "",
		"https://somebody:something@example.org/": "",
		"https:///rollplay/":                      "",
		"://":                                     "",
	} {
		got, err := pack.NormalURL(address)
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%s: got %q, %v, want %q", address, got, err, want)
		}
	}
}

// TestNotFound: the page for an address that leads nowhere has links that hold at any depth, because our server knows it.
func TestNotFound(t *testing.T) {
	s := pagesOf(t, "")
	for at, home := range map[string]string{"/nothing": "./", "/s/nothing/": "./../../", "/a/b/c": "./../../", "/s%2Fnothing": "./"} {
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, httptest.NewRequest("GET", at, nil))
		if w.Code != 404 || w.Header().Get("Content-Security-Policy") != pack.Policy || w.Header().Get("Cache-Control") != "no-cache" {
			t.Errorf("%s: got %d, %v", at, w.Code, w.Header())
		}
		all := elements(t, &pack.File{Name: at, Raw: w.Body.Bytes()})
		if got := find(all, "a", "class", "button primary", "href"); got != home {
			t.Errorf("%s: the link leads to %q, want %q", at, got, home)
		}
		if style := find(all, "link", "rel", "stylesheet", "href"); !strings.HasPrefix(style, home+"pages-") {
			t.Errorf("%s: the style sheet is %q", at, style)
		}
	}
}

// TestNotFoundFile: a static host shows the file at any depth, so its links are whole, or it has none.
func TestNotFoundFile(t *testing.T) {
	all := elements(t, pagesOf(t, testURL).File("404.html"))
	if got, want := find(all, "a", "class", "button primary", "href"), "/some/where/"; got != want {
		t.Errorf("the link leads to %q, want %q", got, want)
	}
	for _, e := range elements(t, pagesOf(t, "").File("404.html")) {
		if e.name == "a" || e.name == "link" && e.attrs["rel"] != "icon" {
			t.Errorf("there is <%s href=%q>", e.name, e.attrs["href"])
		}
	}
}

// TestFolderWithoutSlash: relative links need the slash, and the answer must not name the path the site is mounted at.
func TestFolderWithoutSlash(t *testing.T) {
	w := httptest.NewRecorder()
	pagesOf(t, "").Handler().ServeHTTP(w, httptest.NewRequest("GET", "/s/recreate", nil))
	if got := w.Header().Get("Location"); w.Code != 301 || got != "./recreate/" {
		t.Errorf("got %d, %q", w.Code, got)
	}
}

// TestHeadersFile: what hosts make of the file is what our own server says, each header once.
func TestHeadersFile(t *testing.T) {
	files := append(slices.Clone(pagesOf(t, testURL).Files), pack.Hashed("main", ".js", []byte("1")),
		pack.File{Name: "own/index.html", Policy: "default-src 'none'"}, pack.File{Name: "mixed/index.html"}, pack.File{Name: "mixed/a.js", Hashed: true})
	rules := map[string][]string{} // by path
	var at string
	for line := range strings.Lines(string(buildHeaders(files).Raw)) {
		if header, ok := strings.CutPrefix(line, "  "); ok {
			rules[at] = append(rules[at], strings.TrimSpace(header))
		} else {
			at = strings.TrimSpace(line)
		}
	}
	if n := len(rules); n > 40 {
		t.Errorf("there are %d rules: a folder of scenarios must not need one for each", n)
	}
	for _, f := range files {
		address := "/" + strings.TrimSuffix(f.Name, "index.html")
		got := map[string]int{}
		for pattern, headers := range rules {
			if prefix, any := strings.CutSuffix(pattern, "*"); pattern == address || any && strings.HasPrefix(address, prefix) {
				for _, header := range headers {
					got[header]++
				}
			}
		}
		for _, h := range f.Headers() {
			if header := fmt.Sprintf("%s: %s", h[0], h[1]); got[header] != 1 {
				t.Errorf("%s: %q occurs %d times", f.Name, header, got[header])
			}
		}
		if len(got) != len(f.Headers()) {
			t.Errorf("%s: got %v", f.Name, got)
		}
	}
}
