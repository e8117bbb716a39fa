package api

// aggregate holds the errors of several calls made side by side.
type aggregate []error

// Aggregate joins errors as controllers do (apimachinery util/errors.NewAggregate): nil without errors, and a single error
// unchanged.
func Aggregate(errs []error) error {
	switch len(errs) {
	case 0:
		return nil
	case 1:
		return errs[0]
	}
	return aggregate(errs)
}

// Error returns the texts in brackets, each of them once.
func (a aggregate) Error() string {
	texts := a.texts(nil)
	if len(texts) == 1 {
		return texts[0]
	}
	all := "["
	for i, text := range texts {
		if i > 0 {
			all += ", "
		}
		all += text
	}
	return all + "]"
}

// texts appends the texts that are not there yet, those of inner joined errors one by one.
func (a aggregate) texts(list []string) []string {
	for _, err := range a {
		if inner, ok := err.(aggregate); ok {
			list = inner.texts(list)
			continue
		}
		text, seen := err.Error(), false
		for _, have := range list {
			seen = seen || have == text
		}
		if !seen {
			list = append(list, text)
		}
	}
	return list
}

// Unwrap returns the single errors.
func (a aggregate) Unwrap() []error { return a }
