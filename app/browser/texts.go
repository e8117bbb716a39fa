package browser

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// The texts of the shipped scenarios are a file of their own: web/shell/boot.js loads it, before the program starts if a link or the last
// visit may need one of them, otherwise afterwards.

// ShippedText returns the text of a shipped scenario, "" if it is not there.
func ShippedText(name string) string {
	if all := texts(); all != nil && all.Get("all").Truthy() {
		if text := all.Get("all").Get(name); text.Type() == app.TypeString {
			return text.String()
		}
	}
	return ""
}

// HasTexts says whether the texts are there. Off the browser they always are.
func HasTexts() bool {
	all := texts()
	return all == nil || all.Get("all").Truthy()
}

// LoadTexts loads them, then calls done with what went wrong, "" if nothing has.
func LoadTexts(done func(wrong string)) {
	var ok, failed app.Func
	end := func(wrong string) any {
		ok.Release()
		failed.Release()
		done(wrong)
		return nil
	}
	ok = app.FuncOf(func(app.Value, []app.Value) any { return end("") })
	failed = app.FuncOf(func(_ app.Value, args []app.Value) any { return end(args[0].Get("message").String()) })
	texts().Call("load").Call("then", ok, failed)
}

func texts() app.Value {
	if app.IsServer {
		return nil
	}
	return app.Window().Get("rollplayTexts")
}
