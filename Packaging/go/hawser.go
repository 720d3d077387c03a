// Package hawser judges TLS servers by a compiled policy table, in the place of crypto/tls's own
// verification. It calls libhawser.so.0 through cgo; pkg-config finds it as `hawser`.
//
//	store, err := hawser.Open("policy.table", hawser.Options{})
//	transport, err := (&hawser.Judge{Store: store}).Transport(nil)
//	client := &http.Client{Transport: transport}
//
// In every function that judges, only a nil error means trust. A verdict that rejects is a
// [*RejectError]; every other error, for example an [*Error], is not a verdict: do not trust the
// server.
//
// Everything here may be called from any goroutine at any time, also while another one reloads or
// closes the same store.
package hawser

/*
#cgo pkg-config: hawser
#include <hawser.h>
*/
import "C"

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"time"
	"unsafe"
)

// errors.Is finds ErrClosed in an error of a store or a fetcher that was closed.
var ErrClosed = errors.New("hawser: closed")

// An Error says why a call failed. It is not a verdict.
type Error struct {
	// Result is the name of the result, such as "HAWSER_E_TABLE".
	Result string
	// Reason is a stable word, such as "truncated" or "not-enough-signatures".
	Reason string
	// Message is what was found, for people: lower case, no full stop, escaped.
	Message string

	misuse bool
}

func (e *Error) Error() string {
	return fmt.Sprintf("hawser: %s (%s, %s)", e.Message, e.Reason, e.Result)
}

// Is reports whether target is ErrClosed and the object was closed. Objects of this package are
// numbers that are never made up, so a number that the library does not know is one that was
// closed.
func (e *Error) Is(target error) bool {
	return target == ErrClosed && e.misuse
}

// newFailure returns a struct for the library to fill.
func newFailure() *C.hawser_error {
	return &C.hawser_error{size: C.sizeof_hawser_error}
}

// failed makes an error of a result that is neither HAWSER_OK nor HAWSER_REJECT.
func failed(result C.int32_t, failure *C.hawser_error) *Error {
	e := &Error{Result: C.GoString(C.hawser_result_name(result)), misuse: result == C.HAWSER_E_MISUSE}
	if failure != nil {
		e.Reason = C.GoString(&failure.reason[0])
		e.Message = C.GoString(&failure.message[0])
	}
	if e.Message == "" {
		e.Message = "the call failed"
	}
	return e
}

// refusal makes an error of something that this package refuses itself.
func refusal(reason, format string, arguments ...any) *Error {
	message := fmt.Sprintf(format, arguments...)
	return &Error{Result: "HAWSER_E_ARGUMENT", Reason: reason, Message: message}
}

// text asks for one text of the library, which call writes into a buffer. It is "", false where
// there is none.
func text(call func(buffer *C.char, capacity C.size_t, length *C.size_t) C.int32_t) (string, bool) {
	// Most sentences fit at once; what does not is asked for again. Metrics may grow between two
	// calls.
	buffer := make([]byte, 256)
	for {
		var length C.size_t
		first := (*C.char)(unsafe.Pointer(&buffer[0]))
		switch call(first, C.size_t(len(buffer)), &length) {
		case C.HAWSER_OK:
			return string(buffer[:length]), true
		case C.HAWSER_E_SMALL:
			buffer = make([]byte, int(length)+len(buffer))
		default:
			return "", false
		}
	}
}

// An arena makes the library see Go's memory for the length of a call: memory that a pointer inside
// a struct hands over has to be pinned.
type arena struct {
	pinner runtime.Pinner
	failed *Error
}

func (a *arena) free() { a.pinner.Unpin() }

// octets is absent for nil, and empty for a slice without octets.
func (a *arena) octets(data []byte) C.hawser_bytes {
	if data == nil {
		return C.hawser_bytes{}
	}
	if len(data) == 0 {
		data = []byte{0}[:0:1]
	}
	pointer := unsafe.SliceData(data)
	a.pinner.Pin(pointer)
	return C.hawser_bytes{data: unsafe.Pointer(pointer), length: C.size_t(len(data))}
}

func (a *arena) list(items [][]byte) (*C.hawser_bytes, C.size_t) {
	if len(items) == 0 {
		return nil, 0
	}
	array := make([]C.hawser_bytes, len(items))
	for index, item := range items {
		if item == nil {
			item = []byte{}
		}
		array[index] = a.octets(item)
	}
	a.pinner.Pin(&array[0])
	return &array[0], C.size_t(len(array))
}

// name is NULL for "". A NUL inside would cut the name, so the call is refused.
func (a *arena) name(value, what string) *C.char {
	if value == "" {
		return nil
	}
	data := append([]byte(value), 0)
	if bytes.IndexByte(data, 0) != len(value) && a.failed == nil {
		a.failed = refusal("nul-in-name", "%s has a NUL octet", what)
	}
	a.pinner.Pin(&data[0])
	return (*C.char)(unsafe.Pointer(&data[0]))
}

func (a *arena) names(values []string, what string) (**C.char, C.size_t) {
	if len(values) == 0 {
		return nil, 0
	}
	array := make([]*C.char, len(values))
	for index, value := range values {
		if value == "" && a.failed == nil {
			a.failed = refusal("empty-name", "%s is empty", what)
		}
		array[index] = a.name(value, what)
	}
	a.pinner.Pin(&array[0])
	return &array[0], C.size_t(len(array))
}

// instant is HAWSER_NOW for the zero time.
func instant(at time.Time) C.int64_t {
	if at.IsZero() {
		return C.HAWSER_NOW
	}
	return C.int64_t(at.Unix())
}

func seconds(at C.int64_t) time.Time { return time.Unix(int64(at), 0).UTC() }

func digest(octets [32]C.uint8_t) (digest [32]byte) {
	for index, octet := range octets {
		digest[index] = byte(octet)
	}
	return digest
}
