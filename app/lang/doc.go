// Package lang is the catalogue: all texts of the page itself, in each of its languages (messages.txt, pages.txt for the static
// pages), including those for screen readers. Tests find a message without a translation, a mismatched placeholder, an unused
// message, and English text left on the Chinese page. golang.org/x/text would bring its own parser and tables.
//
// Text from Kubernetes stays English, and so do errors about a pasted text, which quote it. The engine is English only, because
// command, traces and recordings keep its texts. Its sentences come from a fixed number of templates: engine.zh.txt lists them with
// their Chinese, and Lang.Engine recognizes a sentence by its template. Carrying template and arguments in each record would have
// cost memory in every run and an edit in some 200 places. A test reads the engine's source and fails for a template without
// Chinese. The list comes with the texts of the scenarios, so the program does not contain it.
//
// Scripts get their words when the language is chosen (scripts.go). Messages shown before a switch keep their language. A language
// chosen by the user or by a link goes into links; otherwise the browser decides.
package lang
