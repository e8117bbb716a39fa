package parts

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// Handler carries out an action with its value. It returns whether the page must follow: save, compute and draw again.
type Handler func(ctx app.Context, value any) (changed bool)

// Handlers are the actions of a region, by name. The page registers them.
type Handlers map[string]Handler

// Changed makes a Handler of a change that the page always follows.
func Changed[T any](do func(value T)) Handler {
	return func(_ app.Context, value any) bool {
		v, _ := value.(T)
		do(v)
		return true
	}
}
