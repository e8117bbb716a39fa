package pages

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"html"
	"path"
	"strings"

	"github.com/rollplay/rollplay/app"
	"github.com/rollplay/rollplay/web/must"
	"github.com/rollplay/rollplay/web/site/pack"
	"github.com/rollplay/rollplay/web/site/poster"
)

// announcements returns the files for programs that search for pages. All but robots.txt need absolute addresses.
func announcements(o pack.Options, presets []preset) []pack.File {
	robots := "User-agent: *\nAllow: /\n"
	if o.URL == "" {
		o.Logf("without -url the site has no sitemap.xml, no oEmbed and no og:url, because they need an address")
		return []pack.File{pack.Text("robots.txt", robots)}
	}
	files := []pack.File{pack.Text("robots.txt", robots+"Sitemap: "+o.URL+"sitemap.xml\n"), pack.Text("sitemap.xml", sitemap(o.URL, presets))}
	for _, p := range presets {
		files = append(files, pack.Text(OEmbedName(p.Name), oEmbed(o.URL, p)))
	}
	return files
}

// sitemap lists the pages for search engines.
func sitemap(base string, presets []preset) string {
	var b strings.Builder
	b.WriteString(xml.Header + `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n")
	pages := []string{"", path.Dir(FidelityPage) + "/", path.Dir(KubectlPage) + "/"}
	for _, lang := range app.Langs() {
		for _, folder := range []string{GalleryFolder, AuthorsFolder, SchemaFolder, MeasuresFolder, CheckFolder, MeasuredFolder} {
			pages = append(pages, InLang(folder, lang))
		}
		for _, p := range presets {
			pages = append(pages, InLang(presetFolder(p.Name), lang))
		}
	}
	for _, page := range pages {
		fmt.Fprintf(&b, "<url><loc>%s</loc></url>\n", html.EscapeString(base+page))
	}
	b.WriteString("</urlset>\n")
	return b.String()
}

// OEmbedName returns the file for programs that show a scenario inside a page: https://oembed.com. All get the same answer, so
// it can be a file.
func OEmbedName(name string) string { return "s/" + name + "/oembed.json" }

// Size of the frame in an oEmbed answer, in the small layout. WordPress appends a fragment to the address, so the name is in the query.
const frameWidth, frameHeight = 720, 480

func oEmbed(base string, p preset) string {
	title := p.in(app.Langs()[0]).Title
	b := must.Have(json.MarshalIndent(struct {
		Version      string `json:"version"`
		Type         string `json:"type"`
		Title        string `json:"title"`
		Provider     string `json:"provider_name"`
		ProviderURL  string `json:"provider_url"`
		HTML         string `json:"html"`
		Width        int    `json:"width"`
		Height       int    `json:"height"`
		Thumbnail    string `json:"thumbnail_url"`
		ThumbnailW   int    `json:"thumbnail_width"`
		ThumbnailH   int    `json:"thumbnail_height"`
		CacheSeconds int    `json:"cache_age"`
	}{
		Version: "1.0", Type: "rich", Title: title, Provider: "rollplay", ProviderURL: base,
		HTML: frame(base+"embed/?layout=compact&s="+p.Name, title), Width: frameWidth, Height: frameHeight,
		Thumbnail: base + p.Image, ThumbnailW: poster.PreviewWidth, ThumbnailH: poster.PreviewHeight, CacheSeconds: 86_400,
	}, "", "  "))
	return string(b) + "\n"
}

// frame is the element that shows an embed. It may run scripts, and open the playground in a window outside of the sandbox.
func frame(src, title string) string {
	return fmt.Sprintf(`<iframe src="%s" title="%s" width="%d" height="%d" `+
		`sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox" loading="lazy" frameborder="0"></iframe>`,
		html.EscapeString(src), html.EscapeString(title), frameWidth, frameHeight)
}
