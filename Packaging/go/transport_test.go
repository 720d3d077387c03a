//go:build cgo

package hawser

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"net/url"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// webServer is net/http's, with HTTP/2 or without.
func webServer(
	t *testing.T, name string, offersHTTP2 bool, handler http.HandlerFunc,
) *httptest.Server {
	t.Helper()
	server := httptest.NewUnstartedServer(handler)
	server.TLS = &tls.Config{Certificates: []tls.Certificate{pair(t, name)}}
	server.EnableHTTP2 = offersHTTP2
	server.Config.ErrorLog = discard()
	server.StartTLS()
	t.Cleanup(server.Close)
	return server
}

func address(server *httptest.Server) string { return server.Listener.Addr().String() }

func get(t *testing.T, client *http.Client, address string) (*http.Response, error) {
	t.Helper()
	answer, err := client.Get(address)
	if err == nil {
		io.Copy(io.Discard, answer.Body)
		answer.Body.Close()
	}
	return answer, err
}

// Over HTTP/2 and HTTP/1: a connection is used again under a policy that does not change its host.
// After a policy that judges the host more strictly, the next request is refused, while the answer
// that is under way comes to its end.
func TestPools(t *testing.T) {
	for _, offersHTTP2 := range []bool{true, false} {
		t.Run(map[bool]string{true: "h2", false: "http/1.1"}[offersHTTP2], func(t *testing.T) {
			policy := store(t, "one.table", Options{})
			judge := &Judge{Store: policy}
			var requests atomic.Int64
			goOn := make(chan struct{})
			end := sync.OnceFunc(func() { close(goOn) })
			handler := func(answer http.ResponseWriter, request *http.Request) {
				requests.Add(1)
				if request.URL.Path == "/slow" {
					io.WriteString(answer, "first")
					answer.(http.Flusher).Flush()
					<-goOn
					io.WriteString(answer, "last")
				}
			}
			changing := webServer(t, "changing", offersHTTP2, handler)
			good := webServer(t, "good", offersHTTP2, handler)
			// A server waits for its handlers when it closes, which is after this.
			t.Cleanup(end)
			network := &network{}
			network.put("changing.rig.example:443", address(changing))
			network.put("good.rig.example:443", address(good))
			client := client(t, judge, network, nil)
			major := map[bool]int{true: 2, false: 1}[offersHTTP2]
			for range 3 {
				for _, host := range []string{"changing", "good"} {
					answer, err := get(t, client, "https://"+host+".rig.example/")
					if err != nil || answer.ProtoMajor != major {
						t.Fatalf("%v, %v", err, answer)
					}
				}
			}
			slow, err := client.Get("https://changing.rig.example/slow")
			if err != nil {
				t.Fatal(err)
			}
			defer slow.Body.Close()
			if len(network.dialled) != 2 {
				t.Fatalf("dialled %q", network.dialled)
			}
			// A table that changes neither host, and then one that does.
			if err := policy.ReloadTable(octets(t, "other.table")); err != nil {
				t.Fatal(err)
			}
			if _, err := get(t, client, "https://changing.rig.example/"); err != nil {
				t.Fatal(err)
			}
			dialled := len(network.dialled)
			if offersHTTP2 && dialled != 2 {
				t.Errorf("dialled %q after a policy that changes nothing here", network.dialled)
			}
			if err := policy.ReloadTable(octets(t, "stricter.table")); err != nil {
				t.Fatal(err)
			}
			before := requests.Load()
			_, err = get(t, client, "https://changing.rig.example/")
			rejection(t, err, "pin-mismatch")
			if requests.Load() != before {
				t.Error("a request reached the server that is refused now")
			}
			if _, err := get(t, client, "https://good.rig.example/"); err != nil {
				t.Error(err)
			}
			if len(network.dialled) != dialled+1 {
				t.Errorf("dialled %q: a host that is left alone lost its connection", network.dialled)
			}
			end()
			if body, err := io.ReadAll(slow.Body); string(body) != "firstlast" || err != nil {
				t.Errorf("the answer that was under way: %q, %v", body, err)
			}
		})
	}
}

// Each hop of a redirect is judged for its own host and port, and one to cleartext too.
func TestRedirects(t *testing.T) {
	judge := &Judge{Store: store(t, "one.table", Options{})}
	targets := map[string]string{
		"/stranger": "https://stranger.rig.example/", "/port": "https://ported.rig.example:8443/",
		"/other-port": "https://ported.rig.example/", "/clear": "http://good.rig.example/",
		"/waived": "http://clear.rig.example/",
	}
	good := webServer(t, "good", true, func(answer http.ResponseWriter, request *http.Request) {
		http.Redirect(answer, request, targets[request.URL.Path], http.StatusTemporaryRedirect)
	})
	var stolen atomic.Int64
	steal := func(http.ResponseWriter, *http.Request) { stolen.Add(1) }
	stranger := webServer(t, "stranger", true, steal)
	ported := webServer(t, "ported", true, func(http.ResponseWriter, *http.Request) {})
	waived := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(waived.Close)
	clear := httptest.NewServer(http.HandlerFunc(steal))
	t.Cleanup(clear.Close)
	network := &network{}
	network.put("good.rig.example:443", address(good))
	network.put("good.rig.example:80", address(clear))
	network.put("stranger.rig.example:443", address(stranger))
	network.put("ported.rig.example:8443", address(ported))
	network.put("ported.rig.example:443", address(ported))
	network.put("clear.rig.example:80", address(waived))
	client := client(t, judge, network, nil)
	for path, id := range map[string]string{
		"/stranger": "no-applicable-rule", "/port": "", "/other-port": "no-applicable-rule",
		"/clear": "cleartext", "/waived": "",
	} {
		answer, err := client.Post("https://good.rig.example"+path, "text/plain",
			strings.NewReader("a secret"))
		if err == nil {
			answer.Body.Close()
		}
		if id == "" {
			if err != nil {
				t.Errorf("%s: %v", path, err)
			}
			continue
		}
		rejected := rejection(t, err, id)
		if rejected.Host == "good.rig.example" && path != "/clear" {
			t.Errorf("%s was judged as %s", path, rejected.Host)
		}
		var wrapped *url.Error
		if !errors.As(err, &wrapped) {
			t.Errorf("%s: not http's own error: %v", path, err)
		}
	}
	if stolen.Load() != 0 {
		t.Errorf("%d requests reached servers that are refused", stolen.Load())
	}
	if slices.Contains(network.dialled, "good.rig.example:80") {
		t.Error("a cleartext host was dialled before it was judged")
	}
}

// A request that http repeats on a new connection is judged again: here the server closes the
// connection that was kept, and another one stands in its place.
func TestRetries(t *testing.T) {
	judge := &Judge{Store: store(t, "one.table", Options{})}
	listener, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{
		Certificates: []tls.Certificate{pair(t, "good")},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	requests := make(chan int, 8)
	go func() {
		connection, err := listener.Accept()
		if err != nil {
			return
		}
		defer connection.Close()
		lines := bufio.NewReader(connection)
		for count := 1; count <= 2; count++ {
			if _, err := http.ReadRequest(lines); err != nil {
				return
			}
			requests <- count
			if count == 1 {
				io.WriteString(connection, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
			}
		}
	}()
	other := tlsServer(t, &tls.Config{Certificates: []tls.Certificate{pair(t, "name")}})
	network := &network{}
	network.put("good.rig.example:443", listener.Addr().String())
	client := client(t, judge, network, nil)
	if _, err := get(t, client, "https://good.rig.example/"); err != nil {
		t.Fatal(err)
	}
	network.put("good.rig.example:443", other.address)
	_, err = get(t, client, "https://good.rig.example/")
	rejection(t, err, "name-mismatch")
	if len(requests) != 2 || len(network.dialled) != 2 {
		t.Errorf("%d requests, dialled %q", len(requests), network.dialled)
	}
	if received := other.received(); received != 0 {
		t.Errorf("the other server received %d octets", received)
	}
}

// The body is closed where no connection is made, as http wants it.
func TestBodies(t *testing.T) {
	judge := &Judge{Store: store(t, "one.table", Options{})}
	transport, err := judge.Transport(&http.Transport{})
	if err != nil {
		t.Fatal(err)
	}
	for address, id := range map[string]string{
		"http://good.rig.example/": "cleartext", "ftp://good.rig.example/": "",
		"https:///": "", "https://good.rig.example:99999/": "",
	} {
		body := &closable{Reader: strings.NewReader("a")}
		request, err := http.NewRequest("POST", "https://a/", body)
		if err != nil {
			t.Fatal(err)
		}
		if request.URL, err = url.Parse(address); err != nil {
			request.URL = &url.URL{Scheme: "https", Host: "good.rig.example:99999"}
		}
		answer, err := transport.RoundTrip(request)
		if answer != nil || err == nil || !body.isClosed {
			t.Errorf("%s: %v, closed %v", address, err, body.isClosed)
		}
		if id != "" {
			rejection(t, err, id)
		}
	}
}

type closable struct {
	io.Reader
	isClosed bool
}

func (c *closable) Close() error { c.isClosed = true; return nil }

// A resumed connection that the policy no longer accepts is tried once more by a full handshake,
// here to a server that has another certificate meanwhile.
func TestResumedIsTriedAgain(t *testing.T) {
	for label, version := range versions {
		t.Run(label, func(t *testing.T) {
			policy := store(t, "one.table", Options{})
			var verdicts []string
			judge := &Judge{Store: policy, OnVerdict: func(verdict *Verdict) {
				verdicts = append(verdicts, map[bool]string{true: "accept", false: "reject"}[verdict.Accepted]+
					map[bool]string{true: " resumed"}[verdict.Resumed])
			}}
			current := pair(t, "changing")
			var mutex sync.Mutex
			var bodies []string
			server := httptest.NewUnstartedServer(http.HandlerFunc(
				func(_ http.ResponseWriter, request *http.Request) {
					body, _ := io.ReadAll(request.Body)
					bodies = append(bodies, string(body))
				}))
			server.TLS = &tls.Config{
				MinVersion: version, MaxVersion: version,
				GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
					mutex.Lock()
					defer mutex.Unlock()
					return &current, nil
				},
			}
			server.Config.ErrorLog = discard()
			server.StartTLS()
			t.Cleanup(server.Close)
			network := &network{}
			network.put("changing.rig.example:443", address(server))
			// The policy changes after the session was offered, before the server has answered.
			onWrite := func() {}
			transport, err := judge.Transport(&http.Transport{
				DialContext: func(ctx context.Context, kind, at string) (net.Conn, error) {
					raw, err := network.dial(ctx, kind, at)
					return &hooked{raw, &onWrite}, err
				},
				TLSClientConfig:   &tls.Config{ClientSessionCache: tls.NewLRUClientSessionCache(0)},
				DisableKeepAlives: true,
			})
			if err != nil {
				t.Fatal(err)
			}
			client := &http.Client{Transport: transport}
			visit := func(body string) error {
				answer, err := client.Post("https://changing.rig.example/", "", strings.NewReader(body))
				if err == nil {
					answer.Body.Close()
				}
				return err
			}
			for _, body := range []string{"one", "two"} {
				if err := visit(body); err != nil {
					t.Fatal(err)
				}
			}
			mutex.Lock()
			current = pair(t, "renewed")
			mutex.Unlock()
			var once sync.Once
			onWrite = func() {
				once.Do(func() {
					if err := policy.ReloadTable(octets(t, "stricter.table")); err != nil {
						t.Error(err)
					}
				})
			}
			if err := visit("three"); err != nil {
				t.Errorf("after another certificate: %v", err)
			}
			want := []string{"accept", "accept resumed", "reject resumed", "accept"}
			if !slices.Equal(verdicts, want) {
				t.Errorf("verdicts: %q", verdicts)
			}
			if want := []string{"one", "two", "three"}; !slices.Equal(bodies, want) {
				t.Errorf("bodies: %q", bodies)
			}
		})
	}
}

type hooked struct {
	net.Conn
	onWrite *func()
}

func (h *hooked) Write(octets []byte) (int, error) {
	(*h.onWrite)()
	return h.Conn.Write(octets)
}

// httptrace sees the refusal where it sees every failure of a handshake.
func TestTrace(t *testing.T) {
	judge := &Judge{Store: store(t, "one.table", Options{})}
	server := webServer(t, "name", true, func(http.ResponseWriter, *http.Request) {
		t.Error("a request came")
	})
	network := &network{}
	network.put("name.rig.example:443", address(server))
	client := client(t, judge, network, nil)
	var started, wrote int
	var seen []error
	ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{
		TLSHandshakeStart: func() { started++ },
		TLSHandshakeDone:  func(_ tls.ConnectionState, err error) { seen = append(seen, err) },
		WroteRequest:      func(httptrace.WroteRequestInfo) { wrote++ },
	})
	request, err := http.NewRequestWithContext(ctx, "GET", "https://name.rig.example/", nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = client.Do(request)
	rejection(t, err, "name-mismatch")
	if started != 1 || len(seen) != 1 || wrote != 0 {
		t.Fatalf("started %d, done %v, wrote %d", started, seen, wrote)
	}
	rejection(t, seen[0], "name-mismatch")
}

// tunnel is a proxy that knows CONNECT, and where each host is in truth.
func tunnel(network *network, asked *[]string) http.HandlerFunc {
	var mutex sync.Mutex
	return func(answer http.ResponseWriter, request *http.Request) {
		mutex.Lock()
		*asked = append(*asked, request.Method+" "+request.Host)
		mutex.Unlock()
		if request.Method != http.MethodConnect {
			answer.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		there, err := network.dial(request.Context(), "tcp", request.Host)
		if err != nil {
			http.Error(answer, err.Error(), http.StatusBadGateway)
			return
		}
		defer there.Close()
		here, buffered, err := answer.(http.Hijacker).Hijack()
		if err != nil {
			return
		}
		defer here.Close()
		io.WriteString(here, "HTTP/1.1 200 OK\r\n\r\n")
		done := make(chan struct{}, 2)
		go func() { io.Copy(there, bufio.NewReader(buffered)); done <- struct{}{} }()
		go func() { io.Copy(here, there); done <- struct{}{} }()
		<-done
	}
}

// A connection inside a tunnel is judged for its own host and port; TLS to a proxy is judged for
// the proxy's.
func TestProxies(t *testing.T) {
	judge := &Judge{Store: store(t, "one.table", Options{})}
	beyond := &network{}
	good := webServer(t, "good", true, func(http.ResponseWriter, *http.Request) {})
	stranger := webServer(t, "stranger", true, func(http.ResponseWriter, *http.Request) {
		t.Error("a request came")
	})
	ported := webServer(t, "ported", true, func(http.ResponseWriter, *http.Request) {})
	beyond.put("good.rig.example:443", address(good))
	beyond.put("stranger.rig.example:443", address(stranger))
	beyond.put("ported.rig.example:8443", address(ported))
	for _, proxy := range []string{
		"http://proxy.rig.example:3128", "https://proxy.rig.example:3129",
		"https://stranger.rig.example:3129",
	} {
		t.Run(proxy, func(t *testing.T) {
			through, err := url.Parse(proxy)
			if err != nil {
				t.Fatal(err)
			}
			var asked []string
			var server *httptest.Server
			if through.Scheme == "https" {
				name, _, _ := strings.Cut(through.Host, ".")
				server = webServer(t, name, false, tunnel(beyond, &asked))
			} else {
				server = httptest.NewServer(tunnel(beyond, &asked))
				t.Cleanup(server.Close)
			}
			network := &network{}
			network.put(through.Host, address(server))
			transport, err := judge.Transport(&http.Transport{
				Proxy: http.ProxyURL(through), DialContext: network.dial, ForceAttemptHTTP2: true,
				TLSHandshakeTimeout: time.Minute,
			})
			if err != nil {
				t.Fatal(err)
			}
			client := &http.Client{Transport: transport}
			if strings.Contains(proxy, "stranger") {
				_, err := get(t, client, "https://good.rig.example/")
				if rejected := rejection(t, err, "no-applicable-rule"); rejected.Port != 3129 {
					t.Errorf("judged as port %d", rejected.Port)
				}
				if len(asked) != 0 {
					t.Errorf("the proxy was asked %q", asked)
				}
				return
			}
			for range 2 {
				answer, err := get(t, client, "https://good.rig.example/")
				if err != nil || answer.ProtoMajor != 2 {
					t.Fatalf("%v, %v", err, answer)
				}
			}
			if _, err := get(t, client, "https://ported.rig.example:8443/"); err != nil {
				t.Error(err)
			}
			_, err = get(t, client, "https://stranger.rig.example/")
			rejection(t, err, "no-applicable-rule")
			want := []string{
				"CONNECT good.rig.example:443", "CONNECT ported.rig.example:8443",
				"CONNECT stranger.rig.example:443",
			}
			if !slices.Equal(asked, want) {
				t.Errorf("the proxy was asked %q", asked)
			}
			// A rule with a waiver of cleartext, through the proxy as everything else.
			_, err = get(t, client, "http://good.rig.example/")
			rejection(t, err, "cleartext")
		})
	}
}

// A base that would make connections that nobody judges is refused.
func TestTransportBase(t *testing.T) {
	judge := &Judge{Store: store(t, "one.table", Options{})}
	dial := func(context.Context, string, string) (net.Conn, error) { return nil, io.EOF }
	none := func(string, *tls.Conn) http.RoundTripper { return nil }
	for reason, base := range map[string]*http.Transport{
		"dial-tls": {DialTLSContext: dial},
		"tls-next-proto": {
			TLSNextProto: map[string]func(string, *tls.Conn) http.RoundTripper{"h2": none},
		},
		"server-name": {TLSClientConfig: &tls.Config{ServerName: "good.rig.example"}},
		"root-cas":    {TLSClientConfig: &tls.Config{RootCAs: roots(t)}},
	} {
		transport, err := judge.Transport(base)
		var failure *Error
		if transport != nil || !errors.As(err, &failure) || failure.Reason != reason {
			t.Errorf("%s: %v", reason, err)
		}
	}
	if transport, err := (&Judge{}).Transport(nil); transport != nil || err == nil {
		t.Error("a judge without a store made a transport")
	}
}

// HTTP/2 is on and off as in the base.
func TestProtocols(t *testing.T) {
	judge := &Judge{Store: store(t, "one.table", Options{})}
	server := webServer(t, "good", true, func(http.ResponseWriter, *http.Request) {})
	network := &network{}
	network.put("good.rig.example:443", address(server))
	var first, both http.Protocols
	first.SetHTTP1(true)
	both.SetHTTP1(true)
	both.SetHTTP2(true)
	used := &http.Transport{}
	used.CloseIdleConnections()
	off := map[string]func(string, *tls.Conn) http.RoundTripper{}
	for label, base := range map[string]struct {
		base  *http.Transport
		major int
	}{
		"default":   {&http.Transport{}, 2},
		"used":      {used, 2},
		"forced":    {&http.Transport{ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{}}, 2},
		"own TLS":   {&http.Transport{TLSClientConfig: &tls.Config{}}, 1},
		"off":       {&http.Transport{TLSNextProto: off}, 1},
		"protocols": {&http.Transport{Protocols: &both, TLSClientConfig: &tls.Config{}}, 2},
		"first":     {&http.Transport{Protocols: &first}, 1},
	} {
		transport, err := judge.Transport(base.base)
		if err != nil {
			t.Fatal(err)
		}
		// After the choice of protocols, which a dialer of the base would change.
		transport.base.DialContext = network.dial
		answer, err := get(t, &http.Client{Transport: transport}, "https://good.rig.example/")
		if err != nil || answer.ProtoMajor != base.major {
			t.Errorf("%s: %v, %v", label, err, answer)
		}
		transport.CloseIdleConnections()
	}
}

// At most poolLimit pools.
func TestPoolLimit(t *testing.T) {
	judge := &Judge{Store: store(t, "one.table", Options{})}
	transport, err := judge.Transport(&http.Transport{})
	if err != nil {
		t.Fatal(err)
	}
	for index := range poolLimit + 10 {
		host := authority("a.example", uint16(index+1))
		request := &http.Request{URL: &url.URL{Scheme: "https", Host: host}}
		if _, err := transport.transport(request); err != nil {
			t.Fatal(err)
		}
	}
	if len(transport.pools) != poolLimit || transport.recent.Len() != poolLimit {
		t.Errorf("%d pools, %d in order", len(transport.pools), transport.recent.Len())
	}
	transport.CloseIdleConnections()
}

// The program of the README, as written there: its host is found through a proxy of the
// environment.
func TestProgramOfTheReadme(t *testing.T) {
	program := rig(t, "program")
	beyond := &network{}
	for _, name := range []string{"good", "pinned"} {
		server := webServer(t, name, true, func(answer http.ResponseWriter, _ *http.Request) {
			io.WriteString(answer, "hello\n")
		})
		beyond.put(name+".rig.example:443", address(server))
	}
	var asked []string
	proxy := httptest.NewServer(tunnel(beyond, &asked))
	t.Cleanup(proxy.Close)
	for name, want := range map[string]string{
		"good": "200 OK\n", "pinned": "pin-mismatch: ",
	} {
		command := exec.Command(program, rig(t, "one.table"), "https://"+name+".rig.example/")
		command.Env = append(command.Environ(), "HTTPS_PROXY="+proxy.URL, "https_proxy=", "NO_PROXY=",
			"no_proxy=")
		// Its log goes to standard error.
		output, err := command.Output()
		if !strings.HasPrefix(string(output), want) {
			t.Errorf("%s: %v, %s", name, err, output)
		}
		if isRefused := err != nil; isRefused != (name == "pinned") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
