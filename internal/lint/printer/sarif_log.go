package printer

import "github.com/rubric-library/rubric-library/internal/lint"

// The part of SARIF 2.1.0 that SARIF writes.

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool              map[string]sarifDriver `json:"tool"`
	AutomationDetails map[string]string      `json:"automationDetails"`
	ColumnKind        string                 `json:"columnKind"`
	Invocations       []sarifInvocation      `json:"invocations"`
	Results           []sarifResult          `json:"results"`
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"version"`
	Rules   []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID            string                   `json:"id"`
	Short         sarifMessage             `json:"shortDescription"`
	Full          sarifMessage             `json:"fullDescription"`
	Help          sarifMessage             `json:"help"`
	Configuration map[string]string        `json:"defaultConfiguration"`
	Properties    map[string][]lint.Family `json:"properties"`
}

type sarifInvocation struct {
	ExecutionSuccessful bool                `json:"executionSuccessful"`
	Notifications       []sarifNotification `json:"toolExecutionNotifications,omitempty"`
}

type sarifNotification struct {
	Level   string       `json:"level"`
	Message sarifMessage `json:"message"`
}

type sarifMessage struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown,omitempty"`
}

type sarifResult struct {
	RuleID       string            `json:"ruleId"`
	RuleIndex    int               `json:"ruleIndex"`
	Level        string            `json:"level"`
	Message      sarifMessage      `json:"message"`
	Locations    []sarifLocation   `json:"locations"`
	Related      []sarifLocation   `json:"relatedLocations,omitempty"`
	Fingerprints map[string]string `json:"partialFingerprints"`
}

type sarifLocation struct {
	Physical sarifPhysical `json:"physicalLocation"`
	Message  *sarifMessage `json:"message,omitempty"`
}

type sarifPhysical struct {
	Artifact map[string]string `json:"artifactLocation"`
	Region   sarifRegion       `json:"region"`
}

type sarifRegion struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn"`
	EndLine     int `json:"endLine"`
	EndColumn   int `json:"endColumn"`
}
