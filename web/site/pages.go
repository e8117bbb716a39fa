package site

// buildPages makes the pages that people only read: the page of each scenario with its posters, the gallery, the list of
// rules, the page for an address that leads nowhere, and the files that announce them to other programs.
func buildPages(o Options) ([]File, *missing, error) {
	css, err := styleSheet(o, "pages.css")
	if err != nil {
		return nil, nil, err
	}
	style := later(hashed("pages", ".css", css))
	presets, err := readPresets()
	if err != nil {
		return nil, nil, err
	}
	files, err := buildPresets(o, presets, style.Name)
	if err != nil {
		return nil, nil, err
	}
	rules, err := buildFidelity(o, style.Name)
	if err != nil {
		return nil, nil, err
	}
	missing, err := newMissing(o, style.Name)
	if err != nil {
		return nil, nil, err
	}
	page, err := missing.file(o)
	return append(append(files, style, rules, page), announcements(o, presets)...), missing, err
}
