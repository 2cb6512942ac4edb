#!/bin/sh
# convert.sh CLONES FOLDER writes the rubrics of the public sources of docs/development/lint-rates.md
# into FOLDER, as the file rubrics.jsonl of each source. CLONES contains clones of the
# repositories, named as on GitHub. It needs Git and jq.
set -eu
clones=$1 folder=$2
mkdir -p "$folder/prometheus" "$folder/writingbench" "$folder/flask" "$folder/tools"

# The test sets of Prometheus repeat a rubric in the prompt of each answer.
for set in vicuna mt_bench hhh_alignment; do
	git -C "$clones/prometheus" show "60e2c58:evaluation/benchmark/data/${set}_eval.json" |
		jq -c --slurp --arg set "${set%%_*}" 'flatten | [.[] | (.instruction // .chosen_instruction)
			| capture("###Score Rubrics?:\\s*\\n\\[?(?<criteria>.*?)\\]?\\s*\\nScore 1: (?<a>.*?)\\nScore 2: (?<b>.*?)\\nScore 3: (?<c>.*?)\\nScore 4: (?<d>.*?)\\nScore 5: (?<e>.*?)(?:\\n\\n|\\n*###|$)"; "m")]
			| reduce .[] as $r ([]; if any(.[]; .criteria == $r.criteria and .a == $r.a) then . else . + [$r] end)
			| to_entries[] | {id: "\($set)_\(.key + 1)", task: "quality", criteria: .value.criteria,
				anchors: {"1": .value.a, "2": .value.b, "3": .value.c, "4": .value.d, "5": .value.e}}'
done >"$folder/prometheus/rubrics.jsonl"

# WritingBench has five criteria per query. The five bands of its scale become the scores.
git -C "$clones/WritingBench" show ae2d517:benchmark_query/requirement/length/length_subset.jsonl |
	jq -c '"query_\(.index)" as $rubric | .index as $index
		| .checklist | select(.[0].criteria_description | test("\\p{Han}") | not) | to_entries[]
		| {id: "\($index)_\(.key)", rubric: $rubric, task: .value.name, criteria: .value.criteria_description,
			anchors: {"1": .value["1-2"], "2": .value["3-4"], "3": .value["5-6"], "4": .value["7-8"], "5": .value["9-10"]}}' \
		>"$folder/writingbench/rubrics.jsonl"

git -C "$clones/FLASK" show 3b4e22b:metadata_annotation/skillset/src/skillset_description.json |
	jq -c '.[] | {id: .Skill, task: .Skill, criteria: .Criteria, anchors: .Scoring}' >"$folder/flask/rubrics.jsonl"

# Ragas has the anchors of a rubric in lines of Python, and prometheus-eval in a text with its
# question in brackets.
{
	git -C "$clones/ragas" grep -h -oE '"score[1-5]_description": *"[^"]*"' 3e28e9de -- 'src/*.py' 'docs/*.md' |
		jq -c -R -n '[inputs | capture("score(?<n>.)_description\": *\"(?<text>.*)\"")] as $lines
			| [range(0; $lines | length) | select($lines[.:. + 5] | map(.n) | join("") == "12345") | $lines[.:. + 5] | map(.text)]
			| reduce .[] as $r ([]; if any(.[]; . == $r) then . else . + [$r] end)
			| to_entries[] | {id: "ragas_\(.key + 1)", task: "quality", criteria: "How good is the response?",
				anchors: (.value | to_entries | map({key: "\(.key + 1)", value}) | from_entries)}'
	git -C "$clones/prometheus-eval" show dcfb442:libs/prometheus-eval/prometheus_eval/prompts.py |
		jq -c --slurp -R 'capture("\\n\\[(?<q>[^{}\\]]+)\\]\\nScore 1: (?<a>.*?)\\nScore 2: (?<b>.*?)\\nScore 3: (?<c>.*?)\\nScore 4: (?<d>.*?)\\nScore 5: (?<e>.*?)\\n"; "g")
			| {task: "quality", criteria: .q, anchors: {"1": .a, "2": .b, "3": .c, "4": .d, "5": .e}}' |
		jq -c --slurp 'to_entries[] | {id: "prometheus_eval_\(.key + 1)"} + .value'
} >"$folder/tools/rubrics.jsonl"
