package calibration

import "path"

// IsJudgeName tells whether a text can be the name of a judge, which is that of
// its file.
func IsJudgeName(name string) bool { return judgeName.MatchString(name) }

// JudgeFile is the path of a judge's answers in a library.
func JudgeFile(dataset, judge string) string {
	return path.Join(Root, dataset, JudgesDir, judge+".jsonl")
}
