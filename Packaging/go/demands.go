package hawser

/*
#include <hawser.h>
*/
import "C"

import (
	"runtime"
	"time"
)

// Demands are the demands of a host's rule on a connection, before the server has shown anything.
// They are not a verdict: the connection is judged all the same.
type Demands struct {
	// Rule is the id of the rule, "" for the body of `default`; Epoch is of the table that says so.
	Rule         string
	Epoch        uint64
	PolicyDigest [32]byte
	// MinVersion and MaxVersion are numbers of crypto/tls.
	MinVersion, MaxVersion uint16
	// ServerName is the name to send as server_name; "" for an address.
	ServerName string
	// IANA names, in the rule's order; none is any.
	CipherSuites, Groups, SignatureSchemes, ALPN []string
	RevocationSources                            []EvidenceSource
	// ForwardSecrecy: before TLS 1.3 only suites with ephemeral keys.
	ForwardSecrecy bool
	Staple         StapleDemand
	// RejectsWithoutEvidence is of revocation; MayFetch says whether a Fetcher may bring some.
	RejectsWithoutEvidence, MayFetch bool
	// Transparency says whether signed certificate timestamps are demanded.
	Transparency bool
}

// StapleDemand says what a rule makes of an OCSP response in the handshake.
type StapleDemand string

const (
	// StapleUnused: the rule takes no evidence from the handshake.
	StapleUnused StapleDemand = "unused"
	// StapleWanted: ask the server for one; other evidence, or the rule's tolerance, may do without.
	StapleWanted StapleDemand = "wanted"
	// StapleRequired: the rule has no other source, and rejects without evidence.
	StapleRequired StapleDemand = "required"
)

var staples = map[C.uint32_t]StapleDemand{
	C.HAWSER_STAPLE_UNUSED: StapleUnused, C.HAWSER_STAPLE_WANTED: StapleWanted,
	C.HAWSER_STAPLE_REQUIRED: StapleRequired,
}

// EvidenceSource is a place that revocation evidence comes from.
type EvidenceSource string

const (
	// SourceStapled is the OCSP response of the handshake.
	SourceStapled EvidenceSource = "stapled"
	// SourceOCSP is a responder.
	SourceOCSP EvidenceSource = "ocsp"
	// SourceCRL is a list of revoked certificates.
	SourceCRL EvidenceSource = "crl"
)

// portMatters says whether the rule of a host, or whether there is one, may be another at another
// port, and under which epoch that is so.
func (s *Store) portMatters(host string, port uint16, at time.Time) (uint64, bool, error) {
	var memory arena
	defer memory.free()
	failure := newFailure()
	c := C.hawser_demanded{size: C.sizeof_hawser_demanded}
	name := memory.octets([]byte(host))
	result := C.hawser_store_demands(s.number, name.data, name.length, C.uint32_t(port), instant(at),
		&c, nil, failure)
	if result == C.HAWSER_REJECT {
		runtime.KeepAlive(s)
	} else if err := s.check(result, failure); err != nil {
		return 0, false, err
	}
	return uint64(c.epoch), c.depends_on_port != 0, nil
}

// Demands says what the rule for a host and a port demands. It is nil, nil where no rule decides,
// and where the host is none: then every verdict rejects, and there is nothing to connect for. The
// zero time is now.
func (s *Store) Demands(host string, port uint16, at time.Time) (*Demands, error) {
	var memory arena
	defer memory.free()
	failure := newFailure()
	c := C.hawser_demanded{size: C.sizeof_hawser_demanded}
	name := memory.octets([]byte(host))
	var number C.hawser_demands
	result := C.hawser_store_demands(s.number, name.data, name.length, C.uint32_t(port), instant(at),
		&c, &number, failure)
	if result == C.HAWSER_REJECT {
		runtime.KeepAlive(s)
		return nil, nil
	}
	if err := s.check(result, failure); err != nil {
		return nil, err
	}
	defer C.hawser_demands_free(number)
	word := func(which C.uint32_t, index int) (string, bool) {
		return text(func(buffer *C.char, capacity C.size_t, length *C.size_t) C.int32_t {
			return C.hawser_demands_text(number, which, C.size_t(index), buffer, capacity, length)
		})
	}
	words := func(which C.uint32_t) (all []string) {
		for {
			next, found := word(which, len(all))
			if !found {
				return all
			}
			all = append(all, next)
		}
	}
	demands := &Demands{
		Epoch: uint64(c.epoch), PolicyDigest: digest(c.policy_digest),
		MinVersion: uint16(c.tls_version_minimum), MaxVersion: uint16(c.tls_version_maximum),
		CipherSuites:      words(C.HAWSER_TEXT_DEMANDED_CIPHER_SUITE),
		Groups:            words(C.HAWSER_TEXT_DEMANDED_GROUP),
		SignatureSchemes:  words(C.HAWSER_TEXT_DEMANDED_SIGNATURE_SCHEME),
		ALPN:              words(C.HAWSER_TEXT_DEMANDED_ALPN),
		RevocationSources: sources(words(C.HAWSER_TEXT_DEMANDED_REVOCATION_SOURCE)),
		ForwardSecrecy:    c.forward_secrecy != 0, Staple: staples[c.staple],
		RejectsWithoutEvidence: c.rejects_without_evidence != 0, MayFetch: c.may_fetch != 0,
		Transparency: c.transparency != 0,
	}
	demands.Rule, _ = word(C.HAWSER_TEXT_DEMANDED_RULE, 0)
	demands.ServerName, _ = word(C.HAWSER_TEXT_DEMANDED_SERVER_NAME, 0)
	return demands, nil
}

func sources(words []string) (sources []EvidenceSource) {
	for _, word := range words {
		sources = append(sources, EvidenceSource(word))
	}
	return sources
}
