package calibration

import "path"

// IsJudgeName reports whether a text is a valid name of a judge, which is also the name
// of its file without ".jsonl".
func IsJudgeName(name string) bool { return judgeName.MatchString(name) }

// JudgeFile returns the path of a judge's answers in a library.
func JudgeFile(dataset, judge string) string {
	return path.Join(Root, dataset, JudgesDir, judge+".jsonl")
}
