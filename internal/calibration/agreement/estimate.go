package agreement

import (
	"encoding/json"
	"fmt"
)

// Estimate is a statistic with its 95% interval.
type Estimate struct {
	Value
	Interval Interval
}

// NoEstimate returns v without an interval. If v is undefined, so is the interval.
func (v Value) NoEstimate() Estimate { return Estimate{v, Interval{Undefined: v.Undefined}} }

// Text is the statistic with its interval, if it has one: 0.71 (0.50 to 0.80).
func (e Estimate) Text() string { return e.text(Value.Text) }

// SignedText returns Text with signs.
func (e Estimate) SignedText() string { return e.text(Value.SignedText) }

func (e Estimate) text(of func(Value) string) string {
	if !e.IsDefined() || !e.Interval.IsDefined() {
		return of(e.Value)
	}
	return fmt.Sprintf("%s (%s to %s)", of(e.Value), of(Value{Number: e.Interval.Low}), of(Value{Number: e.Interval.High}))
}

// MarshalJSON writes {"value":0.71,"low":0.5,"high":0.8}, or {"undefined":"…"}.
func (e Estimate) MarshalJSON() ([]byte, error) { return json.Marshal(e.Fields()) }

// Fields are the keys and values of its JSON.
func (e Estimate) Fields() map[string]any {
	fields := map[string]any{}
	switch {
	case !e.IsDefined():
		fields["undefined"] = e.Undefined
	case !e.Interval.IsDefined():
		fields["value"], fields["interval_undefined"] = e.Number, e.Interval.Undefined
	default:
		fields["value"], fields["low"], fields["high"] = e.Number, e.Interval.Low, e.Interval.High
	}
	return fields
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (e *Estimate) UnmarshalJSON(data []byte) error {
	var v struct {
		Value, Low, High  float64
		Undefined         string
		IntervalUndefined string `json:"interval_undefined"`
	}
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	e.Number, e.Undefined = v.Value, v.Undefined
	e.Interval = Interval{Low: v.Low, High: v.High, Undefined: v.IntervalUndefined + v.Undefined}
	return nil
}
