package gitrepo

import "strings"

// Names returns the branches, remote branches, and tags as a user writes them: without
// the folder of their full names.
func (r *Repo) Names() ([]string, error) {
	var names []string
	for _, folder := range []string{"refs/heads/", "refs/remotes/", tagRefs} {
		full, err := r.refs.list(folder)
		if err != nil {
			return nil, err
		}
		for _, name := range full {
			names = append(names, strings.TrimPrefix(name, folder))
		}
	}
	return names, nil
}
