// Judges a presented chain as a Go client does: crypto/x509 and nothing else.
//
//	judge CHAIN ANCHORS HOST SECONDS PURPOSE
//
// Both files hold certificates in PEM; the chain has the server's own first. HOST is `-` where no
// name is asked for. SECONDS is the time to judge at, since 1970. PURPOSE is `server` or `any`.
// Prints `accept`, or `reject` and the error on one line.
package main

import (
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

func main() {
	if len(os.Args) != 6 {
		fmt.Fprintln(os.Stderr, "usage: judge CHAIN ANCHORS HOST SECONDS PURPOSE")
		os.Exit(2)
	}
	if err := judge(os.Args[1], os.Args[2], os.Args[3], os.Args[4], os.Args[5]); err != nil {
		fmt.Println("reject", strings.Join(strings.Fields(err.Error()), " "))
		return
	}
	fmt.Println("accept")
}

func judge(chain, anchors, host, seconds, purpose string) error {
	at, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return err
	}
	roots, err := certificates(anchors)
	if err != nil {
		return fmt.Errorf("anchor: %w", err)
	}
	presented, err := certificates(chain)
	if err != nil {
		return err
	}
	options := x509.VerifyOptions{
		CurrentTime:   time.Unix(at, 0),
		Roots:         x509.NewCertPool(),
		Intermediates: x509.NewCertPool(),
	}
	if host != "-" {
		options.DNSName = host
	}
	if purpose == "any" {
		options.KeyUsages = []x509.ExtKeyUsage{x509.ExtKeyUsageAny}
	}
	for _, root := range roots {
		options.Roots.AddCert(root)
	}
	for _, other := range presented[1:] {
		options.Intermediates.AddCert(other)
	}
	_, err = presented[0].Verify(options)
	return err
}

// Reads every certificate of a file. One that cannot be read is an error, as it is in crypto/tls.
func certificates(path string) ([]*x509.Certificate, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var found []*x509.Certificate
	for {
		var block *pem.Block
		if block, text = pem.Decode(text); block == nil {
			break
		}
		certificate, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, err
		}
		found = append(found, certificate)
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("%s holds no certificate", path)
	}
	return found, nil
}
