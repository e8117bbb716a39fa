package limits

import (
	"strconv"
	"unicode/utf8"
)

// Short cuts an error or a warning at a sensible length: it may quote a text that somebody else wrote.
func Short(message string) string {
	if len(message) <= Message {
		return message
	}
	end := Message
	for end > 0 && !utf8.RuneStart(message[end]) {
		end--
	}
	return message[:end] + "… (" + strconv.Itoa(len(message)-end) + " more bytes)"
}
