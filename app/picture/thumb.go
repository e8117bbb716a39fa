package picture

import "github.com/rollplay/rollplay/engine"

// ThumbWidth and ThumbHeight are the size of a Thumb.
const ThumbWidth, ThumbHeight = 184, 104

// Thumb is the run as a figure so small that only its shape can be seen: the pods of each revision on top of each other, above them those
// that stop, the available ones as a line, and red where none is available. It has no visible words, and the colours of both themes.
func (p *Picture) Thumb() []byte {
	s := p.sheet("", box{0, ThumbWidth, 4, ThumbHeight})
	s.Width, s.Height = ThumbWidth, ThumbHeight
	s.stack()
	s.fill(total, all, "c-terminating-area")
	s.add(steps{s.line(lower), "muted", 2, []float64{4, 4}}, steps{s.line(available), "c-available", 4, nil})
	s.outages()
	css := &svgWriter{theme: Auto}
	body, w := s.drawing.themed(css), &svgWriter{}
	s.drawing.head(w, "img", "")
	w.printf("<style>\n%s</style>\n%s</svg>\n", css.buf.String(), body)
	return w.buf.Bytes()
}

// stack fills the pods of each ReplicaSet, the older below the newer.
func (s *sheet) stack() {
	below := func(*engine.Frame) int { return 0 }
	for i, name := range s.replicaSets() {
		under, count := below, replicas(name)
		below = func(f *engine.Frame) int { return under(f) + count(f) }
		s.fill(under, below, rsColor(i))
	}
}
