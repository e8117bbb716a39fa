package scenarios

import (
	_ "embed"
	"strconv"
	"strings"
)

// asked is what can be asked again, each behind its key. make golden writes them.
//
//go:embed questions.txt
var asked string

const questionMark = "\n====== "

// A question can be asked again, on another day and as another run. Its name is a scenario's: first-rollout:10000:17 is the question that the
// caption at 10,000 ms of first-rollout asks, in draw 17.

// Draws is how many runs there are for each question, so that a test can play all of them.
const Draws = 1000

// rowMark separates the text of a question, which has places {0}, {1} and {seed}, from the rows of what they can hold.
const rowMark = "\n===\n"

// Asked splits the name of a question that is asked again: the lesson, the moment of its caption in ms, and the draw.
func Asked(name string) (lesson, at string, draw int, ok bool) {
	lesson, rest, _ := strings.Cut(name, ":")
	at, number, ok := strings.Cut(rest, ":")
	n, err := strconv.Atoi(number)
	return lesson, at, n, ok && err == nil && n >= 0
}

// Drawn returns the text of a question that is asked again, "" for any other name. What text has of the question's key, first-rollout:10000,
// is filled with the seed and a row of the draw.
func Drawn(name string, text func(name string) string) string {
	lesson, at, draw, ok := Asked(name)
	if !ok {
		return ""
	}
	rows := strings.Split(text(lesson+":"+at), rowMark)
	draw %= Draws
	filled := strings.ReplaceAll(rows[0], "{seed}", strconv.Itoa(draw))
	if rows = rows[1:]; len(rows) > 0 {
		for i, value := range strings.Split(rows[draw%len(rows)], "\t") {
			filled = strings.ReplaceAll(filled, "{"+strconv.Itoa(i)+"}", value)
		}
	}
	return filled
}
