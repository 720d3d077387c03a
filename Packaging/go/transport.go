//go:build cgo

package hawser

import (
	"container/list"
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"time"
)

// A Transport is an http.RoundTripper whose connections a judge judges, each for the host and the
// port of the URL that is asked for: through redirects, retries and proxies alike. So the name in
// the request's Host field plays no part.
//
// It keeps an http.Transport for each authority. When the policy becomes stricter for a host, the
// next request to it goes over a new connection, which the policy in force judges; requests that
// are under way come to their end. Connections of hosts that no table since judges more strictly
// stay.
type Transport struct {
	judge *Judge
	base  *http.Transport
	proxy func(*http.Request) (*url.URL, error)

	mutex  sync.Mutex
	pools  map[destination]*list.Element // of *pool
	recent *list.List                    // the last used one first
}

// destination is what connections are pooled by.
type destination struct {
	scheme, host string
	port         uint16
	proxy        string
}

type pool struct {
	destination destination
	transport   *http.Transport
	// epoch was in force when the pool was made: its connections were judged then or later.
	epoch uint64
}

// poolLimit is how many authorities have a pool at a time. Beyond it the one that was used longest
// ago is closed, once its requests are over; a crawler's memory then stays where it is.
const poolLimit = 1024

// Transport makes a round tripper out of base, which is not changed; nil is http.DefaultTransport's
// settings. Its limits of connections (MaxIdleConns) count for each authority. Idle connections end
// after 90 s where base has no IdleConnTimeout.
//
// It refuses a base that would make connections that nobody judges, DialTLSContext, DialTLS and an
// HTTP/2 of another package in TLSNextProto, and what Config refuses. Requests for `http` URLs are
// judged too: only a rule with a waiver of `cleartext` lets them pass.
func (j *Judge) Transport(base *http.Transport) (*Transport, error) {
	if base == nil {
		usual, isUsual := http.DefaultTransport.(*http.Transport)
		if !isUsual {
			return nil, refusal("default-transport", "http.DefaultTransport is a %T: give a base",
				http.DefaultTransport)
		}
		base = usual
	}
	isPlain := base.TLSClientConfig == nil && base.Dial == nil && base.DialContext == nil
	base = base.Clone()
	//lint:ignore SA1019 a dialer of TLS in the old field would be used as well
	if base.DialTLSContext != nil || base.DialTLS != nil {
		return nil, refusal("dial-tls", "base dials TLS itself, and that nobody would judge")
	}
	if len(base.TLSNextProto) > 0 {
		return nil, refusal("tls-next-proto", "base has protocols of another package in TLSNextProto,"+
			" whose pools outlive a policy")
	}
	settings := base.TLSClientConfig
	if settings == nil {
		settings = &tls.Config{}
	}
	if settings.ServerName != "" {
		return nil, refusal("server-name", "base has a ServerName for every host: `%s`",
			settings.ServerName)
	}
	if _, err := j.Config(settings, "host", 443); err != nil {
		return nil, err
	}
	// The configuration below would switch HTTP/2 off where base has it on.
	if base.Protocols == nil && base.TLSNextProto == nil {
		offersHTTP2 := slices.Contains(settings.NextProtos, "h2")
		base.ForceAttemptHTTP2 = base.ForceAttemptHTTP2 || isPlain || offersHTTP2
	}
	if base.IdleConnTimeout == 0 {
		base.IdleConnTimeout = 90 * time.Second
	}
	t := &Transport{
		judge: j, base: base, proxy: base.Proxy,
		pools: map[destination]*list.Element{}, recent: list.New(),
	}
	base.Proxy, base.TLSClientConfig = nil, settings
	return t, nil
}

// RoundTrip implements http.RoundTripper. The error of a server that was refused is a
// *tls.CertificateVerificationError with a *RejectError inside; of a cleartext request a
// *RejectError.
func (t *Transport) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := t.roundTrip(request)
	var rejected *RejectError
	if err == nil || !errors.As(err, &rejected) || !rejected.Resumed {
		return response, err
	}
	// A resumed connection shows the chain and the staple of an earlier handshake. crypto/tls has
	// dropped that session, so once more, by a full handshake. Nothing was sent before.
	again := request
	if request.Body != nil && request.Body != http.NoBody {
		if request.GetBody == nil {
			return response, err
		}
		body, bodyError := request.GetBody()
		if bodyError != nil {
			return response, err
		}
		again = request.Clone(request.Context())
		again.Body = body
	}
	return t.roundTrip(again)
}

func (t *Transport) roundTrip(request *http.Request) (*http.Response, error) {
	transport, err := t.transport(request)
	if err != nil {
		if request.Body != nil {
			request.Body.Close()
		}
		return nil, err
	}
	return transport.RoundTrip(request)
}

// CloseIdleConnections closes idle connections; http.Client.CloseIdleConnections calls it.
func (t *Transport) CloseIdleConnections() {
	t.mutex.Lock()
	var transports []*http.Transport
	for at := t.recent.Front(); at != nil; at = at.Next() {
		transports = append(transports, at.Value.(*pool).transport)
	}
	t.mutex.Unlock()
	for _, transport := range transports {
		transport.CloseIdleConnections()
	}
}

// transport finds the one for a request's authority, or makes it.
func (t *Transport) transport(request *http.Request) (*http.Transport, error) {
	if request.URL == nil {
		return nil, refusal("no-url", "the request has no URL")
	}
	to, err := destinationOf(request.URL)
	if err != nil {
		return nil, err
	}
	if to.scheme == "http" {
		clear := Request{Host: to.host, Port: to.port, TLS: TLSCleartext}
		if clock := t.clock(); clock != nil {
			clear.Time = clock()
		}
		if _, err := t.judge.ask(request.Context(), clear, false, true); err != nil {
			return nil, err
		}
	}
	var proxy *url.URL
	if t.proxy != nil {
		if proxy, err = t.proxy(request); err != nil {
			return nil, err
		}
	}
	if proxy != nil {
		to.proxy = proxy.String()
	}

	epoch, err := t.judge.Store.epoch()
	if err != nil {
		return nil, err
	}
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if at, found := t.pools[to]; found {
		kept := at.Value.(*pool)
		holds := true
		if to.scheme == "https" {
			var now time.Time
			if clock := t.clock(); clock != nil {
				now = clock()
			}
			holds, err = t.judge.Store.Holds(kept.epoch, to.host, to.port, now)
			if err != nil {
				return nil, err
			}
		}
		if holds {
			t.recent.MoveToFront(at)
			return kept.transport, nil
		}
		t.drop(at)
	}
	made, err := t.make(to, proxy)
	if err != nil {
		return nil, err
	}
	t.pools[to] = t.recent.PushFront(&pool{to, made, epoch})
	if t.recent.Len() > poolLimit {
		t.drop(t.recent.Back())
	}
	return made, nil
}

// drop takes a pool out. Its idle connections close now, and busy HTTP/1 connections after their
// answer. A busy HTTP/2 connection gets no new request and closes when it was idle for
// IdleConnTimeout.
func (t *Transport) drop(at *list.Element) {
	old := t.recent.Remove(at).(*pool)
	delete(t.pools, old.destination)
	go old.transport.CloseIdleConnections()
}

func (t *Transport) clock() func() time.Time {
	if t.judge.Time != nil {
		return t.judge.Time
	}
	return t.base.TLSClientConfig.Time
}

// make makes the transport of one authority, through one proxy or none.
func (t *Transport) make(to destination, proxy *url.URL) (*http.Transport, error) {
	made := t.base.Clone()
	if proxy != nil {
		made.Proxy = http.ProxyURL(proxy)
	}
	if to.scheme == "https" {
		config, err := t.judge.Config(t.base.TLSClientConfig, to.host, to.port)
		if err != nil {
			return nil, err
		}
		made.TLSClientConfig = config
	}
	if proxy != nil && proxy.Scheme == "https" {
		// TLS to the proxy, a host of its own; TLSClientConfig is for the connection inside the tunnel.
		// All connections of this transport go to the proxy, so nothing else is dialled here.
		made.DialTLSContext = t.dialProxy(proxy)
	}
	return made, nil
}

func (t *Transport) dialProxy(
	proxy *url.URL,
) func(context.Context, string, string) (net.Conn, error) {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		to, err := destinationOf(proxy)
		if err != nil {
			return nil, err
		}
		settings := t.base.TLSClientConfig.Clone()
		settings.NextProtos = nil
		config, err := t.judge.config(ctx, settings, to.host, to.port)
		if err != nil {
			return nil, err
		}
		dial := t.base.DialContext
		if dial == nil {
			dial = (&net.Dialer{}).DialContext
			//lint:ignore SA1019 http.Transport uses the old field too
			if old := t.base.Dial; old != nil {
				dial = func(_ context.Context, network, address string) (net.Conn, error) {
					return old(network, address)
				}
			}
		}
		raw, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		if limit := t.base.TLSHandshakeTimeout; limit > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, limit)
			defer cancel()
		}
		connection := tls.Client(raw, config)
		if err := connection.HandshakeContext(ctx); err != nil {
			raw.Close()
			return nil, err
		}
		return connection, nil
	}
}

// destinationOf reads a URL as http.Transport does. A host in other letters than ASCII is left as
// it is, and then no rule decides it: such names are to be given as A-labels.
func destinationOf(u *url.URL) (destination, error) {
	to := destination{scheme: u.Scheme, host: u.Hostname()}
	switch service := u.Port(); {
	case u.Scheme != "http" && u.Scheme != "https":
		return to, refusal("scheme", "the URL's scheme is `%s`, neither `https` nor `http`", u.Scheme)
	case to.host == "":
		return to, refusal("no-host", "the URL has no host")
	case service != "":
		port, err := strconv.ParseUint(service, 10, 16)
		if err != nil {
			return to, refusal("port", "`%s` is no number of a port", service)
		}
		to.port = uint16(port)
	case u.Scheme == "http":
		to.port = 80
	default:
		to.port = 443
	}
	return to, nil
}
