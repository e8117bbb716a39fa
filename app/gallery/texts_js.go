package gallery

// TextOf returns the text of a shipped scenario, apart from the first. The page says where it comes from.
var TextOf = func(name string) string { return "" }
