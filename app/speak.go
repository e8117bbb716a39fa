package app

import "time"

// speakEvery is the calm pace of the counts: a sentence is heard out before the next one comes.
const speakEvery = 5 * time.Second

// told is what people who hear the page know.
type told struct {
	counts struct { // of a run that plays
		at               time.Time
		caption          int
		total, available int
	}
	heard
}

// speak tells the counts of a run that plays when they have changed, and not within some seconds of a caption, which is read, too.
func (p *page) speak(now time.Time) {
	last := &p.told.counts
	if caption := p.s.Lesson.Caption(); !p.s.Cursor.Playing || caption != last.caption {
		last.at, last.caption = now, caption
	}
	if now.Sub(last.at) < speakEvery {
		return
	}
	if total, available := p.stage.CountsNow(); total != last.total || available != last.available {
		last.at, last.total, last.available = now, total, available
		p.s.Visit.Say(p.stage.Counts())
	}
}

// heard is what the live region was told last: of several changes at once it tells one, or all in one text.
type heard struct {
	opened        bool
	index         int   // of the caption
	at            int64 // where the cursor stood when the caption came
	caption       string
	verdict, said string
}

// tell tells the caption that has come, or else the verdict of a run that stands, behind what an action has said. A verdict that was still
// being computed when the caption came does not take the caption's place. A render must follow, which draws the same verdict.
func (p *page) tell() {
	was := p.told.heard
	h := was
	h.opened, h.index, h.said = true, p.s.Lesson.Caption(), p.s.Visit.Said
	if !p.s.Cursor.Playing || h.index != was.index {
		h.caption, h.verdict = p.lesson.Spoken(), p.stage.Says()
	}
	text := ""
	switch {
	case !was.opened:
	case h.caption != was.caption:
		text, h.at = h.caption, p.s.Cursor.T
	case h.verdict != was.verdict && (h.caption == "" || h.at != p.s.Cursor.T):
		text = h.verdict
	}
	if text != "" {
		if h.said != was.said && h.said != "" {
			text = h.said + " " + text
		}
		h.said = text
		p.s.Visit.SayAgain(text)
	}
	p.told.heard = h
}
