package bundlefile

import (
	"fmt"
	"strings"
)

// library returns n rubrics of about 5 KB each, ready to be written.
func library(n int) (Manifest, []IndexLine, []File) {
	index := make([]IndexLine, n)
	files := make([]File, n)
	for i := range n {
		id := fmt.Sprintf("rubric_number_%06d_v1", i)
		text := strings.Repeat(fmt.Sprintf("The story %d says who wants what, and why. ", i), 115)
		data := fmt.Appendf(nil, `{"artifact_type":"jira_tickets","description":"%s","rubric_id":"%s"}`, text, id)
		files[i] = File{DocumentPath(KindRubric, id, "1.0.0"), data}
		index[i] = IndexLine{
			ID: id, Kind: KindRubric, Name: "Rubric", ArtifactType: "jira_tickets", Latest: "1.0.0",
			Description: "Scores the stories of a team before they are planned.",
			Versions:    []Version{{Version: "1.0.0", Digest: digestPrefix + sumOf(data)}},
		}
	}
	return Manifest{LibraryVersion: "1.0.0", Commit: strings.Repeat("a", 40)}, index, files
}

// tiny returns n rubrics with almost no content.
func tiny(n int) (Manifest, []IndexLine, []File) {
	m, index, files := library(0)
	for i := range n {
		id := fmt.Sprintf("r%06d", i)
		data := []byte(id)
		files = append(files, File{DocumentPath(KindRubric, id, "1.0.0"), data})
		index = append(index, IndexLine{
			ID: id, Kind: KindRubric, Name: "R", ArtifactType: "a", Latest: "1.0.0",
			Versions: []Version{{Version: "1.0.0", Digest: digestPrefix + sumOf(data)}},
		})
	}
	return m, index, files
}
