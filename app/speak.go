package app

import "time"

// speakEvery is the calm pace of the counts: a sentence is heard out before the next one comes.
const speakEvery = 5 * time.Second

// lastCounts is what people who hear the page were told last while a run plays.
type lastCounts struct {
	at               time.Time
	caption          int
	total, available int
}

// speak tells the counts of a run that plays when they have changed, and not within some seconds of a caption, which is read, too.
func (p *page) speak(now time.Time) {
	last := &p.spoken
	if caption := p.s.Lesson.Caption(); !p.s.Cursor.Playing || caption != last.caption {
		last.at, last.caption = now, caption
	}
	if now.Sub(last.at) < speakEvery {
		return
	}
	if total, available := p.stage.CountsNow(); total != last.total || available != last.available {
		*last = lastCounts{now, last.caption, total, available}
		p.s.Visit.Say(p.stage.Counts())
	}
}
