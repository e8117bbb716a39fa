package print

import "strconv"

// valueAt returns what stands in a tree at a path, nil if nothing does.
func ValueAt(tree any, steps []string) any {
	for _, s := range steps {
		switch v := tree.(type) {
		case map[string]any:
			tree = v[s]
		case []any:
			i, err := strconv.Atoi(s)
			if err != nil || i < 0 || i >= len(v) {
				return nil
			}
			tree = v[i]
		default:
			return nil
		}
	}
	return tree
}
