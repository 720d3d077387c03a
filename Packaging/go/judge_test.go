//go:build cgo

package hawser

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

var versions = map[string]uint16{"1.2": tls.VersionTLS12, "1.3": tls.VersionTLS13}

// What becomes of each server of the rig; "" is accepted.
var expected = map[string]string{
	"good": "", "pinned": "pin-mismatch", "expired": "expired", "name": "name-mismatch",
	"revoked": "revoked", "stranger": "no-applicable-rule", "stapled": "",
}

// Six servers, and one with a good staple, of two implementations and over two versions: verdicts
// and sentences are the same as the command's, and a refused server gets no application data.
func TestServers(t *testing.T) {
	now := time.Now()
	judge := &Judge{
		Store: store(t, "one.table", Options{}), Time: func() time.Time { return now },
	}
	for label, version := range versions {
		for name, id := range expected {
			t.Run("openssl "+label+" "+name, func(t *testing.T) {
				t.Parallel()
				var options []string
				if name == "revoked" || name == "stapled" {
					options = []string{"-status_file", rig(t, name+".staple")}
				}
				server := opensslServer(t, name, version, options...)
				visit(t, judge, server, name, id, version)
			})
			t.Run("go "+label+" "+name, func(t *testing.T) {
				t.Parallel()
				certificate := pair(t, name)
				if name == "revoked" || name == "stapled" {
					certificate.OCSPStaple = octets(t, name+".staple")
				}
				server := tlsServer(t, &tls.Config{
					Certificates: []tls.Certificate{certificate}, MinVersion: version, MaxVersion: version,
				})
				visit(t, judge, server, name, id, version)
			})
		}
	}
}

func visit(t *testing.T, judge *Judge, server server, name, id string, version uint16) {
	host := name + ".rig.example"
	_, service, _ := net.SplitHostPort(server.address)
	number, _ := strconv.Atoi(service)
	state, err := connect(t, judge, nil, host, uint16(number), server.address)
	said := explain(t, host+":"+service, "--connect", server.address, "--table", rig(t, "one.table"),
		"--at", judge.Time().UTC().Format(time.RFC3339))
	network := &network{}
	network.put(net.JoinHostPort(host, service), server.address)
	client := client(t, judge, network, nil)
	answer, httpError := client.Get("https://" + net.JoinHostPort(host, service) + "/")
	if httpError == nil {
		answer.Body.Close()
	}
	client.CloseIdleConnections()
	received := server.received()
	if id == "" {
		if err != nil || httpError != nil || said.Verdict != "accept" {
			t.Fatalf("not accepted: %v, %v, %+v", err, httpError, said)
		}
		if state.Version != version || received == 0 {
			t.Fatalf("version %x, %d received: nothing was tried", state.Version, received)
		}
		return
	}
	for _, err := range []error{err, httpError} {
		rejected := rejection(t, err, id)
		var summaries, sentences []string
		for _, violation := range said.Violations {
			summaries = append(summaries, violation.ID+": "+violation.Summary)
		}
		for _, violation := range rejected.Violations {
			sentences = append(sentences, violation.ID+": "+violation.Sentence)
		}
		if !slices.Equal(summaries, sentences) || said.Verdict != "reject" {
			t.Errorf("the command says %q, and here %q", summaries, sentences)
		}
		if rejected.Host != host || int(rejected.Port) != number {
			t.Errorf("judged as %s:%d", rejected.Host, rejected.Port)
		}
		var known *tls.CertificateVerificationError
		if !errors.As(err, &known) || len(known.UnverifiedCertificates) == 0 {
			t.Errorf("not crypto/tls's own error: %v", err)
		}
	}
	if received != 0 {
		t.Errorf("a refused server received application data: %d", received)
	}
}

// A rule that demands a staple rejects without one, and the group is known only under TLS 1.3.
func TestWhatIsSeen(t *testing.T) {
	judge := &Judge{Store: store(t, "one.table", Options{})}
	for label, version := range versions {
		t.Run(label, func(t *testing.T) {
			limits := func(name string) *tls.Config {
				return &tls.Config{
					Certificates: []tls.Certificate{pair(t, name)}, MinVersion: version,
					MaxVersion: version, CurvePreferences: []tls.CurveID{tls.X25519},
				}
			}
			bare := tlsServer(t, limits("stapled"))
			_, err := connect(t, judge, nil, "stapled.rig.example", 443, bare.address)
			rejection(t, err, "revocation-undetermined")
			grouped := tlsServer(t, limits("groups"))
			_, err = connect(t, judge, nil, "groups.rig.example", 443, grouped.address)
			if version == tls.VersionTLS13 {
				if err != nil {
					t.Error(err)
				}
			} else {
				rejection(t, err, "tls-not-supplied")
			}
			// Of a port that its rule is not about, no rule decides.
			ported := tlsServer(t, limits("ported"))
			if _, err := connect(t, judge, nil, "ported.rig.example", 8443, ported.address); err != nil {
				t.Error(err)
			}
			_, err = connect(t, judge, nil, "ported.rig.example", 443, ported.address)
			rejection(t, err, "no-applicable-rule")
		})
	}
}

// Timestamps of the TLS extension, which crypto/tls gives one by one.
func TestTimestamps(t *testing.T) {
	noon := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	judge := &Judge{
		Store: store(t, "timestamps.table", Options{}), Time: func() time.Time { return noon },
	}
	list := octets(t, "timestamps.sct")
	var items [][]byte
	for rest := list[2:]; len(rest) > 0; {
		length := int(rest[0])<<8 | int(rest[1])
		items = append(items, rest[2:2+length])
		rest = rest[2+length:]
	}
	if again, err := sctList(items); err != nil || !slices.Equal(again, list) {
		t.Fatalf("put together as %x, %v", again, err)
	}
	for label, version := range versions {
		t.Run(label, func(t *testing.T) {
			certificate := pair(t, "timestamps")
			limits := tls.Config{MinVersion: version, MaxVersion: version}
			limits.Certificates = []tls.Certificate{certificate}
			server := tlsServer(t, limits.Clone())
			_, err := connect(t, judge, nil, "www.app.example", 443, server.address)
			rejection(t, err, "transparency-not-met")
			certificate.SignedCertificateTimestamps = items
			limits.Certificates = []tls.Certificate{certificate}
			server = tlsServer(t, limits.Clone())
			if _, err := connect(t, judge, nil, "www.app.example", 443, server.address); err != nil {
				t.Error(err)
			}
		})
	}
}

// bareSessions gives sessions out whatever has become of the policy, but for the marks.
type bareSessions struct{ tls.ClientSessionCache }

func (b bareSessions) Get(key string) (*tls.ClientSessionState, bool) {
	return b.ClientSessionCache.Get(key)
}

// A resumed session is judged again, by the policy in force. A session of a host that is judged
// more strictly is not offered any more; where it was offered before, the connection is refused.
func TestResumption(t *testing.T) {
	for label, version := range versions {
		t.Run(label, func(t *testing.T) {
			var verdicts []*Verdict
			policy := store(t, "one.table", Options{})
			judge := &Judge{Store: policy, OnVerdict: func(verdict *Verdict) {
				verdicts = append(verdicts, verdict)
			}}
			server := func(name string) server {
				return tlsServer(t, &tls.Config{
					Certificates: []tls.Certificate{pair(t, name)}, MinVersion: version,
					MaxVersion: version,
				})
			}
			changing, good := server("changing"), server("good")
			cache := tls.NewLRUClientSessionCache(0)
			settings := &tls.Config{ClientSessionCache: cache}
			visit := func(host string, at string, isResumed bool) error {
				t.Helper()
				before := len(verdicts)
				state, err := connect(t, judge, settings, host, 443, at)
				if len(verdicts) != before+1 {
					t.Fatalf("%d verdicts", len(verdicts)-before)
				}
				last := verdicts[before]
				if last.Resumed != isResumed || err == nil && state.DidResume != isResumed {
					t.Fatalf("%s: resumed %v, %v wanted", host, last.Resumed, isResumed)
				}
				return err
			}
			for index, isResumed := range []bool{false, true, true} {
				for host, at := range map[string]string{
					"changing.rig.example": changing.address, "good.rig.example": good.address,
				} {
					if err := visit(host, at, isResumed); err != nil {
						t.Fatalf("%d: %v", index, err)
					}
				}
			}
			// A session of the cache without the judge's marks is not offered.
			foreign := tls.NewLRUClientSessionCache(0)
			trusting := &tls.Config{
				ServerName: "good.rig.example", InsecureSkipVerify: true, ClientSessionCache: foreign,
			}
			if _, err := handshake(t, trusting, good.address); err != nil {
				t.Fatal(err)
			}
			state, err := connect(t, judge, &tls.Config{ClientSessionCache: foreign},
				"good.rig.example", 443, good.address)
			if err != nil || state.DidResume {
				t.Fatalf("a foreign session: %v, resumed %v", err, state.DidResume)
			}

			config, err := judge.Config(settings, "changing.rig.example", 443)
			if err != nil {
				t.Fatal(err)
			}
			if err := policy.ReloadTable(octets(t, "stricter.table")); err != nil {
				t.Fatal(err)
			}
			kept, found := cache.Get("changing.rig.example")
			if !found {
				t.Fatal("no session was kept")
			}
			// QUIC would send early data with a session that allows it.
			ticket, allowing, err := kept.ResumptionState()
			if err != nil {
				t.Fatal(err)
			}
			allowing.EarlyData = true
			early, err := tls.NewResumptionState(ticket, allowing)
			if err != nil {
				t.Fatal(err)
			}
			bare := tls.NewLRUClientSessionCache(0)
			guarded := &sessions{bare, policy, "good.rig.example", 443, nil}
			guarded.Put("early", early)
			for _, cache := range []tls.ClientSessionCache{bare, guarded} {
				session, found := cache.Get("early")
				if !found {
					t.Fatal("the session was not kept")
				}
				if _, state, err := session.ResumptionState(); err != nil || state.EarlyData {
					t.Errorf("a session allows early data: %v", err)
				}
			}
			rejection(t, visit("changing.rig.example", changing.address, false), "pin-mismatch")
			if err := visit("good.rig.example", good.address, true); err != nil {
				t.Errorf("a host that the policy left alone: %v", err)
			}
			// As if the policy had changed after the session was offered.
			config.ClientSessionCache = bareSessions{tls.NewLRUClientSessionCache(0)}
			config.ClientSessionCache.Put("changing.rig.example", kept)
			_, err = handshake(t, config, changing.address)
			if rejected := rejection(t, err, "pin-mismatch"); !rejected.Resumed {
				t.Error("it was not a resumed connection")
			}
			if _, found := config.ClientSessionCache.Get("changing.rig.example"); found {
				t.Error("the session outlived the refusal")
			}
		})
	}
}

// Config refuses what would not hold, and never gives out half of it.
func TestConfig(t *testing.T) {
	judge := &Judge{Store: store(t, "one.table", Options{})}
	good := tlsServer(t, &tls.Config{Certificates: []tls.Certificate{pair(t, "good")}})
	for reason, base := range map[string]*tls.Config{
		"root-cas":      {RootCAs: roots(t)},
		"server-name":   {ServerName: "other.rig.example"},
		"renegotiation": {Renegotiation: tls.RenegotiateOnceAsClient},
	} {
		config, err := judge.Config(base, "good.rig.example", 443)
		var failure *Error
		if config != nil || !errors.As(err, &failure) || failure.Reason != reason {
			t.Errorf("%s: %v", reason, err)
		}
	}
	if config, err := (&Judge{}).Config(nil, "good.rig.example", 443); config != nil || err == nil {
		t.Error("a judge without a store made a configuration")
	}
	if config, err := judge.Config(nil, "", 443); config != nil || err == nil {
		t.Error("a configuration for no host")
	}

	// The base's own VerifyConnection is asked after an accept, and the base stays as it was.
	calls := 0
	mine := errors.New("mine")
	base := &tls.Config{
		ServerName:       "GOOD.rig.example.",
		VerifyConnection: func(tls.ConnectionState) error { calls++; return mine },
	}
	_, err := connect(t, judge, base, "good.rig.example", 443, good.address)
	if !errors.Is(err, mine) || calls != 1 || base.InsecureSkipVerify {
		t.Errorf("%v, %d calls", err, calls)
	}
	base.ServerName = ""
	_, err = connect(t, judge, base, "name.rig.example", 443, good.address)
	rejection(t, err, "name-mismatch")
	if calls != 1 {
		t.Error("the base's own VerifyConnection was asked after a reject")
	}

	// The time of the base is the time of the verdict, where the judge has none.
	later := time.Now().Add(1000 * 24 * time.Hour)
	_, err = connect(t, judge, &tls.Config{Time: func() time.Time { return later }},
		"good.rig.example", 443, good.address)
	rejection(t, err, "expired")
}

// A client's certificate is asked for, and a server that is refused does not get it.
func TestClientCertificate(t *testing.T) {
	for label, version := range versions {
		t.Run(label, func(t *testing.T) {
			judge := &Judge{Store: store(t, "one.table", Options{})}
			var asked, shown atomic.Int64
			server := tlsServer(t, &tls.Config{
				Certificates: []tls.Certificate{pair(t, "good")}, ClientAuth: tls.RequireAnyClientCert,
				MinVersion: version, MaxVersion: version,
				VerifyPeerCertificate: func(raw [][]byte, _ [][]*x509.Certificate) error {
					shown.Add(int64(len(raw)))
					return nil
				},
			})
			mine := pair(t, "changing")
			settings := &tls.Config{
				GetClientCertificate: func(*tls.CertificateRequestInfo) (*tls.Certificate, error) {
					asked.Add(1)
					return &mine, nil
				},
			}
			_, err := connect(t, judge, settings, "stranger.rig.example", 443, server.address)
			rejection(t, err, "no-applicable-rule")
			if asked.Load() != 0 || shown.Load() != 0 {
				t.Errorf("%d asked, %d shown", asked.Load(), shown.Load())
			}
			_, err = connect(t, judge, settings, "good.rig.example", 443, server.address)
			if err != nil || asked.Load() != 1 || shown.Load() != 1 {
				t.Errorf("%v, %d asked, %d shown", err, asked.Load(), shown.Load())
			}
		})
	}
}

// Dial judges the host and the port that it dials.
func TestDial(t *testing.T) {
	judge := &Judge{Store: store(t, "one.table", Options{})}
	server := tlsServer(t, &tls.Config{Certificates: []tls.Certificate{pair(t, "good")}})
	_, err := judge.Dial(t.Context(), "tcp", server.address, nil)
	rejected := rejection(t, err, "no-applicable-rule")
	if rejected.Host != "127.0.0.1" {
		t.Errorf("judged as %s", rejected.Host)
	}
	for _, address := range []string{"127.0.0.1", "127.0.0.1:https", "127.0.0.1:70000"} {
		if _, err := judge.Dial(t.Context(), "tcp", address, nil); err == nil {
			t.Errorf("%s was dialled", address)
		}
	}
}

// Handshakes on many goroutines while the policy is replaced: each is judged wholly by one table or
// the other. Then the store is closed under them: each is refused, and says so.
func TestConcurrently(t *testing.T) {
	policy := store(t, "one.table", Options{Name: "concurrent"})
	tables := [][]byte{octets(t, "stricter.table"), octets(t, "one.table")}
	var accepts, rejects atomic.Int64
	judge := &Judge{Store: policy, OnVerdict: func(verdict *Verdict) {
		if verdict.Accepted {
			accepts.Add(1)
		} else {
			rejects.Add(1)
		}
		// The table of the odd epochs accepts.
		if verdict.Accepted != (verdict.Epoch%2 == 1) {
			t.Errorf("epoch %d says %v", verdict.Epoch, verdict.Accepted)
		}
	}}
	server := tlsServer(t, &tls.Config{Certificates: []tls.Certificate{pair(t, "changing")}})
	network := &network{}
	network.put("changing.rig.example:443", server.address)
	client := client(t, judge, network, &tls.Config{
		ClientSessionCache: tls.NewLRUClientSessionCache(8),
	})
	const reloads = 100
	var started, over sync.WaitGroup
	var closed atomic.Bool
	var after atomic.Int64
	stop := make(chan struct{})
	for range 8 {
		started.Add(1)
		over.Add(1)
		go func() {
			defer over.Done()
			var once sync.Once
			for {
				select {
				case <-stop:
					return
				default:
				}
				wasClosed := closed.Load()
				answer, err := client.Get("https://changing.rig.example/")
				if err == nil {
					answer.Body.Close()
				}
				var rejected *RejectError
				switch {
				case wasClosed && errors.Is(err, ErrClosed):
					after.Add(1)
				case wasClosed:
					t.Errorf("the store is closed: %v", err)
				case err == nil, errors.As(err, &rejected) && rejected.Has("pin-mismatch"):
				case errors.Is(err, ErrClosed):
				default:
					t.Errorf("%v", err)
				}
				once.Do(started.Done)
				if wasClosed && after.Load() > 16 {
					return
				}
			}
		}()
	}
	started.Wait()
	for index := range reloads {
		if err := policy.ReloadTable(tables[index%2]); err != nil {
			t.Error(err)
		}
		before := accepts.Load() + rejects.Load()
		for accepts.Load()+rejects.Load() == before && index%2 == 0 {
			time.Sleep(time.Millisecond)
		}
	}
	var closing sync.WaitGroup
	for range 4 {
		closing.Go(func() {
			if err := policy.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	closing.Wait()
	closed.Store(true)
	over.Wait()
	close(stop)
	if accepts.Load() == 0 || rejects.Load() == 0 || after.Load() == 0 {
		t.Errorf("%d accepts, %d rejects, %d after it was closed", accepts.Load(), rejects.Load(),
			after.Load())
	}
	fmt.Printf("%d reloads, %d accepts, %d rejects\n", reloads, accepts.Load(), rejects.Load())
}

// Everything that a Judge is told is said in its errors, also through http.
func TestErrors(t *testing.T) {
	rejected := &RejectError{&Verdict{
		Host: "2001:db8::1", Port: 443,
		Violations: []Violation{{ID: "a", Sentence: "one"}, {ID: "b", Sentence: "two"}},
	}}
	if text := rejected.Error(); text != "hawser: reject [2001:db8::1]:443: a: one; b: two" {
		t.Error(text)
	}
	rejected.Details().Reasons = `a: one; b: two side=server rule=api next="hawser show x"`
	if text := rejected.Error(); text != "hawser: reject [2001:db8::1]:443: "+rejected.Details().Reasons {
		t.Error(text)
	}
	if rejected.Has("c") || !rejected.Has("b") {
		t.Error("Has")
	}
	var transport http.RoundTripper = &Transport{}
	_ = transport
	if !strings.Contains((&Error{Result: "R", Reason: "r", Message: "m"}).Error(), "m (r, R)") {
		t.Error("Error")
	}
}
