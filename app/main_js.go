package app

import (
	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/gallery"
	"github.com/rollplay/rollplay/app/lang"
)

func init() {
	gallery.TextsFrom(browser.ShippedText)
	lang.ListsFrom(browser.ShippedText)
}
