package lang

// engineChinese is set by EngineListFrom.
var engineChinese = func() string { return "" }

// EngineListFrom says where the text of EngineFile comes from; it is "" as long as it is not there.
func EngineListFrom(source func() string) { engineChinese = source }
