//go:build !cgo

package hawser

// The library is called through cgo, and Go has no #error: a constant of the wrong type says so.
const _ int = "package hawser calls libhawser.so.0 through cgo: build with CGO_ENABLED=1 and a C compiler"
