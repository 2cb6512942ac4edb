package library

// ledgerName is the entry of a bundle that has the ledger in canonical form.
const ledgerName = "retired.json"

// retired is a line of the ledger.
type retired struct {
	ID          string `json:"id"`
	Kind        Kind   `json:"kind"`
	LastVersion string `json:"last_version"`
	Reason      string `json:"reason"`
	ReplacedBy  string `json:"replaced_by"`
}

// decodeLedger reads the canonical form of the ledger.
func decodeLedger(data []byte) ([]retired, error) {
	var ledger struct {
		Retired []retired `json:"retired"`
	}
	err := decodeStrict(data, &ledger)
	return ledger.Retired, err
}
