package picture

// Color is a colour as SVG writes it, and how opaque it is, in percent.
type Color struct {
	RGB     string // #rrggbb
	Percent int
}

// Theme is the side of the table of colours that a picture has.
type Theme uint8

// The themes. With Auto the file has both, and the reader's preference decides.
const (
	Light Theme = iota
	Dark
	Auto
)

// Themes are the names of the themes in the order of their numbers.
var Themes = [...]string{"light", "dark", "auto"}

// colors are those of the page by their names in colors.css; a test compares the two.
var colors = [...]struct {
	name        string
	light, dark Color
}{
	{"bad", Color{"#b3261e", 100}, Color{"#ff8a80", 100}},
	{"warn", Color{"#8a5a00", 100}, Color{"#f0b94a", 100}},
	{"border", Color{"#dfe3e8", 100}, Color{"#28303a", 100}},
	{"card", Color{"#ffffff", 100}, Color{"#151a21", 100}},
	{"text", Color{"#1b2027", 100}, Color{"#e4e9ef", 100}},
	{"muted", Color{"#576070", 100}, Color{"#9ba6b4", 100}},
	{"accent", Color{"#2459d3", 100}, Color{"#5f95f7", 100}},
	{"chart-label", Color{"#5b6573", 100}, Color{"#98a3b1", 100}},
	{"chart-grid", Color{"#edf0f3", 100}, Color{"#212831", 100}},
	{"chart-axis", Color{"#c3cad3", 100}, Color{"#3a4552", 100}},
	{"c-lower", Color{"#6fa8cc", 100}, Color{"#35607c", 100}},
	{"c-upper", Color{"#d9a05f", 100}, Color{"#8a6335", 100}},
	{"c-desired", Color{"#4a5361", 100}, Color{"#c2cbd6", 100}},
	{"c-unavailable-band", Color{"#56b4e9", 20}, Color{"#56b4e9", 15}},
	{"c-surge-band", Color{"#e69f00", 16}, Color{"#e69f00", 17}},
	{"c-terminating-area", Color{"#6b7480", 22}, Color{"#9ba6b4", 22}},
	{"c-terminating", Color{"#6b7480", 100}, Color{"#9ba6b4", 100}},
	{"c-total", Color{"#d55e00", 100}, Color{"#ff8f4d", 100}},
	{"c-available", Color{"#0072b2", 100}, Color{"#56b4e9", 100}},
	{"c-outage", Color{"#b3261e", 16}, Color{"#ff5a50", 24}},
	{"c-total-faint", Color{"#f2c9a8", 100}, Color{"#6b4630", 100}},
	{"c-available-faint", Color{"#a9cde4", 100}, Color{"#2b5471", 100}},
	{"c-rs-0", Color{"#9c4a86", 100}, Color{"#e6a0cd", 100}},
	{"c-rs-1", Color{"#00805d", 100}, Color{"#2fd0a0", 100}},
	{"c-rs-2", Color{"#8f6b00", 100}, Color{"#efe05a", 100}},
	{"c-rs-3", Color{"#4a4fb5", 100}, Color{"#a9b4ff", 100}},
	{"c-rs-4", Color{"#7a4a2b", 100}, Color{"#dca878", 100}},
	{"c-rs-5", Color{"#5b6470", 100}, Color{"#c6ced8", 100}},
}

// Of returns a colour of the theme. A name that the table does not have is a bug.
func (t Theme) Of(name string) Color {
	c := &colors[colorIndex(name)]
	if t == Dark {
		return c.dark
	}
	return c.light
}

func colorIndex(name string) int {
	for i := range colors {
		if colors[i].name == name {
			return i
		}
	}
	panic("picture: there is no colour --" + name)
}
