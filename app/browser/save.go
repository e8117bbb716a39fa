package browser

import (
	"io"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// partSize is how much of a file is handed over at a time, so that a long trace is not in memory twice.
const partSize = 1 << 20

// parts is a file on its way to the browser.
type parts struct {
	rest  []byte
	whole []any // Uint8Arrays
}

func (p *parts) Write(b []byte) (int, error) {
	p.rest = append(p.rest, b...)
	if len(p.rest) >= partSize {
		p.flush()
	}
	return len(b), nil
}

func (p *parts) flush() {
	p.whole, p.rest = append(p.whole, bytes(p.rest)), p.rest[:0]
}

// Save hands the person a file. Its bytes are those that are written, hidden characters too.
func Save(name, mime string, write func(io.Writer)) {
	if app.IsServer {
		return
	}
	var p parts
	write(&p)
	p.flush()
	call("save", name, mime, p.whole)
}

// SavePicture draws an SVG as a PNG and hands it over.
func SavePicture(name, svg string) { call("savePicture", name, svg) }
