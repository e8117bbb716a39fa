package scenario

// Text is something that a person reads, in the languages that a scenario is written in.
type Text struct {
	En string // English
	Zh string // simplified Chinese; empty without a translation
}

// In returns the text in a language, "en" or "zh". A text without a translation is returned in English.
func (t Text) In(lang string) string {
	if lang == "zh" && t.Zh != "" {
		return t.Zh
	}
	return t.En
}

// inWords reads a Text: a plain string, which is English, or one string for each language.
func (r *specReader) inWords(to *Text) func(string, any) {
	return func(path string, v any) {
		if _, ok := v.(map[string]any); !ok {
			r.text(&to.En)(path, v)
			return
		}
		if r.object(path, v, fields{"en": r.text(&to.En), "zh": r.text(&to.Zh)}) && to.En == "" {
			r.required(path + ".en")
		}
	}
}
