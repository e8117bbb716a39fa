package session

import "github.com/rollplay/rollplay/app/lang"

// Visit is what holds for the whole visit: the language, and what the page tells the person.
type Visit struct {
	Lang    lang.Lang
	Calm    bool   // the person asked for less motion
	Notice  Notice // above the editor
	Said    string // for the live region
	Touched bool   // the person did something that a reload must show again
	Address string // the link in the address bar, "" for none

	langChosen bool // by the person or by a link, so that links keep it
}

// offer is what a notice offers to do.
type offer uint8

const (
	offerNothing offer = iota
	OfferRestart       // restart with the text of the editor
	OfferAnyway        // run the text that did not finish last time
)

// Notice is one sentence above the editor about the last action.
type Notice struct {
	Text   string
	Bad    bool
	Offer  offer
	Report string // of a bug in rollplay, to be copied
}

func (v *Visit) Say(text string) { v.Said = text }

// SayAgain puts a text in the live region that is read even if it stands there already.
func (v *Visit) SayAgain(text string) {
	if v.Said == text {
		text += "\u00a0"
	}
	v.Said = text
}

func (v *Visit) refuse(text string) { v.Notice, v.Said = Notice{Text: text, Bad: true}, text }

// UseBrowserLang shows the page in the language of somebody whose browser has that tag, until a language is chosen.
func (v *Visit) UseBrowserLang(tag string) { v.Lang = lang.Pick(tag) }

// SetLang shows the page in a language from now on: the person has chosen it, so links keep it. A tag that is no language
// of the page changes nothing.
func (v *Visit) SetLang(tag string) {
	if l := lang.Of(tag); l != "" {
		v.Lang, v.langChosen = l, true
	}
}

// Tell shows a sentence about what the page did by itself.
func (v *Visit) Tell(text string, bad bool) {
	v.Notice = Notice{Text: text, Bad: bad}
	v.Say(text)
}

// Dismiss takes the notice away.
func (v *Visit) Dismiss() { v.Notice = Notice{} }

// TextsMissing says that the texts of the scenarios could not be loaded.
func (v *Visit) TextsMissing(why string) { v.refuse(v.Lang.Say("texts-missing", why)) }
