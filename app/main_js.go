package app

import (
	"github.com/rollplay/rollplay/app/browser"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/session"
)

func init() {
	session.TextsFrom(browser.ShippedText)
	lang.ListsFrom(browser.ShippedText)
}
