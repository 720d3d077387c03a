//go:build cgo

package hawser

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// Stores without a logger write to the default one: here only what a test listens for.
func init() { slog.SetDefault(slog.New(slog.DiscardHandler)) }

// The certificates, staples and tables that Tests/Integration/go-module.sh made, and the command.
func rig(t *testing.T, name string) string {
	t.Helper()
	folder := os.Getenv("HAWSER_RIG")
	if folder == "" {
		t.Skip("HAWSER_RIG is not set: run Tests/Integration/go-module.sh")
	}
	return filepath.Join(folder, name)
}

func octets(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(rig(t, name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func store(t *testing.T, table string, options Options) *Store {
	t.Helper()
	store, err := Open(rig(t, table), options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	return store
}

func pair(t *testing.T, name string) tls.Certificate {
	t.Helper()
	pair, err := tls.LoadX509KeyPair(rig(t, name+".pem"), rig(t, name+".key"))
	if err != nil {
		t.Fatal(err)
	}
	return pair
}

// A server stands at an address and knows how much of the program's data it got.
type server struct {
	address string
	// octets of application data, or records where octets cannot be seen
	received func() int
}

// tlsServer is crypto/tls's own. It answers each request of HTTP/1 with its name.
func tlsServer(t *testing.T, config *tls.Config) server {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	var received atomic.Int64
	var serving sync.WaitGroup
	go func() {
		for {
			raw, err := listener.Accept()
			if err != nil {
				return
			}
			serving.Add(1)
			go func() {
				defer serving.Done()
				defer raw.Close()
				raw.SetDeadline(time.Now().Add(time.Minute))
				connection := tls.Server(raw, config)
				lines := bufio.NewReader(&counter{connection, &received})
				for {
					request, err := http.ReadRequest(lines)
					if err != nil {
						return
					}
					request.Body.Close()
					if _, err := connection.Write(
						[]byte("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")); err != nil {
						return
					}
				}
			}()
		}
	}()
	return server{listener.Addr().String(), func() int {
		listener.Close()
		serving.Wait()
		return int(received.Load())
	}}
}

type counter struct {
	connection net.Conn
	received   *atomic.Int64
}

func (c *counter) Read(into []byte) (int, error) {
	count, err := c.connection.Read(into)
	c.received.Add(int64(count))
	return count, err
}

var accepting = regexp.MustCompile(`(?m)^ACCEPT .*:([0-9]+)( .*)?$`)

// opensslServer is `openssl s_server`, which shows each record that it gets.
func opensslServer(t *testing.T, name string, version uint16, options ...string) server {
	t.Helper()
	flag := map[uint16]string{tls.VersionTLS12: "-tls1_2", tls.VersionTLS13: "-tls1_3"}[version]
	arguments := append([]string{
		"s_server", "-accept", "127.0.0.1:0", "-cert", rig(t, name+".pem"),
		"-cert_chain", rig(t, name+".pem"), "-key", rig(t, name+".key"), "-www", "-msg", flag,
	}, options...)
	command := exec.Command("openssl", arguments...)
	input, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	log, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	command.Stdout, command.Stderr = log, log
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	var once sync.Once
	stop := func() {
		once.Do(func() {
			command.Process.Kill()
			command.Wait()
			input.Close()
		})
	}
	t.Cleanup(stop)
	said := func() string {
		text, err := os.ReadFile(log.Name())
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for range 400 {
		if found := accepting.FindStringSubmatch(said()); found != nil {
			kind := "RecordHeader"
			if version == tls.VersionTLS13 {
				kind = "InnerContent"
			}
			return server{"127.0.0.1:" + found[1], func() int {
				stop()
				text := said()
				if !strings.Contains(text, "ClientHello") {
					t.Error("nobody came to the server")
				}
				count, isOurs := 0, false
				for line := range strings.SplitSeq(text, "\n") {
					if isOurs && strings.HasPrefix(strings.TrimLeft(line, " "), "17") {
						count++
					}
					isOurs = strings.HasPrefix(line, "<<< ") && strings.Contains(line, kind)
				}
				return count
			}}
		}
		time.Sleep(25 * time.Millisecond)
	}
	t.Fatal("no server came up: " + said())
	return server{}
}

// A network stands in for name resolution: where each `host:port` is in truth.
type network struct {
	mutex     sync.Mutex
	addresses map[string]string
	dialled   []string
}

func (n *network) put(authority, address string) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	if n.addresses == nil {
		n.addresses = map[string]string{}
	}
	n.addresses[authority] = address
}

func (n *network) dial(ctx context.Context, kind, authority string) (net.Conn, error) {
	n.mutex.Lock()
	address, found := n.addresses[authority]
	n.dialled = append(n.dialled, authority)
	n.mutex.Unlock()
	if !found {
		return nil, errors.New("no such host: " + authority)
	}
	return (&net.Dialer{}).DialContext(ctx, kind, address)
}

// client is an http.Client of a judge's transport over a network.
func client(t *testing.T, judge *Judge, network *network, settings *tls.Config) *http.Client {
	t.Helper()
	transport, err := judge.Transport(&http.Transport{
		DialContext: network.dial, TLSClientConfig: settings, ForceAttemptHTTP2: true,
		TLSHandshakeTimeout: time.Minute,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, Timeout: time.Minute}
}

// connect makes one connection and says the state, or the error of the handshake.
func connect(
	t *testing.T, judge *Judge, settings *tls.Config, host string, port uint16, address string,
) (tls.ConnectionState, error) {
	t.Helper()
	config, err := judge.Config(settings, host, port)
	if err != nil {
		t.Fatal(err)
	}
	return handshake(t, config, address)
}

// handshake connects as a careless program would, which writes whatever it was told.
func handshake(t *testing.T, config *tls.Config, address string) (tls.ConnectionState, error) {
	t.Helper()
	raw, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	raw.SetDeadline(time.Now().Add(time.Minute))
	connection := tls.Client(raw, config)
	refused := connection.Handshake()
	_, unsent := connection.Write([]byte("GET / HTTP/1.1\r\nHost: rig\r\n\r\n"))
	if refused != nil && unsent == nil {
		t.Error("octets of the program could be written after the refusal")
	}
	if refused == nil {
		// Sessions of TLS 1.3 come with the answer.
		if _, err := connection.Read(make([]byte, 512)); err != nil {
			t.Errorf("no answer: %v", err)
		}
	}
	return connection.ConnectionState(), refused
}

// rejection wants an error of the judge, with all that stands around one.
func rejection(t *testing.T, err error, id string) *RejectError {
	t.Helper()
	var rejected *RejectError
	if !errors.As(err, &rejected) {
		t.Fatalf("not refused by the policy, %s was wanted: %v", id, err)
	}
	if !rejected.Has(id) || rejected.Accepted {
		t.Fatalf("refused, but not by %s: %v", id, err)
	}
	if !strings.Contains(err.Error(), rejected.Violations[0].Sentence) {
		t.Errorf("the error does not say why: %v", err)
	}
	return rejected
}

// told is what the command says of a server, as a JSON explanation.
type told struct {
	Verdict    string
	Violations []struct{ ID, Summary string }
}

func explain(t *testing.T, arguments ...string) told {
	t.Helper()
	arguments = append([]string{"explain"}, append(arguments, "--format", "json")...)
	output, err := exec.Command(os.Getenv("HAWSER"), arguments...).Output()
	var said told
	if jsonError := json.Unmarshal(output, &said); jsonError != nil {
		t.Fatalf("hawser %q: %v, %v, %s", arguments, err, jsonError, output)
	}
	return said
}

func roots(t *testing.T) *x509.CertPool {
	t.Helper()
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(octets(t, "root.pem")) {
		t.Fatal("no root")
	}
	return roots
}
