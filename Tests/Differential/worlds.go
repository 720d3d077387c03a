// Judges vectors of the conformance format as a Go client would: crypto/x509 and nothing else.
//
//	worlds FILE
//
// Prints a line of JSON for each vector: its id, `accept`, `reject` or `declined`, and the error.
// crypto/x509 consults no CRL, and its switches for an explicit policy, for mappings and for anyPolicy
// are not exported. Of a vector that asks for one of these, a reject counts, as the question that Go
// is asked is the weaker one, and an accept is declined. Certificates beside the end entity that do not
// parse are left out, as Hawser and libcrypto leave them out; trusted ones too.
package main

import (
	"bufio"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"
)

type vector struct {
	ID       string                       `json:"id"`
	Trusted  [][]byte                     `json:"trusted_certs"`
	Bag      [][]byte                     `json:"untrusted_intermediates"`
	Peer     []byte                       `json:"peer_certificate"`
	Time     string                       `json:"validation_time"`
	Kind     string                       `json:"validation_kind"`
	Name     struct{ Kind, Value string } `json:"expected_peer_name"`
	Policies *struct {
		Initial  []string `json:"initial_policy_set"`
		Explicit bool     `json:"explicit_policy"`
		Mapping  bool     `json:"policy_mapping_inhibit"`
		Any      bool     `json:"any_policy_inhibit"`
	} `json:"certificate_policies"`
	Revocation string `json:"revocation"`
}

type verdict struct {
	ID      string `json:"id"`
	Verdict string `json:"verdict"`
	Reason  string `json:"reason,omitempty"`
}

func main() {
	if len(os.Args) != 2 {
		fail("usage: worlds FILE")
	}
	file, err := os.Open(os.Args[1])
	if err != nil {
		fail(err)
	}
	var vectors []vector
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var one vector
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			fail(err)
		}
		vectors = append(vectors, one)
	}
	if err := lines.Err(); err != nil {
		fail(err)
	}
	verdicts := make([]verdict, len(vectors))
	var group sync.WaitGroup
	workers := runtime.GOMAXPROCS(0)
	for worker := range workers {
		group.Add(1)
		go func() {
			defer group.Done()
			for at := worker; at < len(vectors); at += workers {
				verdicts[at] = judge(vectors[at])
			}
		}()
	}
	group.Wait()
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for _, one := range verdicts {
		if err := out.Encode(one); err != nil {
			fail(err)
		}
	}
}

func fail(problem any) {
	fmt.Fprintln(os.Stderr, problem)
	os.Exit(2)
}

func judge(v vector) verdict {
	if err := verify(v); err != nil {
		return verdict{v.ID, "reject", strings.Join(strings.Fields(err.Error()), " ")}
	}
	if v.Revocation != "none" {
		return verdict{v.ID, "declined", "crypto/x509 consults no CRL"}
	}
	if p := v.Policies; p != nil && (p.Explicit || p.Mapping || p.Any) {
		return verdict{v.ID, "declined", "crypto/x509 exports no switch of certificate policies"}
	}
	return verdict{v.ID, "accept", ""}
}

func verify(v vector) error {
	peer, err := x509.ParseCertificate(v.Peer)
	if err != nil {
		return fmt.Errorf("end entity: %w", err)
	}
	at, err := time.Parse(time.RFC3339, v.Time)
	if err != nil {
		return err
	}
	options := x509.VerifyOptions{
		CurrentTime:   at,
		DNSName:       v.Name.Value,
		Roots:         pool(v.Trusted),
		Intermediates: pool(v.Bag),
		KeyUsages:     []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	if v.Kind == "CLIENT" {
		options.KeyUsages = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}
	}
	if v.Policies != nil {
		for _, text := range v.Policies.Initial {
			if text == "any" {
				text = "2.5.29.32.0"
			}
			oid, err := x509.ParseOID(text)
			if err != nil {
				return err
			}
			options.CertificatePolicies = append(options.CertificatePolicies, oid)
		}
	}
	_, err = peer.Verify(options)
	return err
}

func pool(ders [][]byte) *x509.CertPool {
	found := x509.NewCertPool()
	for _, der := range ders {
		if certificate, err := x509.ParseCertificate(der); err == nil {
			found.AddCert(certificate)
		}
	}
	return found
}
