//go:build cgo

package hawser

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// copied is what libraries do that take a *tls.Config for many hosts: a copy for each connection.
func copied(config *tls.Config, host string) *tls.Config {
	config = config.Clone()
	config.ServerName = host
	return config
}

func byName(t *testing.T, judge *Judge, base *tls.Config, port uint16) *tls.Config {
	t.Helper()
	config, err := judge.ConfigByName(base, port)
	if err != nil {
		t.Fatal(err)
	}
	return config
}

// One configuration for every server of the rig: each verdict is for the server name, and a refused
// server gets no application data.
func TestManyHosts(t *testing.T) {
	for label, version := range versions {
		t.Run(label, func(t *testing.T) {
			var verdicts []*Verdict
			judge := &Judge{Store: store(t, "one.table", Options{}), OnVerdict: func(verdict *Verdict) {
				verdicts = append(verdicts, verdict)
			}}
			config := byName(t, judge, nil, 0)
			for name, id := range expected {
				var options []string
				if name == "revoked" || name == "stapled" {
					options = []string{"-status_file", rig(t, name+".staple")}
				}
				server := opensslServer(t, name, version, options...)
				host := name + ".rig.example"
				verdicts = nil
				_, err := handshake(t, copied(config, host), server.address)
				received := server.received()
				if len(verdicts) != 1 || verdicts[0].Host != host || verdicts[0].Port != 0 {
					t.Errorf("%s: %+v", name, verdicts)
				}
				if id == "" {
					if err != nil || received == 0 {
						t.Errorf("%s: %v, %d received", name, err, received)
					}
					continue
				}
				rejected := rejection(t, err, id)
				if rejected.Host != host || rejected.Port != 0 || received != 0 {
					t.Errorf("%s: judged as %s:%d, %d received", name, rejected.Host, rejected.Port, received)
				}
				if !strings.Contains(err.Error(), "reject "+host+": ") {
					t.Errorf("%s: a port that nobody knows: %v", name, err)
				}
				var known *tls.CertificateVerificationError
				if !errors.As(err, &known) || len(known.UnverifiedCertificates) == 0 {
					t.Errorf("%s: not crypto/tls's own error: %v", name, err)
				}
			}
		})
	}
}

// The name that is sent is the one that is judged: the server of a host that is trusted is refused
// under the name of another.
func TestTheNameIsJudged(t *testing.T) {
	config := byName(t, &Judge{Store: store(t, "one.table", Options{})}, nil, 0)
	good := tlsServer(t, &tls.Config{Certificates: []tls.Certificate{pair(t, "good")}})
	for host, id := range map[string]string{
		"good.rig.example": "", "GOOD.rig.example": "", "good.rig.example.": "",
		"changing.rig.example": "name-mismatch", "nobody.rig.example": "no-applicable-rule",
		// crypto/tls sends no server name for an address, nor without one.
		"127.0.0.1": "no-verdict", "[::1]": "no-verdict", "": "no-verdict",
	} {
		_, err := handshake(t, copied(config, host), good.address)
		if id == "" {
			if err != nil {
				t.Errorf("%s: %v", host, err)
			}
			continue
		}
		rejected := rejection(t, err, id)
		if id == "no-verdict" && !strings.Contains(rejected.Error(), "Judge.Config") {
			t.Errorf("%s: not said what to do: %v", host, err)
		}
	}
	for _, address := range []string{"good.rig.example", ""} {
		base := &tls.Config{ServerName: address}
		if _, err := (&Judge{Store: store(t, "one.table", Options{})}).ConfigByName(base, 0); (err == nil) != (address == "") {
			t.Errorf("a name for every host: %v", err)
		}
	}
	for _, base := range []*tls.Config{{RootCAs: x509.NewCertPool()}, {Renegotiation: tls.RenegotiateFreelyAsClient}} {
		if _, err := (&Judge{Store: store(t, "one.table", Options{})}).ConfigByName(base, 0); err == nil {
			t.Error("a base that would not hold")
		}
	}
	if _, err := (&Judge{}).ConfigByName(nil, 0); err == nil {
		t.Error("a judge without a store")
	}
}

// A host whose rule depends on the port is refused when the port is not known.
func TestPortsByName(t *testing.T) {
	judge := &Judge{Store: store(t, "one.table", Options{})}
	for label, version := range versions {
		server := tlsServer(t, &tls.Config{
			Certificates: []tls.Certificate{pair(t, "ported")}, MinVersion: version, MaxVersion: version,
		})
		for port, id := range map[uint16]string{0: "port-unknown", 8443: "", 443: "no-applicable-rule"} {
			_, err := handshake(t, copied(byName(t, judge, nil, port), "ported.rig.example"), server.address)
			if id == "" {
				if err != nil {
					t.Errorf("%s, port %d: %v", label, port, err)
				}
				continue
			}
			rejected := rejection(t, err, id)
			if rejected.Port != port {
				t.Errorf("%s, port %d: judged as port %d", label, port, rejected.Port)
			}
			if port == 0 && (rejected.Epoch != 1 || !strings.Contains(err.Error(), "ConfigByName")) {
				t.Errorf("%s: %v of epoch %d", label, err, rejected.Epoch)
			}
		}
		if received := server.received(); received == 0 {
			t.Error("nothing was tried")
		}
	}
}

// A policy under which the port begins to matter, while connections are made: a verdict accepts only
// by a policy under which it does not.
func TestPortsWhilePoliciesChange(t *testing.T) {
	policy := store(t, "one.table", Options{})
	tables := [][]byte{octets(t, "ported-good.table"), octets(t, "one.table")}
	var epoch uint64
	judge := &Judge{Store: policy, OnVerdict: func(verdict *Verdict) { epoch = verdict.Epoch }}
	config := copied(byName(t, judge, nil, 0), "good.rig.example")
	server := tlsServer(t, &tls.Config{Certificates: []tls.Certificate{pair(t, "good")}})
	if err := policy.ReloadTable(tables[0]); err != nil {
		t.Fatal(err)
	}
	_, err := handshake(t, config, server.address)
	rejection(t, err, "port-unknown")
	// Epochs go up by one: the port matters under the even ones.
	var group sync.WaitGroup
	stop := make(chan struct{})
	group.Go(func() {
		for index := 1; ; index++ {
			select {
			case <-stop:
				return
			default:
				policy.ReloadTable(tables[index%2])
			}
		}
	})
	counts := map[string]int{}
	for range 300 {
		raw, err := net.Dial("tcp", server.address)
		if err != nil {
			t.Fatal(err)
		}
		err = tls.Client(raw, config).Handshake()
		raw.Close()
		if err == nil {
			counts["accept"]++
			if epoch%2 == 0 {
				t.Errorf("accepted under epoch %d, where the port matters", epoch)
			}
			continue
		}
		var rejected *RejectError
		if !errors.As(err, &rejected) || !rejected.Has("port-unknown") && !rejected.Has("no-verdict") {
			t.Error(err)
			continue
		}
		counts[rejected.Violations[0].ID]++
	}
	close(stop)
	group.Wait()
	if counts["accept"] == 0 || counts["port-unknown"] == 0 {
		t.Errorf("nothing was tried: %v", counts)
	}
}

// Sessions of many hosts in one cache: each is resumed while no policy judges its host more
// strictly.
func TestSessionsByName(t *testing.T) {
	for label, version := range versions {
		t.Run(label, func(t *testing.T) {
			policy := store(t, "one.table", Options{})
			settings := &tls.Config{ClientSessionCache: tls.NewLRUClientSessionCache(0)}
			config := byName(t, &Judge{Store: policy}, settings, 0)
			servers := map[string]server{}
			for _, name := range []string{"good", "changing"} {
				servers[name] = tlsServer(t, &tls.Config{
					Certificates: []tls.Certificate{pair(t, name)}, MinVersion: version, MaxVersion: version,
				})
			}
			visit := func(name string) (tls.ConnectionState, error) {
				return handshake(t, copied(config, name+".rig.example"), servers[name].address)
			}
			for name := range servers {
				for _, resumed := range []bool{false, true} {
					if state, err := visit(name); err != nil || state.DidResume != resumed {
						t.Errorf("%s: resumed %v, %v", name, state.DidResume, err)
					}
				}
			}
			if err := policy.ReloadTable(octets(t, "stricter.table")); err != nil {
				t.Fatal(err)
			}
			if state, err := visit("good"); err != nil || !state.DidResume {
				t.Errorf("a host that is judged as before: %v", err)
			}
			_, err := visit("changing")
			if rejected := rejection(t, err, "pin-mismatch"); rejected.Resumed {
				t.Error("a session that does not hold was offered")
			}
		})
	}
}

// http.Transport, as one of the libraries that set the name on a copy.
func TestALibraryByName(t *testing.T) {
	config := byName(t, &Judge{Store: store(t, "one.table", Options{})}, nil, 0)
	network := &network{}
	for name := range expected {
		server := tlsServer(t, &tls.Config{Certificates: []tls.Certificate{pair(t, name)}})
		network.put(name+".rig.example:443", server.address)
	}
	transport := &http.Transport{DialContext: network.dial, TLSClientConfig: config}
	defer transport.CloseIdleConnections()
	for name, id := range expected {
		answer, err := (&http.Client{Transport: transport}).Get("https://" + name + ".rig.example/")
		if name == "stapled" || name == "revoked" {
			// Without their staples.
			id = "revocation-undetermined"
		}
		if id != "" {
			rejection(t, err, id)
		} else if err != nil {
			t.Errorf("%s: %v", name, err)
		} else {
			answer.Body.Close()
		}
	}
}

// A responder that never answers: what waits for it ends with its context.
func TestFetcherAndContext(t *testing.T) {
	request := Request{
		Host: "localhost", Port: 443, TLS: TLSObserved, Version: tls.VersionTLS13,
		Chain: [][]byte{pair(t, "local").Certificate[0]},
	}
	certificate, err := x509.ParseCertificate(request.Chain[0])
	if err != nil {
		t.Fatal(err)
	}
	at := strings.TrimSuffix(strings.TrimPrefix(certificate.OCSPServer[0], "http://"), "/")
	listener, err := net.Listen("tcp", at)
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	port := listener.Addr().(*net.TCPAddr).Port
	fetcher, err := OpenFetcher(FetcherOptions{
		Networks: []string{"127.0.0.1"}, Ports: []uint16{uint16(port)}, Timeout: 8 * time.Second,
		ExchangeTimeout: 8 * time.Second,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer fetcher.Close()
	policy := store(t, "one.table", Options{})
	judge := &Judge{Store: policy, Fetcher: fetcher, OnVerdict: func(verdict *Verdict) {
		t.Errorf("a verdict after the context: %+v", verdict)
	}}
	// http.Transport goes on with a handshake that nobody waits for any more.
	later := &Judge{Store: policy, Fetcher: fetcher}
	server := tlsServer(t, &tls.Config{Certificates: []tls.Certificate{pair(t, "local")}})
	_, service, _ := net.SplitHostPort(server.address)
	network := &network{}
	network.put("localhost:443", server.address)
	web := client(t, later, network, nil)
	cause := errors.New("of the program")
	for name, act := range map[string]func(context.Context) error{
		"EvaluateContext": func(ctx context.Context) error {
			_, err := fetcher.EvaluateContext(ctx, policy, request)
			return err
		},
		"ExplainContext": func(ctx context.Context) error {
			_, err := fetcher.ExplainContext(ctx, policy, request)
			return err
		},
		"Dial": func(ctx context.Context) error {
			connection, err := judge.Dial(ctx, "tcp4", net.JoinHostPort("localhost", service), nil)
			if err == nil {
				connection.Close()
			}
			return err
		},
		"Transport": func(ctx context.Context) error {
			asked, _ := http.NewRequestWithContext(ctx, http.MethodGet, "https://localhost/", nil)
			answer, err := web.Do(asked)
			if err == nil {
				answer.Body.Close()
			}
			return err
		},
	} {
		for _, limit := range []time.Duration{0, 300 * time.Millisecond} {
			ctx, cancel := context.WithTimeoutCause(t.Context(), limit, cause)
			begun := time.Now()
			err := act(ctx)
			took := time.Since(begun)
			cancel()
			if err == nil || took > 4*time.Second {
				t.Errorf("%s, %v: %v after %v", name, limit, err, took)
			}
			if !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, cause) {
				t.Errorf("%s, %v: not the context's error: %v", name, limit, err)
			}
		}
	}
	if received := server.received(); received != 0 {
		t.Errorf("%d octets came before a verdict", received)
	}
}
