# Makes a library with labeled texts and its bundle in the working folder, for tests of a site. The
# first argument is what the dataset shares.
set -e
git init -q -b main lib
cd lib
mkdir -p rubrics/incident_reports
cat >rubrics/incident_reports/incident_postmortem_v1.yaml <<'Y'
rubric_id: "incident_postmortem_v1"
version: "1.0.0"
artifact_type: "incident_reports"
name: "Incident postmortem"
description: "Grades the review of an outage."
criteria:
  - name: "timeline"
    description: "Which steps have a time?"
    weight: "essential"
    threshold: 3.5
    anchors: {1: "No step has one.", 2: "One has.", 3: "Half have.", 4: "All but one.", 5: "All."}
    examples: {score_1: "It was down.", score_5: "09:10 UTC alarm, 09:22 UTC rollback."}
scoring: {pass_threshold: 3.0}
metadata: {owner: "@acme/sre"}
Y
commit() {
  git add -A
  GIT_AUTHOR_DATE=$1T09:00:00Z GIT_COMMITTER_DATE=$1T09:00:00Z git -c user.name=Ann -c user.email=ann@example.com commit -qm "$2"
}
commit 2026-09-01 "First"
{
  echo item,rater,artifact,timeline
  for i in $(seq 120); do
    for r in 1 2; do
      printf '%s,r%s,"# Review\n\nCase %s",%s\n' "$i" $r "$i" $((1 + (i + (i % 9 == r + 3)) % 5))
    done
  done
} >../people.csv
for j in 1 2; do
  {
    echo item,timeline
    for i in $(seq 120); do echo "$i",$((1 + (i + (i % 13 == j)) % 5)); done
  } >../run$j.csv
done
rubric calibrate import ../people.csv --dataset postmortems --rubric incident_postmortem_v1 \
  --labeled-by people --method "By the anchors." --license CC0-1.0
echo "share: \"$1\"" >>calibration/postmortems/dataset.yaml
version() { # VERSION DATE MESSAGE REPLACEMENT
  sed -i.old -e "s/^version.*/version: \"$1\"/" -e "$4" rubrics/incident_reports/*.yaml
  rm rubrics/incident_reports/*.old
  commit "$2" "$3"
}
echo 'calibration_dataset: "calibration/postmortems/dataset.yaml"' >>rubrics/incident_reports/incident_postmortem_v1.yaml
version 1.1.0 2026-11-01 "Lower a minimum" "s/threshold: 3.5/threshold: 3.0/"
for j in 1 2; do
  rubric calibrate import ../run$j.csv --judge acme-judge --model big-1 \
    --rubric incident_postmortem_v1@1.1.0 --date 2026-11-$((9 + 7 * j))
done
commit 2026-11-24 "Runs"
version 1.2.0 2026-11-25 "Ask for steps" "s/Which steps have a time/Which of the steps have a time/"
rubric build -o ../library.zip --first-release --version 1.0.0
