package calibration

// CountElsewhere counts what judges answered in other datasets, by rubric. Labels that are not by
// people decide nothing, so nobody leaves them for their answers.
func (d *Dataset) CountElsewhere(others []*Dataset) {
	d.Elsewhere = map[string]Elsewhere{}
	for _, other := range others {
		runs := 0
		for i := range other.Judges {
			runs += len(other.Judges[i].Runs())
		}
		if other.Name == d.Name || other.LabeledBy != People || runs == 0 {
			continue
		}
		for _, rubric := range other.AppliesTo {
			e := d.Elsewhere[rubric]
			d.Elsewhere[rubric] = Elsewhere{e.Datasets + 1, e.Runs + runs}
		}
	}
}
