package hawser

/*
#include <hawser.h>
*/
import "C"

import (
	"context"
	"runtime"
	"sync"
	"time"
)

// Evidence is a CRL or an OCSP response that was read once, for any number of requests to any
// store. It is given back when nothing refers to it any more.
type Evidence struct{ number C.hawser_evidence }

// PrepareCRL reads a CRL. Signers are certificates whose keys may have signed it, DER; they spare
// time and change no verdict.
func PrepareCRL(der []byte, signers ...[]byte) (*Evidence, error) {
	return prepare(C.HAWSER_EVIDENCE_CRL, der, signers)
}

// PrepareOCSP reads an OCSP response that came from elsewhere than the handshake.
func PrepareOCSP(der []byte, signers ...[]byte) (*Evidence, error) {
	return prepare(C.HAWSER_EVIDENCE_OCSP, der, signers)
}

func prepare(kind C.uint32_t, der []byte, signers [][]byte) (*Evidence, error) {
	var memory arena
	defer memory.free()
	failure := newFailure()
	octets := memory.octets(der)
	list, count := memory.list(signers)
	var number C.hawser_evidence
	result := C.hawser_evidence_prepare(
		kind, C.hawser_store{}, octets.data, octets.length, list, count, &number, failure)
	if result != C.HAWSER_OK {
		return nil, failed(result, failure)
	}
	evidence := &Evidence{number}
	runtime.AddCleanup(evidence, func(number C.hawser_evidence) { C.hawser_evidence_free(number) },
		number)
	return evidence, nil
}

// FetcherOptions say what a fetcher may do. The zero FetcherOptions are usable.
type FetcherOptions struct {
	// Folder keeps evidence between runs; "" keeps it only in memory.
	Folder string
	// Networks may be asked although they are not public, such as "10.0.0.0/8"; Ports besides 80
	// and 8080.
	Networks []string
	Ports    []uint16
	// Timeout is how long one request may wait in all, ExchangeTimeout one exchange; whole
	// milliseconds, at most ten minutes. 0 is 10 s and 5 s.
	Timeout, ExchangeTimeout time.Duration
}

// A Fetcher fetches the revocation evidence that a rule lets a program fetch: over plain HTTP, from
// public addresses and FetcherOptions.Networks, bounded as hawser.h says. A program opens one, and
// all stores and goroutines use it.
type Fetcher struct {
	number C.hawser_fetcher
	close  func() error
}

// OpenFetcher opens a fetcher, until Close or until nothing refers to it any more.
func OpenFetcher(options FetcherOptions) (*Fetcher, error) {
	var memory arena
	defer memory.free()
	for _, timeout := range []time.Duration{options.Timeout, options.ExchangeTimeout} {
		if timeout%time.Millisecond != 0 {
			return nil, refusal("timeout", "%v is no whole number of milliseconds", timeout)
		}
	}
	c := &C.hawser_fetcher_options{size: C.sizeof_hawser_fetcher_options}
	c.folder = memory.name(options.Folder, "the folder")
	c.networks, c.network_count = memory.names(options.Networks, "a network")
	if len(options.Ports) > 0 {
		ports := make([]C.uint32_t, len(options.Ports))
		for index, port := range options.Ports {
			ports[index] = C.uint32_t(port)
		}
		memory.pinner.Pin(&ports[0])
		c.ports, c.port_count = &ports[0], C.size_t(len(ports))
	}
	c.timeout = C.int64_t(options.Timeout.Milliseconds())
	c.exchange_timeout = C.int64_t(options.ExchangeTimeout.Milliseconds())
	if memory.failed != nil {
		return nil, memory.failed
	}
	failure := newFailure()
	var number C.hawser_fetcher
	if result := C.hawser_fetcher_open(c, &number, failure); result != C.HAWSER_OK {
		return nil, failed(result, failure)
	}
	var result C.int32_t
	var once sync.Once
	end := func() error {
		once.Do(func() { result = C.hawser_fetcher_close(number) })
		if result != C.HAWSER_OK {
			return failed(result, nil)
		}
		return nil
	}
	fetcher := &Fetcher{number, end}
	runtime.AddCleanup(fetcher, func(end func() error) { _ = end() }, end)
	return fetcher, nil
}

// Close closes the fetcher. Verdicts that wait for it complete; with it no later one is made. A
// second Close does nothing.
func (f *Fetcher) Close() error { return f.close() }

// Evaluate is Store.Evaluate; where evidence is wanted that the rule lets the program wait for, it
// fetches it and judges again at the same time, by the same table. It blocks for at most the
// fetcher's timeout.
func (f *Fetcher) Evaluate(store *Store, request Request) (*Verdict, error) {
	return store.judgeNow(request, f, false)
}

// Explain is Evaluate with the explanation, the receipts and the report of the last verdict.
func (f *Fetcher) Explain(store *Store, request Request) (*Verdict, error) {
	return store.judgeNow(request, f, true)
}

// EvaluateContext is Evaluate, and waits at most until the context ends; then it returns no
// verdict. The exchange that is under way comes to its own end, within the fetcher's timeout, and
// the request is read until then: do not change its octets.
func (f *Fetcher) EvaluateContext(
	ctx context.Context, store *Store, request Request,
) (*Verdict, error) {
	return store.judge(ctx, request, f, false)
}

// ExplainContext is Explain, with the context as in EvaluateContext.
func (f *Fetcher) ExplainContext(
	ctx context.Context, store *Store, request Request,
) (*Verdict, error) {
	return store.judge(ctx, request, f, true)
}

// Prefetch fetches evidence for rules with `network: prefetch`: the pieces that verdicts have
// wanted since the last call, and kept pieces that are half over. It fetches at most limit pieces.
// Call it every few minutes.
func (f *Fetcher) Prefetch(limit uint32) (fetched, failures int, err error) {
	failure := newFailure()
	var came, missed C.uint32_t
	result := C.hawser_fetcher_prefetch(f.number, C.uint32_t(limit), &came, &missed, failure)
	runtime.KeepAlive(f)
	if result != C.HAWSER_OK {
		return 0, 0, failed(result, failure)
	}
	return int(came), int(missed), nil
}
