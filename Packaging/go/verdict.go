package hawser

/*
#include <hawser.h>
*/
import "C"

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"time"
)

// TLSKnowledge says how the parameters of a request's connection are known.
type TLSKnowledge uint32

const (
	// TLSNotSupplied: nothing is known, so a rule that demands something of TLS rejects.
	TLSNotSupplied TLSKnowledge = C.HAWSER_TLS_NOT_SUPPLIED
	// TLSObserved: read from this connection's handshake.
	TLSObserved TLSKnowledge = C.HAWSER_TLS_OBSERVED
	// TLSAssumed: stated without looking at a connection; the verdict has a notice.
	TLSAssumed TLSKnowledge = C.HAWSER_TLS_ASSUMED
	// TLSCleartext: the connection has no TLS. Only a waiver of `cleartext` accepts it.
	TLSCleartext TLSKnowledge = C.HAWSER_TLS_CLEARTEXT
)

// A Request has the inputs of one verdict, besides the table. A [Judge] fills it from a connection.
type Request struct {
	// Host is the host that was asked for: a name in ASCII, or an address; never a name that the
	// peer gave.
	Host string
	Port uint16
	// Time is when to judge; the zero time is now.
	Time time.Time
	// Chain is the DER of each certificate as the peer sent it, its own first.
	Chain [][]byte
	// TLS and the fields below describe the handshake. Version is a number of crypto/tls; the names
	// are IANA's; zeros are unknown.
	TLS                                       TLSKnowledge
	Version                                   uint16
	CipherSuite, Group, SignatureScheme, ALPN string
	// Staple is the OCSP response of this handshake, DER.
	Staple []byte
	// SCTs are the timestamps of this handshake's TLS extension, each serialized.
	SCTs [][]byte
	// OCSPResponses and CRLs are further evidence, DER. A CRL is read for each request: prepare
	// large ones.
	OCSPResponses, CRLs [][]byte
	Prepared            []*Evidence
	// Assumptions are sentences that only the explanation has.
	Assumptions []string
}

// A Violation is a reason to reject.
type Violation struct {
	// ID is stable, such as "pin-mismatch"; Check is the check it belongs to, as waivers name it.
	ID, Check string
	// Sentence is as `hawser explain` says it.
	Sentence string
	// ForUser is one sentence for someone who only wanted to connect.
	ForUser string
}

// A Reported is a failure that was let through.
type Reported struct {
	ID, Sentence string
	Reason       ReportedReason
}

// ReportedReason says why a failure was let through.
type ReportedReason string

const (
	// ReportedWaived: a waiver names the check.
	ReportedWaived ReportedReason = "waived"
	// ReportedOnly: the demand is in report-only mode.
	ReportedOnly ReportedReason = "report-only"
)

// A Notice is what an accept has to say besides.
type Notice struct{ ID, Sentence string }

// A Wanted is a piece of evidence that could change the verdict. The URL is text of a stranger.
type Wanted struct {
	Source EvidenceSource
	URL    string
}

// A Fetch is an attempt of a Fetcher. The URL is text of a stranger.
type Fetch struct {
	URL     string
	Outcome FetchOutcome
	// Message is what was found where the attempt failed.
	Message string
}

// FetchOutcome says what came of an attempt: FetchKept, FetchFetched, or a stable word for what
// failed, such as "address-refused".
type FetchOutcome string

const (
	// FetchKept: the evidence was there from an earlier attempt.
	FetchKept FetchOutcome = "kept"
	// FetchFetched: the evidence came.
	FetchFetched FetchOutcome = "fetched"
)

// Side says whose fault a reject is.
type Side string

const (
	// SideServer: the server's.
	SideServer Side = "server"
	// SidePolicy: the policy's.
	SidePolicy Side = "policy"
	// SideThisMachine: this machine's, such as its clock.
	SideThisMachine Side = "this-machine"
	// SideNetwork: of what evidence had to be fetched over.
	SideNetwork Side = "network"
	// SideInBetween: somebody is perhaps between the program and the server.
	SideInBetween Side = "in-between"
)

// A Verdict is of one request at one instant under one policy; it is not to be remembered. The zero
// Verdict rejects. Details has the rest.
type Verdict struct {
	Accepted bool
	Host     string
	// Port is 0 where it is not known, and the host's rule does not depend on it.
	Port uint16
	Time time.Time
	// Epoch is of the table that judged.
	Epoch uint64
	// Resumed says that a judge was asked about a resumed session: the chain, the staple and the
	// timestamps come from the handshake that made it.
	Resumed bool
	// Violations of a reject: at least one.
	Violations []Violation

	details Details
}

// Details are what a verdict says besides.
type Details struct {
	PolicyDigest [32]byte
	// Side, Rule, Owner, Command and Reasons are of a reject. Side is as `hawser explain` says
	// first. Rule decided: it is "" for the body of `default` and where no rule decided. Owner
	// answers for it, "" where no owner is written.
	Side        Side
	Rule, Owner string
	// Command says more on this machine; "" where no file has the policy.
	Command string
	// Reasons is a reject in one line for a log: the violations, and then side, rule, owner, ID and
	// Command as `name=value`.
	Reasons string
	// ID is the id of the decision, which its receipt and its report have too. It is of rejects,
	// and of accepts that were explained.
	ID string
	// Reported, Notices and Path are of an accept. Path has the subjects of the path, end entity
	// first.
	Reported []Reported
	Notices  []Notice
	Path     []string
	Wanted   []Wanted
	// Fetches are of Fetcher's verdicts.
	Fetches []Fetch
	// Record is of verdicts that were explained; nil otherwise.
	Record *Record
}

// A Record is the explanation of a verdict, with the texts to keep of it.
type Record struct {
	// Explanation is what `hawser explain --format json` prints, without the members that the
	// command adds (`commands`, `certificates`, `pinPlaces`).
	Explanation string
	// Receipt is a line of JSON by which `hawser explain --receipt` makes the decision again; it
	// has digests of the inputs. ReceiptWithInputs has the inputs.
	Receipt, ReceiptWithInputs string
	// Report is a line of JSON for the owners of the policy: to be sent for rejects, and for
	// accepts that have something in Reported.
	Report string
}

// Details are what the verdict says besides. They are the verdict's: do not change them.
func (v *Verdict) Details() *Details { return &v.details }

// A RejectError is a verdict that rejects.
type RejectError struct{ *Verdict }

// Error names the host and says why: one sentence for each violation, then the side, the rule, its
// owner, the id of the decision and the command to run next, as Details.Reasons has them.
func (e *RejectError) Error() string {
	var words strings.Builder
	where := authority(e.Host, e.Port)
	if e.Port == 0 {
		where = e.Host
	}
	fmt.Fprintf(&words, "hawser: reject %s", where)
	if reasons := e.details.Reasons; reasons != "" {
		return words.String() + ": " + reasons
	}
	for index, violation := range e.Violations {
		words.WriteString([]string{": ", "; "}[min(index, 1)])
		words.WriteString(violation.ID + ": " + violation.Sentence)
	}
	return words.String()
}

// Has reports whether a violation has the id, such as "revoked".
func (e *RejectError) Has(id string) bool {
	for _, violation := range e.Violations {
		if violation.ID == id {
			return true
		}
	}
	return false
}

// Evaluate judges a request. The error is nil only for an accept; for a reject it is a
// *RejectError, and the verdict is there too. With any other error the verdict is missing.
//
// It reads the system's clock if the request has no time, and waits for nothing.
func (s *Store) Evaluate(request Request) (*Verdict, error) {
	return s.judgeNow(request, nil, false)
}

// Explain is Evaluate with the explanation, the receipts and the report of the verdict.
func (s *Store) Explain(request Request) (*Verdict, error) {
	return s.judgeNow(request, nil, true)
}

// sctList is the SignedCertificateTimestampList of RFC 6962 section 3.3, as the TLS extension has
// it.
func sctList(items [][]byte) ([]byte, error) {
	if len(items) == 0 {
		return nil, nil
	}
	list := make([]byte, 2)
	for _, item := range items {
		if len(item) > 0xFFFF {
			return nil, refusal("sct-length", "a timestamp has %d octets", len(item))
		}
		list = append(list, byte(len(item)>>8), byte(len(item)))
		list = append(list, item...)
	}
	if len(list)-2 > 0xFFFF {
		return nil, refusal("sct-length", "the timestamps have %d octets", len(list)-2)
	}
	list[0], list[1] = byte((len(list)-2)>>8), byte(len(list)-2)
	return list, nil
}

// judge asks the library, and waits for a fetcher until the context ends. Then it returns no
// verdict, and the library comes to its own end later, on a goroutine of its own, within the
// fetcher's timeout; it reads the request until then.
func (s *Store) judge(
	ctx context.Context, request Request, fetcher *Fetcher, explains bool,
) (*Verdict, error) {
	if fetcher == nil || ctx.Done() == nil {
		return s.judgeNow(request, fetcher, explains)
	}
	if ctx.Err() != nil {
		return nil, ended(ctx)
	}
	type answer struct {
		verdict *Verdict
		err     error
	}
	answers := make(chan answer, 1)
	go func() {
		verdict, err := s.judgeNow(request, fetcher, explains)
		answers <- answer{verdict, err}
	}()
	select {
	case found := <-answers:
		return found.verdict, found.err
	case <-ctx.Done():
		return nil, ended(ctx)
	}
}

func ended(ctx context.Context) error {
	return fmt.Errorf("hawser: no verdict, as the context ended first: %w", context.Cause(ctx))
}

// judgeNow asks the library once. The texts of the verdict are all taken before it is freed, so a
// Verdict needs no closing.
func (s *Store) judgeNow(request Request, fetcher *Fetcher, explains bool) (*Verdict, error) {
	var memory arena
	defer memory.free()
	scts, err := sctList(request.SCTs)
	if err != nil {
		return nil, err
	}
	c := &C.hawser_request{size: C.sizeof_hawser_request}
	c.host = memory.octets([]byte(request.Host))
	c.port = C.uint32_t(request.Port)
	c.time = instant(request.Time)
	c.tls = C.uint32_t(request.TLS)
	c.tls_version = C.uint32_t(request.Version)
	c.cipher_suite = memory.name(request.CipherSuite, "the cipher suite")
	c.group = memory.name(request.Group, "the group")
	c.signature_scheme = memory.name(request.SignatureScheme, "the signature scheme")
	c.alpn = memory.name(request.ALPN, "the application protocol")
	c.chain, c.chain_count = memory.list(request.Chain)
	c.staple = memory.octets(request.Staple)
	c.sct_list = memory.octets(scts)
	c.ocsp_responses, c.ocsp_response_count = memory.list(request.OCSPResponses)
	c.crls, c.crl_count = memory.list(request.CRLs)
	c.assumptions, c.assumption_count = memory.names(request.Assumptions, "an assumption")
	if len(request.Prepared) > 0 {
		numbers := make([]C.hawser_evidence, len(request.Prepared))
		for index, evidence := range request.Prepared {
			numbers[index] = evidence.number
		}
		memory.pinner.Pin(&numbers[0])
		c.prepared, c.prepared_count = &numbers[0], C.size_t(len(numbers))
	}
	if memory.failed != nil {
		return nil, memory.failed
	}

	failure := newFailure()
	outcome := &C.hawser_outcome{size: C.sizeof_hawser_outcome}
	var number C.hawser_verdict
	var result C.int32_t
	switch {
	case fetcher != nil && explains:
		result = C.hawser_explain_fetching(s.number, fetcher.number, c, outcome, &number, failure)
	case fetcher != nil:
		result = C.hawser_evaluate_fetching(s.number, fetcher.number, c, outcome, &number, failure)
	case explains:
		result = C.hawser_explain(s.number, c, outcome, &number, failure)
	default:
		result = C.hawser_evaluate(s.number, c, outcome, &number, failure)
	}
	runtime.KeepAlive(s)
	runtime.KeepAlive(fetcher)
	runtime.KeepAlive(request.Prepared)
	if result != C.HAWSER_OK && result != C.HAWSER_REJECT {
		return nil, failed(result, failure)
	}
	defer C.hawser_verdict_free(number)
	verdict := &Verdict{
		Accepted: result == C.HAWSER_OK && outcome.decision == C.HAWSER_DECISION_ACCEPT, Host: request.Host, Port: request.Port,
		Time: seconds(outcome.time), Epoch: uint64(outcome.epoch),
		details: Details{PolicyDigest: digest(outcome.policy_digest)},
	}
	verdict.read(number, outcome, fetcher != nil, explains)
	if !verdict.Accepted {
		return verdict, &RejectError{verdict}
	}
	return verdict, nil
}

// read takes the texts of a verdict.
func (v *Verdict) read(
	number C.hawser_verdict, outcome *C.hawser_outcome, fetches, explains bool,
) {
	word := func(which C.uint32_t, index int) string {
		word, _ := verdictText(number, which, index)
		return word
	}
	for index := range int(outcome.violation_count) {
		v.Violations = append(v.Violations, Violation{
			ID:       word(C.HAWSER_TEXT_VIOLATION_ID, index),
			Check:    word(C.HAWSER_TEXT_VIOLATION_CHECK, index),
			Sentence: word(C.HAWSER_TEXT_VIOLATION, index),
			ForUser:  word(C.HAWSER_TEXT_VIOLATION_FOR_USER, index),
		})
	}
	d := &v.details
	if !v.Accepted {
		d.Reasons = word(C.HAWSER_TEXT_REJECT_REASONS, 0)
		d.Rule = word(C.HAWSER_TEXT_REJECT_RULE, 0)
		d.Owner = word(C.HAWSER_TEXT_REJECT_OWNER, 0)
		d.Side = Side(word(C.HAWSER_TEXT_REJECT_SIDE, 0))
		d.Command = word(C.HAWSER_TEXT_REJECT_COMMAND, 0)
	}
	if !v.Accepted || explains {
		d.ID = word(C.HAWSER_TEXT_DECISION_ID, 0)
	}
	for index := range int(outcome.reported_count) {
		d.Reported = append(d.Reported, Reported{
			ID:       word(C.HAWSER_TEXT_REPORTED_ID, index),
			Sentence: word(C.HAWSER_TEXT_REPORTED, index),
			Reason:   ReportedReason(word(C.HAWSER_TEXT_REPORTED_REASON, index)),
		})
	}
	for index := range int(outcome.notice_count) {
		d.Notices = append(d.Notices, Notice{
			ID: word(C.HAWSER_TEXT_NOTICE_ID, index), Sentence: word(C.HAWSER_TEXT_NOTICE, index),
		})
	}
	for index := range int(outcome.wanted_count) {
		d.Wanted = append(d.Wanted, Wanted{
			Source: EvidenceSource(word(C.HAWSER_TEXT_WANTED_SOURCE, index)),
			URL:    word(C.HAWSER_TEXT_WANTED_URL, index),
		})
	}
	for index := range int(outcome.path_count) {
		d.Path = append(d.Path, word(C.HAWSER_TEXT_PATH_SUBJECT, index))
	}
	for fetches {
		index := len(d.Fetches)
		url, found := verdictText(number, C.HAWSER_TEXT_FETCH_URL, index)
		if !found {
			break
		}
		d.Fetches = append(d.Fetches, Fetch{
			URL: url, Outcome: FetchOutcome(word(C.HAWSER_TEXT_FETCH_OUTCOME, index)),
			Message: word(C.HAWSER_TEXT_FETCH_MESSAGE, index),
		})
	}
	if explains {
		d.Record = &Record{
			Explanation:       word(C.HAWSER_TEXT_EXPLANATION, 0),
			Receipt:           word(C.HAWSER_TEXT_RECEIPT, 0),
			ReceiptWithInputs: word(C.HAWSER_TEXT_RECEIPT_WITH_INPUTS, 0),
			Report:            word(C.HAWSER_TEXT_REPORT, 0),
		}
	}
}

func verdictText(number C.hawser_verdict, which C.uint32_t, index int) (string, bool) {
	return text(func(buffer *C.char, capacity C.size_t, length *C.size_t) C.int32_t {
		return C.hawser_verdict_text(number, which, C.size_t(index), buffer, capacity, length)
	})
}
