//go:build !js

package app

import (
	"fmt"
	"html"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// tree is an element as go-app writes it, without the spaces that it puts between elements, or a text.
type tree struct {
	tag      string // "" for a text
	text     string
	attrs    map[string]string
	children []*tree
}

// treeReader reads what go-app has written.
type treeReader struct{ rest string }

func (p *treeReader) cut(before string) (text string) {
	text, p.rest, _ = strings.Cut(p.rest, before)
	return text
}

var (
	emptyTags = []string{"input", "img", "br", "hr", "path"}
	switches  = []string{"hidden", "disabled", "checked", "selected", "open", "autofocus", "readonly", "required", "multiple"}
)

// element reads an element at a depth. An attribute that is a switch is there or not; any other has a value.
func (p *treeReader) element(depth int) *tree {
	p.cut("<")
	end := strings.IndexAny(p.rest, " />")
	e := &tree{tag: p.rest[:end], attrs: map[string]string{}}
	p.rest = p.rest[end:]
	for p.rest[0] == ' ' {
		p.rest = p.rest[1:]
		end := strings.IndexAny(p.rest, " =/>")
		name, value := p.rest[:end], "true"
		if p.rest = p.rest[end:]; p.rest[0] == '=' {
			quoted, _ := strconv.QuotedPrefix(p.rest[1:])
			value, _ = strconv.Unquote(quoted)
			p.rest = p.rest[1+len(quoted):]
		}
		if !slices.Contains(switches, name) {
			e.attrs[name] = value
		} else if value == "true" {
			e.attrs[name] = ""
		}
	}
	p.cut(">")
	for !slices.Contains(emptyTags, e.tag) {
		end := strings.IndexByte(p.rest, '<')
		text := p.rest[:end]
		p.rest = p.rest[end:]
		if strings.HasPrefix(text, "\n") {
			text = strings.TrimPrefix(text[1:], strings.Repeat("  ", depth+1))
			text = strings.TrimSuffix(strings.TrimRight(text, " "), "\n")
		}
		if text != "" {
			e.children = append(e.children, &tree{text: html.UnescapeString(text)})
		}
		if strings.HasPrefix(p.rest, "</") {
			p.cut(">")
			break
		}
		e.children = append(e.children, p.element(depth+1))
	}
	return e
}

func treeOf(written string) *tree { return (&treeReader{written}).element(0) }

// prune removes what a closed page does not show: dialogs, and what is inside of menus and drawers. What speaks is the loader.
func (e *tree) prune() *tree {
	delete(e.attrs, "aria-live")
	if role := e.attrs["role"]; role == "status" || role == "alert" {
		delete(e.attrs, "role")
	}
	_, open := e.attrs["open"]
	e.children = slices.DeleteFunc(e.children, func(c *tree) bool {
		return c.tag == "dialog" || e.tag == "details" && !open && c.tag != "summary"
	})
	if _, hidden := e.attrs["hidden"]; hidden {
		e.children = nil
	}
	for _, c := range e.children {
		c.prune()
	}
	return e
}

// find returns the first element with a class among its classes.
func (e *tree) find(class string) *tree {
	if slices.Contains(strings.Fields(e.attrs["class"]), class) {
		return e
	}
	for _, c := range e.children {
		if found := c.find(class); found != nil {
			return found
		}
	}
	return nil
}

// html writes a tree; equal trees give equal bytes.
func (e *tree) html(b *strings.Builder) {
	if e.tag == "" {
		b.WriteString(html.EscapeString(e.text))
		return
	}
	b.WriteString("<" + e.tag)
	for _, name := range slices.Sorted(maps.Keys(e.attrs)) {
		fmt.Fprintf(b, ` %s="%s"`, name, html.EscapeString(e.attrs[name]))
	}
	b.WriteByte('>')
	if slices.Contains(emptyTags[:len(emptyTags)-1], e.tag) {
		return
	}
	for _, c := range e.children {
		c.html(b)
	}
	b.WriteString("</" + e.tag + ">")
}
