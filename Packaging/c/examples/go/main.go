// The verdict of a compiled policy on a chain from a file, through cgo: the options and the output of
// ../c/verdict.c, of which it knows those that a program in Go is likely to need.
//
//	PKG_CONFIG_PATH=... go build -o verdict . && ./verdict --table policy.table --host api.acme.example --chain chain.pem
package main

/*
#cgo pkg-config: hawser
#include <hawser.h>
#include <stdlib.h>

extern int32_t hawserGoCheck(void *, hawser_check_subject *, char *, size_t);

// cgo cannot take the address of an exported Go function where C wants a const parameter.
static inline int32_t check_in_go(void *context, const hawser_check_subject *subject, char *reason, size_t capacity) {
    return hawserGoCheck(context, (hawser_check_subject *)subject, reason, capacity);
}
static inline hawser_check make_check(const char *name, uintptr_t index) {
    hawser_check check = {name, check_in_go, (void *)index};
    return check;
}
*/
import "C"

import (
	"encoding/pem"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"unsafe"
)

type namedOutcome struct {
	name   string
	passes bool
}

var outcomes []namedOutcome

//export hawserGoCheck
func hawserGoCheck(context unsafe.Pointer, _ *C.hawser_check_subject, reason *C.char, capacity C.size_t) C.int32_t {
	outcome := outcomes[uintptr(context)]
	if outcome.passes {
		return 1
	}
	text := append([]byte("assumed by `--assume "+outcome.name+"=fail`"), 0)
	buffer := unsafe.Slice((*byte)(unsafe.Pointer(reason)), int(capacity))
	buffer[copy(buffer[:len(buffer)-1], text)] = 0
	return 0
}

func fail(format string, arguments ...any) {
	fmt.Fprintf(os.Stderr, "verdict: "+format+"\n", arguments...)
	os.Exit(2)
}

// octets copies Go's memory to C's, which lives as long as the program.
func octets(data []byte) C.hawser_bytes {
	if data == nil {
		return C.hawser_bytes{}
	}
	return C.hawser_bytes{data: C.CBytes(data), length: C.size_t(len(data))}
}

func list(items [][]byte) (*C.hawser_bytes, C.size_t) {
	if len(items) == 0 {
		return nil, 0
	}
	array := (*C.hawser_bytes)(C.calloc(C.size_t(len(items)), C.sizeof_hawser_bytes))
	for index, item := range items {
		unsafe.Slice(array, len(items))[index] = octets(item)
	}
	return array, C.size_t(len(items))
}

func read(path string) []byte {
	data, err := os.ReadFile(path)
	if err != nil {
		fail("%v", err)
	}
	return data
}

func text(verdict C.hawser_verdict, which C.uint32_t, index int) string {
	var length C.size_t
	C.hawser_verdict_text(verdict, which, C.size_t(index), nil, 0, &length)
	buffer := make([]byte, int(length)+1)
	if C.hawser_verdict_text(verdict, which, C.size_t(index), (*C.char)(unsafe.Pointer(&buffer[0])), length+1, nil) != C.HAWSER_OK {
		fail("no text %d", which)
	}
	return string(buffer[:length])
}

func main() {
	var request C.hawser_request
	var options C.hawser_store_options
	var failure C.hawser_error
	request.size, options.size, failure.size = C.sizeof_hawser_request, C.sizeof_hawser_store_options, C.sizeof_hawser_error
	request.port, request.time = 443, C.INT64_MIN
	request.tls, request.tls_version = C.HAWSER_TLS_ASSUMED, 0x0304
	var table string
	var chain, responses, lists [][]byte
	var assumptions []string
	explains := false
	for place := 1; place < len(os.Args); place++ {
		option := os.Args[place]
		if option == "--explain" {
			explains = true
			continue
		}
		place++
		if place == len(os.Args) {
			fail("%s wants a value", option)
		}
		value := os.Args[place]
		switch option {
		case "--table":
			table = value
		case "--host":
			request.host = octets([]byte(value))
		case "--port":
			port, _ := strconv.ParseUint(value, 10, 16)
			request.port = C.uint32_t(port)
		case "--at":
			at, _ := strconv.ParseInt(value, 10, 64)
			request.time = C.int64_t(at)
		case "--chain":
			for rest := read(value); ; {
				var block *pem.Block
				if block, rest = pem.Decode(rest); block == nil {
					break
				}
				chain = append(chain, block.Bytes)
			}
		case "--tls":
			version, err := strconv.ParseUint(value, 0, 16)
			if request.tls_version = C.uint32_t(version); err != nil {
				request.tls = C.HAWSER_TLS_CLEARTEXT
			}
		case "--cipher-suite":
			request.cipher_suite = C.CString(value)
		case "--group":
			request.group = C.CString(value)
		case "--signature-scheme":
			request.signature_scheme = C.CString(value)
		case "--alpn":
			request.alpn = C.CString(value)
		case "--staple":
			request.staple = octets(read(value))
		case "--sct-list":
			request.sct_list = octets(read(value))
		case "--ocsp":
			responses = append(responses, read(value))
		case "--crl":
			lists = append(lists, read(value))
		case "--assumption":
			assumptions = append(assumptions, value)
		case "--check":
			name, outcome, _ := strings.Cut(value, "=")
			outcomes = append(outcomes, namedOutcome{name, outcome == "pass"})
		default:
			fail("%s is no option", option)
		}
	}
	request.chain, request.chain_count = list(chain)
	request.ocsp_responses, request.ocsp_response_count = list(responses)
	if len(outcomes) > 0 {
		checks := (*C.hawser_check)(C.calloc(C.size_t(len(outcomes)), C.sizeof_hawser_check))
		for index, outcome := range outcomes {
			unsafe.Slice(checks, len(outcomes))[index] = C.make_check(C.CString(outcome.name), C.uintptr_t(index))
		}
		options.checks, options.check_count = checks, C.size_t(len(outcomes))
	}
	if len(assumptions) > 0 {
		array := (**C.char)(C.calloc(C.size_t(len(assumptions)), C.size_t(unsafe.Sizeof(uintptr(0)))))
		for index, assumption := range assumptions {
			unsafe.Slice(array, len(assumptions))[index] = C.CString(assumption)
		}
		request.assumptions, request.assumption_count = array, C.size_t(len(assumptions))
	}

	// Arguments must not hold pointers into Go's memory: the structs are Go's, their fields are C's.
	var pinner runtime.Pinner
	defer pinner.Unpin()
	pinner.Pin(&request)
	pinner.Pin(&options)
	var store C.hawser_store
	if C.hawser_store_open_file(C.CString(table), &options, &store, &failure) != C.HAWSER_OK {
		fail("%s: %s", C.GoString(&failure.reason[0]), C.GoString(&failure.message[0]))
	}
	if len(lists) > 0 {
		prepared := (*C.hawser_evidence)(C.calloc(C.size_t(len(lists)), 8))
		for index, item := range lists {
			der := octets(item)
			if C.hawser_evidence_prepare(C.HAWSER_EVIDENCE_CRL, store, der.data, der.length, request.chain,
				request.chain_count, &unsafe.Slice(prepared, len(lists))[index], &failure) != C.HAWSER_OK {
				fail("%s: %s", C.GoString(&failure.reason[0]), C.GoString(&failure.message[0]))
			}
		}
		request.prepared, request.prepared_count = prepared, C.size_t(len(lists))
	}
	var outcome C.hawser_outcome
	outcome.size = C.sizeof_hawser_outcome
	var verdict C.hawser_verdict
	var result C.int32_t
	if explains {
		result = C.hawser_explain(store, &request, &outcome, &verdict, &failure)
	} else {
		result = C.hawser_evaluate(store, &request, &outcome, &verdict, &failure)
	}
	switch {
	case result != C.HAWSER_OK && result != C.HAWSER_REJECT:
		fail("%s: %s", C.GoString(&failure.reason[0]), C.GoString(&failure.message[0]))
	case explains:
		fmt.Print(text(verdict, C.HAWSER_TEXT_EXPLANATION, 0))
	default:
		fmt.Println(map[bool]string{true: "accept", false: "reject"}[result == C.HAWSER_OK])
		for index := 0; index < int(outcome.violation_count); index++ {
			fmt.Printf("%s: %s\n", text(verdict, C.HAWSER_TEXT_VIOLATION_ID, index), text(verdict, C.HAWSER_TEXT_VIOLATION, index))
		}
	}
	C.hawser_verdict_free(verdict)
	C.hawser_store_close(store)
	if result != C.HAWSER_OK {
		os.Exit(1)
	}
}
