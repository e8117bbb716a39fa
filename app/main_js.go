package app

import (
	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/gallery"
	"github.com/rollplay/rollplay/app/lang"
)

func init() {
	gallery.TextOf = browser.ShippedText
	lang.List = browser.ShippedText
}
