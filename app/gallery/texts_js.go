package gallery

// textOf is set by TextsFrom.
var textOf = func(string) string { return "" }

// TextsFrom says where the texts of the shipped scenarios come from, apart from the first.
func TextsFrom(source func(name string) string) { textOf = source }
