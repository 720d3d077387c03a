//go:build cgo

package hawser

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"encoding/binary"
	"net"
	"strconv"
	"strings"
	"time"
)

// A Judge asks a store about the connections of a program. Its fields are not changed while it is
// in use.
type Judge struct {
	// Store judges.
	Store *Store
	// Fetcher fetches evidence where the rule lets a program wait for it; nil fetches nothing. A
	// handshake then waits for at most the fetcher's timeout. A handshake of Dial also ends with its
	// context, and a request over Transport with the request's. crypto/tls does not pass the context
	// to a configuration of Config and ConfigByName, so keep the timeout below your handshakes'.
	Fetcher *Fetcher
	// Evidence is given with every connection.
	Evidence []*Evidence
	// Explain makes verdicts with explanation, receipts and report, for OnVerdict and for errors.
	// It costs several times what a verdict costs.
	Explain bool
	// OnVerdict is told of every verdict, on the goroutine of its handshake and before anything is
	// sent; nil is nobody. It changes nothing.
	OnVerdict func(*Verdict)
	// Time is when to judge; nil is the Time of the tls.Config, and without that the system's
	// clock.
	Time func() time.Time
}

// sessionLife is how long a session is offered, as in hawser_openssl.h. A resumed connection is
// judged by the staple of the handshake that made its session, which ends some day.
const sessionLife = time.Hour

// Config makes the configuration of TLS connections to one host and port, which this judge judges:
// full handshakes and resumed ones alike, before the client sends anything of the program's and
// before it sends a certificate of its own. Base, which may be nil and is not changed, gives
// everything else; its VerifyConnection is called after an accept.
//
// Under this configuration crypto/tls itself verifies no chain: InsecureSkipVerify is set, and
// VerifyConnection is the judge. The two are set here together and belong together. Whoever
// replaces VerifyConnection of the result takes the judge away.
//
// Config refuses a base with settings that would have no effect: RootCAs (the policy says which
// anchors are trusted), another ServerName than host, and renegotiation.
func (j *Judge) Config(base *tls.Config, host string, port uint16) (*tls.Config, error) {
	return j.config(context.Background(), base, host, port)
}

func (j *Judge) config(
	ctx context.Context, base *tls.Config, host string, port uint16,
) (*tls.Config, error) {
	if host == "" {
		return nil, refusal("no-host", "there is no host to judge")
	}
	config, err := j.judged(base, host, port, func(
		state tls.ConnectionState, clock func() time.Time,
	) error {
		return j.verify(ctx, state, host, port, clock)
	})
	if err != nil {
		return nil, err
	}
	if config.ServerName != "" && !sameHost(config.ServerName, host) {
		return nil, refusal("server-name", "base.ServerName is `%s`, and the host is `%s`",
			config.ServerName, host)
	}
	config.ServerName = host
	return config, nil
}

// ConfigByName makes one configuration for any number of hosts, for libraries that take a
// *tls.Config and make their connections themselves, as for gRPC, MongoDB, Kafka and database/sql.
// Each connection is judged for the server name that it sends, which the library sets on a copy of
// the configuration (ServerName). It is otherwise as Config.
//
// crypto/tls tells a configuration nothing of a connection's port. Give the port where every
// connection is for the same one, and 0 where it is not known: then a host whose rule may be
// another one at another port is refused, with the violation `port-unknown`. A connection without
// a server name, as one to an address, is refused with `no-verdict`: for it there is Config.
func (j *Judge) ConfigByName(base *tls.Config, port uint16) (*tls.Config, error) {
	config, err := j.judged(base, "", port, func(
		state tls.ConnectionState, clock func() time.Time,
	) error {
		return j.verifyByName(state, port, clock)
	})
	if err != nil {
		return nil, err
	}
	if config.ServerName != "" {
		return nil, refusal("server-name", "base has a ServerName for every host: `%s`",
			config.ServerName)
	}
	return config, nil
}

// judged makes a configuration whose connections verify judges. The host is "" where connections
// have several.
func (j *Judge) judged(
	base *tls.Config, host string, port uint16,
	verify func(tls.ConnectionState, func() time.Time) error,
) (*tls.Config, error) {
	if j.Store == nil {
		return nil, refusal("no-store", "the judge has no store")
	}
	config := base.Clone()
	if config == nil {
		config = &tls.Config{}
	}
	if err := refuseBase(config); err != nil {
		return nil, err
	}
	clock, then := j.Time, config.VerifyConnection
	if clock == nil {
		clock = config.Time
	}
	if config.ClientSessionCache != nil {
		config.ClientSessionCache = &sessions{config.ClientSessionCache, j.Store, host, port, clock}
	}
	config.InsecureSkipVerify, config.VerifyConnection = true, func(state tls.ConnectionState) error {
		if err := verify(state, clock); err != nil {
			return err
		}
		if then != nil {
			return then(state)
		}
		return nil
	}
	return config, nil
}

func refuseBase(base *tls.Config) error {
	switch {
	case base.RootCAs != nil:
		return refusal("root-cas", "base has RootCAs, which would not be looked at: which anchors"+
			" are trusted is for the policy to say")
	case base.Renegotiation != tls.RenegotiateNever:
		return refusal("renegotiation", "base lets servers renegotiate, which no verdict sees")
	}
	return nil
}

// Dial connects to an address, `host:port`, and finishes a handshake that this judge judges. An
// error of the judge is a *tls.CertificateVerificationError, as crypto/tls's own are, with a
// *RejectError inside. When the context ends, so does a wait for the Fetcher.
func (j *Judge) Dial(
	ctx context.Context, network, address string, base *tls.Config,
) (*tls.Conn, error) {
	host, port, err := splitAuthority(address)
	if err != nil {
		return nil, err
	}
	config, err := j.config(ctx, base, host, port)
	if err != nil {
		return nil, err
	}
	connection, err := (&tls.Dialer{Config: config}).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return connection.(*tls.Conn), nil
}

// verify judges a connection in the middle of its handshake.
func (j *Judge) verify(
	ctx context.Context, state tls.ConnectionState, host string, port uint16,
	clock func() time.Time,
) error {
	verdict, err := j.ask(ctx, j.request(state, host, port, clock), state.DidResume, true)
	if verdict == nil {
		return err
	}
	return refused(state, err)
}

// verifyByName judges a connection for the server name that it sent.
func (j *Judge) verifyByName(state tls.ConnectionState, port uint16, clock func() time.Time) error {
	host := state.ServerName
	if host == "" {
		return refused(state, reject(host, port, 0, "no-verdict", "the connection sent no server"+
			" name, as one to an address does: make its configuration by Judge.Config, for its host"+
			" and port"))
	}
	if port != 0 {
		return j.verify(context.Background(), state, host, port, clock)
	}
	request := j.request(state, host, 443, clock)
	// The table by which the port does not matter must also give the verdict. Another table may come
	// into force in between; then both are asked again.
	for range 16 {
		epoch, matters, err := j.Store.portMatters(host, 443, request.Time)
		if err != nil {
			return err
		}
		if matters {
			return refused(state, reject(host, 0, epoch, "port-unknown", "the policy may decide this"+
				" host by another rule at another port, and crypto/tls does not say which port a"+
				" connection is for: give it to Judge.ConfigByName, or use Judge.Config"))
		}
		verdict, err := j.ask(context.Background(), request, state.DidResume, false)
		if verdict == nil {
			return err
		}
		if err != nil || verdict.Epoch == epoch {
			return refused(state, err)
		}
	}
	return refused(state, reject(host, 0, 0, "no-verdict",
		"the policy changed again and again during the handshake: connect again"))
}

func (j *Judge) request(
	state tls.ConnectionState, host string, port uint16, clock func() time.Time,
) Request {
	request := Request{
		Host: host, Port: port, TLS: TLSObserved, Version: state.Version,
		CipherSuite: tls.CipherSuiteName(state.CipherSuite), Group: groups[state.CurveID],
		ALPN: state.NegotiatedProtocol, Staple: state.OCSPResponse,
		SCTs: state.SignedCertificateTimestamps, Prepared: j.Evidence,
	}
	if len(request.Staple) == 0 {
		request.Staple = nil
	}
	if clock != nil {
		request.Time = clock()
	}
	for _, certificate := range state.PeerCertificates {
		request.Chain = append(request.Chain, certificate.Raw)
	}
	return request
}

// refused turns a reject into the error of crypto/tls's own verification, which libraries know and
// do not try again.
func refused(state tls.ConnectionState, err error) error {
	if err == nil {
		return nil
	}
	return &tls.CertificateVerificationError{
		UnverifiedCertificates: state.PeerCertificates, Err: err,
	}
}

// reject makes a reject of this package's own, about a connection that the policy was not asked of.
func reject(host string, port uint16, epoch uint64, id, sentence string) *RejectError {
	return &RejectError{&Verdict{
		Host: host, Port: port, Time: time.Now().UTC(), Epoch: epoch,
		Violations: []Violation{{ID: id, Sentence: sentence}},
	}}
}

// ask judges, and tells OnVerdict. The verdict has the port 0 where it is not known.
func (j *Judge) ask(
	ctx context.Context, request Request, isResumed, isPortKnown bool,
) (*Verdict, error) {
	verdict, err := j.Store.judge(ctx, request, j.Fetcher, j.Explain)
	if verdict != nil {
		verdict.Resumed = isResumed
		if !isPortKnown {
			verdict.Port = 0
		}
		if j.OnVerdict != nil {
			j.OnVerdict(verdict)
		}
	}
	return verdict, err
}

// groups has IANA's names of those groups that crypto/tls has. Under TLS 1.2 the group is not known
// yet when the judge is asked.
var groups = map[tls.CurveID]string{
	tls.CurveP256: "secp256r1", tls.CurveP384: "secp384r1", tls.CurveP521: "secp521r1",
	tls.X25519: "x25519", tls.X25519MLKEM768: "X25519MLKEM768", 4587: "SecP256r1MLKEM768",
	4589: "SecP384r1MLKEM1024", 514: "MLKEM1024",
}

// sessions keeps with each session when it was made and under which epoch of which store, and
// offers it while it is young and no table since then judges the host more strictly. A resumed
// connection is judged all the same; this spares it a reject that a full handshake may not meet.
type sessions struct {
	tls.ClientSessionCache
	store *Store
	// host is "" for configurations of several; the key of a session is its server name then.
	host string
	// port is 0 where it is not known; a host whose rule may depend on it is refused anyway.
	port  uint16
	clock func() time.Time
}

// mark marks a session as ours: a random word tells stores apart, also stores of other processes.
var mark = func() string {
	word := make([]byte, 16)
	rand.Read(word)
	return "hawser\x00" + string(word)
}()

// Put is called after the handshake was judged. The epoch may be a later one than that which
// judged; then the resumed connection is judged by it.
func (s *sessions) Put(key string, session *tls.ClientSessionState) {
	if session == nil {
		s.ClientSessionCache.Put(key, nil)
		return
	}
	ticket, state, err := session.ResumptionState()
	if err != nil || state == nil {
		return
	}
	epoch, err := s.store.epoch()
	if err != nil {
		return
	}
	extra := state.Extra[:0:0]
	for _, other := range state.Extra {
		if !strings.HasPrefix(string(other), "hawser\x00") {
			extra = append(extra, other)
		}
	}
	tag := []byte(mark)
	tag = binary.BigEndian.AppendUint64(tag, uint64(s.store.number.number))
	tag = binary.BigEndian.AppendUint64(tag, epoch)
	tag = binary.BigEndian.AppendUint64(tag, uint64(time.Now().Unix()))
	// A copy, as the session is not ours; and QUIC would send early data before the judge is asked.
	ours := *state
	ours.Extra, ours.EarlyData = append(extra, tag), false
	if marked, err := tls.NewResumptionState(ticket, &ours); err == nil {
		s.ClientSessionCache.Put(key, marked)
	}
}

// Get offers no session that this judge's store did not see made.
func (s *sessions) Get(key string) (*tls.ClientSessionState, bool) {
	session, found := s.ClientSessionCache.Get(key)
	if !found || session == nil {
		return nil, false
	}
	_, state, err := session.ResumptionState()
	if err != nil || state == nil {
		return nil, false
	}
	for _, tag := range state.Extra {
		rest, isOurs := strings.CutPrefix(string(tag), mark)
		if !isOurs || len(rest) != 24 {
			continue
		}
		words := []byte(rest)
		made := time.Unix(int64(binary.BigEndian.Uint64(words[16:])), 0)
		age := time.Since(made)
		if binary.BigEndian.Uint64(words) != uint64(s.store.number.number) || age < 0 || age > sessionLife {
			return nil, false
		}
		var now time.Time
		if s.clock != nil {
			now = s.clock()
		}
		host, port := s.host, s.port
		if host == "" {
			host = key
		}
		if port == 0 {
			port = 443
		}
		holds, err := s.store.Holds(binary.BigEndian.Uint64(words[8:]), host, port, now)
		return session, holds && err == nil
	}
	return nil, false
}

// authority is `host:port`, with brackets around an address of IPv6.
func authority(host string, port uint16) string {
	return net.JoinHostPort(host, strconv.Itoa(int(port)))
}

func splitAuthority(address string) (string, uint16, error) {
	host, service, err := net.SplitHostPort(address)
	if err != nil {
		return "", 0, err
	}
	port, err := strconv.ParseUint(service, 10, 16)
	if err != nil {
		return "", 0, refusal("port", "`%s` is no number of a port", service)
	}
	return host, uint16(port), nil
}

// sameHost compares names as DNS does, with or without the dot at the end.
func sameHost(a, b string) bool {
	return strings.EqualFold(strings.TrimSuffix(a, "."), strings.TrimSuffix(b, "."))
}
