//go:build cgo

package hawser

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func discard() *log.Logger { return log.New(io.Discard, "", 0) }

// chain is a request about a certificate of the rig.
func chain(t *testing.T, name string) Request {
	t.Helper()
	block, _ := pem.Decode(octets(t, name+".pem"))
	if block == nil {
		t.Fatal("no certificate")
	}
	return Request{
		Host: name + ".rig.example", Port: 443, Chain: [][]byte{block.Bytes}, TLS: TLSObserved,
		Version: tls.VersionTLS13, CipherSuite: "TLS_AES_128_GCM_SHA256",
	}
}

// A store opens, judges, replaces its table, and says how it is.
func TestStore(t *testing.T) {
	for reason, open := range map[string]func() (*Store, error){
		"no file":   func() (*Store, error) { return Open(rig(t, "absent.table"), Options{}) },
		"no table":  func() (*Store, error) { return OpenTable([]byte("no table"), Options{}) },
		"nothing":   func() (*Store, error) { return OpenTable(nil, Options{}) },
		"NUL":       func() (*Store, error) { return Open("a\x00b", Options{}) },
		"name":      func() (*Store, error) { return Open(rig(t, "one.table"), Options{Name: "a\x00"}) },
		"unsigned":  func() (*Store, error) { return Open(rig(t, "one.table"), trusting()) },
		"watch":     func() (*Store, error) { return Open(rig(t, "one.table"), Options{Watch: 3}) },
		"threshold": func() (*Store, error) { return Open(rig(t, "one.table"), Options{Threshold: -1}) },
		"state":     func() (*Store, error) { return Open(rig(t, "one.table"), Options{State: StateRequired}) },
		"at start":  func() (*Store, error) { return Open(rig(t, "one.table"), Options{State: StateRequiredAtStart}) },
		"need":      func() (*Store, error) { return Open(rig(t, "one.table"), Options{State: 1}) },
	} {
		store, err := open()
		var failure *Error
		if store != nil || !errors.As(err, &failure) || failure.Reason == "" || failure.Message == "" {
			t.Errorf("%s: %v", reason, err)
		}
	}

	for table, states := range map[string]bool{"one.table": false, "revised.table": true} {
		snapshot, err := store(t, table, Options{}).Snapshot()
		if revision, ok := snapshot.Revision(); err != nil || ok != states || ok && revision != 7 {
			t.Errorf("%s: %v, revision %d, %v", table, err, revision, ok)
		}
	}

	store := store(t, "one.table", Options{Name: "named", Service: "payments"})
	verdict, err := store.Evaluate(chain(t, "good"))
	if err != nil || !verdict.Accepted || len(verdict.Details().Path) != 2 || verdict.Epoch != 1 {
		t.Fatalf("%v, %+v", err, verdict)
	}
	if verdict.Details().Record != nil {
		t.Error("an explanation that nobody asked for")
	}
	request := chain(t, "pinned")
	verdict, err = store.Explain(request)
	rejected := rejection(t, err, "pin-mismatch")
	if rejected.Verdict != verdict || rejected.Violations[0].Check == "" ||
		rejected.Violations[0].ForUser == "" {
		t.Errorf("%+v", rejected.Verdict)
	}
	details := verdict.Details()
	record := details.Record
	for name, text := range map[string]string{
		"explanation": record.Explanation, "receipt": record.Receipt,
		"receipt with inputs": record.ReceiptWithInputs, "report": record.Report,
	} {
		var said struct{ Verdict string }
		if err := json.Unmarshal([]byte(text), &said); err != nil || said.Verdict != "reject" {
			t.Errorf("%s: %v, %s", name, err, text)
		}
	}
	if !strings.Contains(record.Report, `"payments"`) {
		t.Errorf("the report does not name the service: %s", record.Report)
	}
	receipt := filepath.Join(t.TempDir(), "receipt.jsonl")
	if err := os.WriteFile(receipt, []byte(record.ReceiptWithInputs+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	output, _ := exec.Command(os.Getenv("HAWSER"), "explain", "--receipt", receipt, "--table",
		rig(t, "one.table")).CombinedOutput()
	if !strings.HasPrefix(string(output), "replays to the same verdict and trace") {
		t.Errorf("the receipt: %s", output)
	}
	// The line of the reject leads to the receipt.
	output, _ = exec.Command(os.Getenv("HAWSER"), "explain", "--receipt", receipt+":"+details.ID,
		"--table", rig(t, "one.table")).CombinedOutput()
	if !strings.HasPrefix(string(output), "replays to the same verdict and trace") {
		t.Errorf("the receipt by its id: %s", output)
	}
	if details.Side == "" || details.Rule == "" ||
		!strings.HasPrefix(details.Reasons, "pin-mismatch: ") ||
		!strings.Contains(rejected.Error(), " rule="+details.Rule+" ") ||
		!strings.Contains(rejected.Error(), " id="+details.ID) {
		t.Errorf("the words of the reject: %v", rejected)
	}
	request.Assumptions = []string{"a sentence"}
	if verdict, _ := store.Explain(request); !strings.Contains(
		verdict.Details().Record.Explanation, "a sentence") {
		t.Error("the assumption is not in the explanation")
	}
	for name, spoil := range map[string]func(*Request){
		"NUL":        func(request *Request) { request.ALPN = "h2\x00" },
		"assumption": func(request *Request) { request.Assumptions = []string{""} },
		"long":       func(request *Request) { request.Group = strings.Repeat("a", 1000) },
		"timestamp":  func(request *Request) { request.SCTs = [][]byte{make([]byte, 70000)} },
	} {
		request := chain(t, "good")
		spoil(&request)
		var failure *Error
		if verdict, err := store.Evaluate(request); verdict != nil || !errors.As(err, &failure) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, spoil := range map[string]func(*Request){
		"no chain": func(request *Request) { request.Chain = nil },
		"empty":    func(request *Request) { request.Chain = [][]byte{nil} },
		"no host":  func(request *Request) { request.Host = "" },
		"no TLS":   func(request *Request) { request.TLS, request.Version = TLSNotSupplied, 0 },
		"staple": func(request *Request) {
			request.Host, request.Staple = "revoked.rig.example", []byte{}
		},
		"1970": func(request *Request) { request.Time = time.Unix(0, 0) },
	} {
		request := chain(t, "good")
		spoil(&request)
		var rejected *RejectError
		if _, err := store.Evaluate(request); !errors.As(err, &rejected) {
			t.Errorf("%s: %v", name, err)
		}
	}

	if err := store.ReloadTable([]byte("no table")); err == nil {
		t.Error("a table that is none was taken")
	}
	if err := store.ReloadTable(octets(t, "stricter.table")); err != nil {
		t.Fatal(err)
	}
	if holds, err := store.Holds(1, "changing.rig.example", 443, time.Time{}); holds || err != nil {
		t.Errorf("holds %v, %v", holds, err)
	}
	if holds, err := store.Holds(1, "good.rig.example", 443, time.Time{}); !holds || err != nil {
		t.Errorf("holds %v, %v", holds, err)
	}
	snapshot, err := store.Snapshot()
	if err != nil || snapshot.Epoch != 2 || snapshot.Refusals != 1 ||
		len(snapshot.StricterHosts) != 1 || snapshot.StricterHosts[0] != "changing.rig.example" ||
		snapshot.RollbackProtection != RollbackOff || snapshot.RollbackMessage == "" {
		t.Errorf("%v, %+v", err, snapshot)
	}
	state, err := store.State()
	if err != nil || state.Installed != 2 || state.Refused != 1 || state.Accepted == 0 ||
		state.Rejected == 0 || state.Name != "named" {
		t.Errorf("%v, %+v", err, state)
	}
	if err := store.Confirm(); err != nil {
		t.Error(err)
	}
	if err := store.Reload(); err != nil {
		t.Error(err)
	}
	page, err := Metrics(store)
	if err != nil || !strings.Contains(page, `{store="named"`) {
		t.Errorf("%v, %s", err, page)
	}

	demands, err := store.Demands("revoked.rig.example", 443, time.Time{})
	if err != nil || demands.Rule != "revoked" || demands.Staple != StapleRequired ||
		demands.MinVersion != tls.VersionTLS12 || demands.MaxVersion != tls.VersionTLS13 ||
		!demands.RejectsWithoutEvidence || demands.ServerName != "revoked.rig.example" ||
		len(demands.RevocationSources) != 1 || demands.RevocationSources[0] != SourceStapled {
		t.Errorf("%v, %+v", err, demands)
	}
	if demands, err := store.Demands("groups.rig.example", 443, time.Time{}); err != nil ||
		len(demands.Groups) != 1 || demands.Groups[0] != "x25519" {
		t.Errorf("%v, %+v", err, demands)
	}
	for host, port := range map[string]uint16{"stranger.rig.example": 443, "ported.rig.example": 443} {
		if demands, err := store.Demands(host, port, time.Time{}); demands != nil || err != nil {
			t.Errorf("%s: %v, %+v", host, err, demands)
		}
	}
	demands, err = store.Demands("ported.rig.example", 8443, time.Time{})
	if demands == nil || err != nil {
		t.Error(err)
	}

	for range 2 {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := store.Evaluate(chain(t, "good")); !errors.Is(err, ErrClosed) {
		t.Errorf("a closed store: %v", err)
	}
	if _, err := store.Snapshot(); !errors.Is(err, ErrClosed) {
		t.Errorf("a closed store: %v", err)
	}
	if _, err := Metrics(store); !errors.Is(err, ErrClosed) {
		t.Errorf("a closed store: %v", err)
	}
}

func trusting() Options { return Options{TrustedKeys: [][]byte{make([]byte, 32)}} }

// A store follows its file, wakes who waits, and logs; Close from the logger ends it all.
func TestWatching(t *testing.T) {
	path := filepath.Join(t.TempDir(), "policy.table")
	replace := func(table []byte) {
		if err := os.WriteFile(path+".new", table, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(path+".new", path); err != nil {
			t.Fatal(err)
		}
	}
	replace(octets(t, "one.table"))
	lines := &recorder{said: make(chan string, 1000)}
	store, err := Open(path, Options{Logger: slog.New(slog.NewTextHandler(lines, nil))})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	short, end := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer end()
	if _, err := store.Wait(short, 1); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("nothing has changed: %v", err)
	}
	if snapshot, err := store.Wait(ctx, 0); err != nil || snapshot.Epoch != 1 {
		t.Errorf("%v, %+v", err, snapshot)
	}
	var waiting sync.WaitGroup
	for range 4 {
		waiting.Go(func() {
			snapshot, err := store.Wait(ctx, 1)
			if err != nil || snapshot.Epoch != 2 {
				t.Errorf("%v, %+v", err, snapshot)
			}
		})
	}
	replace(octets(t, "stricter.table"))
	waiting.Wait()
	replace([]byte("no table"))
	for line := range lines.said {
		if strings.Contains(line, "refused") && strings.Contains(line, "level=") {
			break
		}
	}
	if snapshot, err := store.Snapshot(); err != nil || snapshot.Epoch != 2 {
		t.Errorf("%v, %+v", err, snapshot)
	}
	waiting.Go(func() {
		snapshot, err := store.Wait(ctx, 2)
		for err == nil {
			snapshot, err = store.Wait(ctx, snapshot.Epoch)
		}
		if !errors.Is(err, ErrClosed) {
			t.Errorf("the store was closed: %v", err)
		}
	})
	// The logger itself closes the store.
	lines.onLine.Store("close", func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	replace(octets(t, "one.table"))
	waiting.Wait()
}

type recorder struct {
	said   chan string
	onLine sync.Map
}

func (r *recorder) Write(line []byte) (int, error) {
	select {
	case r.said <- string(line):
	default:
	}
	if call, found := r.onLine.LoadAndDelete("close"); found {
		call.(func())()
	}
	return len(line), nil
}

// A store that nobody refers to any more is closed, and one in use is not.
func TestForgotten(t *testing.T) {
	table := octets(t, "one.table")
	ended := make(chan struct{})
	func() {
		store, err := OpenTable(table, Options{Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		lines := store.closing.journal.lines
		go func() {
			// The channel of lines is closed when the store is.
			for range lines {
			}
			close(ended)
		}()
		if _, err := store.Evaluate(chain(t, "good")); err != nil {
			t.Error(err)
		}
	}()
	for range 600 {
		runtime.GC()
		select {
		case <-ended:
			return
		case <-time.After(100 * time.Millisecond):
		}
	}
	t.Error("the store was not closed")
}

// Evidence that is prepared, and evidence that is fetched from a responder.
func TestEvidence(t *testing.T) {
	policy := store(t, "one.table", Options{})
	staple := octets(t, "stapled.staple")
	request := chain(t, "stapled")
	_, err := policy.Evaluate(request)
	rejection(t, err, "revocation-undetermined")
	request.Staple = staple
	if _, err := policy.Evaluate(request); err != nil {
		t.Error(err)
	}
	// A prepared response is never a staple.
	prepared, err := PrepareOCSP(staple, request.Chain...)
	if err != nil {
		t.Fatal(err)
	}
	request.Staple, request.Prepared = nil, []*Evidence{prepared}
	_, err = policy.Evaluate(request)
	rejection(t, err, "revocation-undetermined")
	request.Host = "fetched.rig.example"
	request.Chain = chain(t, "fetched").Chain
	request.Prepared = nil
	if _, err := PrepareOCSP([]byte("none")); err == nil {
		t.Error("an OCSP response that is none")
	}
	if _, err := PrepareCRL([]byte("none")); err == nil {
		t.Error("a CRL that is none")
	}

	certificate, err := x509.ParseCertificate(request.Chain[0])
	if err != nil || len(certificate.OCSPServer) != 1 {
		t.Fatalf("%v, %v", err, certificate.OCSPServer)
	}
	var asked atomic.Int64
	responder := httptest.NewUnstartedServer(http.HandlerFunc(
		func(answer http.ResponseWriter, _ *http.Request) {
			asked.Add(1)
			answer.Header().Set("Content-Type", "application/ocsp-response")
			answer.Write(octets(t, "fetched.staple"))
		}))
	at := strings.TrimSuffix(strings.TrimPrefix(certificate.OCSPServer[0], "http://"), "/")
	listener, err := net.Listen("tcp", at)
	if err != nil {
		t.Fatal(err)
	}
	responder.Listener = listener
	responder.Start()
	t.Cleanup(responder.Close)
	_, service, _ := net.SplitHostPort(at)
	port, _ := strconv.ParseUint(service, 10, 16)

	verdict, err := policy.Evaluate(request)
	rejection(t, err, "revocation-undetermined")
	wanted := verdict.Details().Wanted
	if len(wanted) == 0 || wanted[0].Source != SourceOCSP || verdict.Details().Fetches != nil {
		t.Errorf("%+v", verdict)
	}
	closed, err := OpenFetcher(FetcherOptions{})
	if err != nil {
		t.Fatal(err)
	}
	verdict, err = closed.Evaluate(policy, request)
	rejection(t, err, "revocation-undetermined")
	fetches := verdict.Details().Fetches
	if len(fetches) == 0 || fetches[0].Outcome == FetchFetched || asked.Load() != 0 {
		t.Errorf("a network that was not permitted: %+v", fetches)
	}
	for range 2 {
		if err := closed.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := closed.Evaluate(policy, request); !errors.Is(err, ErrClosed) {
		t.Errorf("a closed fetcher: %v", err)
	}
	if _, err := OpenFetcher(FetcherOptions{Networks: []string{"no network"}}); err == nil {
		t.Error("a network that is none")
	}
	fetcher, err := OpenFetcher(FetcherOptions{
		Networks: []string{"127.0.0.1"}, Ports: []uint16{uint16(port)}, Timeout: time.Minute,
		ExchangeTimeout: 30 * time.Second,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer fetcher.Close()
	for index, outcome := range []FetchOutcome{FetchFetched, FetchKept} {
		verdict, err := fetcher.Explain(policy, request)
		if err != nil {
			t.Fatalf("%d: %v", index, err)
		}
		fetches := verdict.Details().Fetches
		if len(fetches) != 1 || fetches[0].Outcome != outcome || asked.Load() != 1 ||
			verdict.Details().Record == nil {
			t.Fatalf("%d: %+v, asked %d", index, fetches, asked.Load())
		}
	}
	if _, _, err := fetcher.Prefetch(8); err != nil {
		t.Error(err)
	}
	// A judge waits for it in the handshake.
	judge := &Judge{Store: policy, Fetcher: fetcher}
	server := tlsServer(t, &tls.Config{Certificates: []tls.Certificate{pair(t, "fetched")}})
	if _, err := connect(t, judge, nil, "fetched.rig.example", 443, server.address); err != nil {
		t.Error(err)
	}
	bare := &Judge{Store: policy}
	_, err = connect(t, bare, nil, "fetched.rig.example", 443, server.address)
	rejection(t, err, "revocation-undetermined")
	if bytes.Equal(staple, octets(t, "fetched.staple")) {
		t.Error("one staple for two certificates")
	}
}
