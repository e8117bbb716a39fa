package lang

// List is set by ListsFrom.
var List = func(string) string { return "" }

// ListsFrom says where the text of one of the Lists comes from; it is "" as long as it is not there.
func ListsFrom(source func(name string) string) { List = source }
