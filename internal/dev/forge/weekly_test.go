package forge_test

import (
	"testing"

	"github.com/rubric-library/rubric-library/internal/authoring"
)

// weekly asks a judge in a clone, as on a host whose workflows can't, and opens a pull request with
// its answers, whose check passes.
func (f *forge) weekly(t *testing.T) {
	f = f.on(t)
	dir := folder(t)
	f.run(admin, f.dir, "git clone --quiet "+f.url+"/"+authoring.Project+" '"+dir+"-all'")
	f.run(admin, dir, `git init --quiet && cp -r ../clone-all/rubrics ../clone-all/calibration .
		rm -f rubrics/exceptions.yaml && rubric init --ci gitea --owner @`+organization+`/quality
		git add . && git commit --quiet --message 'Start a library'`)
	l := f.newLibrary(t, "weekly", dir, nil)
	p := l.open("answers", `rubric calibrate weekly user_story_quality_v1 --judge length --model length-1 \
		-- python3 '`+dir+`-all/examples/judges/length_judge.py' >../report || [ $? = 1 ]
		test -n "$(git status --porcelain calibration)"`)
	p.expect("success")
	const page = "docs/calibration-reference.md#check-for-drift-every-week"
	works("the weekly calibration by hand, and the check of its answers", page)
}
