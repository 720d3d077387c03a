//go:build cgo

package hawser

import (
	"crypto/sha256"
	"encoding/hex"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// fill puts a filter and its index into a folder, by which all certificates of the rig are good, or
// all are revoked.
func fill(t *testing.T, folder, state string) {
	t.Helper()
	program := os.Getenv("HAWSER_FILTERS")
	if program == "" {
		t.Skip("HAWSER_FILTERS is not set: run Tests/Integration/go-module.sh")
	}
	output, err := exec.Command("python3", program, "fill", folder, rig(t, "root.pem"), state).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, output)
	}
}

func crlite(t *testing.T, store *Store) State {
	t.Helper()
	state, err := store.State()
	if err != nil {
		t.Fatal(err)
	}
	return state
}

// A certificate that the filters do not revoke is accepted, a revoked one refused, with the file
// and its digest; a new index is in use once the state was asked.
func TestFilters(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "filters")
	fill(t, folder, "good")
	store := store(t, "one.table", Options{CRLiteDirectory: folder})
	verdict, err := store.Evaluate(chain(t, "filtered"))
	if err != nil || !verdict.Accepted {
		t.Fatalf("%v, %+v", err, verdict)
	}
	fill(t, folder, "revoked")
	if state := crlite(t, store); state.CRLiteDirectory != folder || state.CRLiteMessage != "" {
		t.Errorf("%+v", state)
	}
	verdict, err = store.Explain(chain(t, "filtered"))
	rejection(t, err, "revoked")
	octets, err := os.ReadFile(filepath.Join(folder, "revoked.filter"))
	if err != nil {
		t.Fatal(err)
	}
	digest := sha256.Sum256(octets)
	explanation := verdict.Details().Record.Explanation
	for _, part := range []string{"revoked.filter", hex.EncodeToString(digest[:])} {
		if !strings.Contains(explanation, part) {
			t.Errorf("no %s in %s", part, explanation)
		}
	}
}

// A folder that is missing is logged and stated, and nothing passes until it is there.
func TestMissingFilters(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "filters")
	lines := &recorder{said: make(chan string, 1000)}
	store := store(t, "one.table", Options{
		CRLiteDirectory: folder, Logger: slog.New(slog.NewTextHandler(lines, nil)),
	})
	if state := crlite(t, store); !strings.Contains(state.CRLiteMessage, folder) {
		t.Errorf("%+v", state)
	}
	_, err := store.Evaluate(chain(t, "filtered"))
	rejection(t, err, "revocation-undetermined")
	fill(t, folder, "good")
	verdict, err := store.Evaluate(chain(t, "filtered"))
	if err != nil || !verdict.Accepted {
		t.Fatalf("%v, %+v", err, verdict)
	}
	for {
		select {
		case line := <-lines.said:
			if strings.Contains(line, "the CRLite filters cannot be asked") {
				return
			}
		case <-time.After(time.Minute):
			t.Fatal("the log does not say that the filters cannot be asked")
		}
	}
}

func TestFolderOfFiltersWithNUL(t *testing.T) {
	if store, err := Open(rig(t, "one.table"), Options{CRLiteDirectory: "a\x00b"}); err == nil {
		store.Close()
		t.Error("a path with NUL was taken")
	}
}
