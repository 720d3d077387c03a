package hawser

/*
#include <hawser.h>
#include <stdlib.h>

extern void hawserGoLog(uintptr_t, int32_t, char *);

// cgo exports no function with a const parameter, and a context that is a number and no pointer
// must not pass through a pointer in Go.
static void log_in_go(void *context, int32_t level, const char *message) {
    hawserGoLog((uintptr_t)context, level, (char *)message);
}
static inline void log_to(hawser_store_options *options, uintptr_t journal) {
    options->log = log_in_go;
    options->log_context = (void *)journal;
}
*/
import "C"

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"runtime"
	"runtime/cgo"
	"sync"
	"time"
)

// Staleness says what becomes of a table that nobody confirms. A table that is signed with an end
// rejects everything after it, under each of these.
type Staleness uint32

const (
	// StaleNever lets a table be as old as it likes.
	StaleNever Staleness = C.HAWSER_STALE_NEVER
	// StaleWarn says in the log, the state and the notices of accepts that it is too old.
	StaleWarn Staleness = C.HAWSER_STALE_WARN
	// StaleReject rejects every request past Options.StaleAfter.
	StaleReject Staleness = C.HAWSER_STALE_REJECT
)

// Watching says how a store follows its file.
type Watching uint32

const (
	// WatchNotified follows the file as it is replaced, by the system's notices and a look each
	// minute. It is the default.
	WatchNotified Watching = C.HAWSER_FOLLOW_NOTIFIED
	// WatchPolled looks at the file each five seconds, where notices do not come, as on network file
	// systems.
	WatchPolled Watching = C.HAWSER_FOLLOW_POLLED
	// WatchNever reads the file again only in Store.Reload.
	WatchNever Watching = C.HAWSER_FOLLOW_NEVER
)

// StateNeed says how much depends on the state directory.
type StateNeed uint32

const (
	// StateWanted opens a store and takes tables whatever the state directory says:
	// Snapshot.RollbackProtection says whether it works. It is the default.
	StateWanted StateNeed = 0
	// StateRequired opens no store where the state directory does not prove which revision was in
	// force. Later a newer table whose revision cannot be recorded there is refused, as
	// "not-recorded"; one of a followed file is tried again.
	StateRequired StateNeed = C.HAWSER_STORE_REQUIRE_STATE
	// StateRequiredAtStart is StateRequired for the opening: later a newer table is in force even
	// where its revision cannot be recorded, and Snapshot.RollbackProtection is RollbackOff then.
	StateRequiredAtStart StateNeed = C.HAWSER_STORE_REQUIRE_STATE_AT_START
)

// Options say how a store loads tables. The zero Options are usable: the file is followed, refusals
// are logged, no key is trusted, and nothing is kept for a restart.
type Options struct {
	// Name is for logs and metrics, and whose the state directory is; "" is "default".
	Name string
	// Service is the service's name, for receipts and reports; "" is none.
	Service string
	// TrustedKeys are Ed25519 public keys, 32 octets each, or PEM. With any, a table must be signed
	// by Threshold of them.
	TrustedKeys [][]byte
	// Threshold is how many keys must have signed; 0 is one.
	Threshold int
	// Watch says how a store of Open follows its file; replace the file by rename.
	Watch Watching
	// RefuseWaivers refuses tables in which any rule has a waiver.
	RefuseWaivers bool
	// StateDirectory is where the last good table and its revision are kept; "" is nowhere. It
	// belongs to stores of this Name in one process.
	StateDirectory string
	// State says how much depends on the state directory.
	State StateNeed
	// Staleness, and how old an unconfirmed table may be: at least a second unless StaleNever.
	Staleness  Staleness
	StaleAfter time.Duration
	// LogList is a log_list.json, version 3, newer than the table's; nil is the table's.
	LogList []byte
	// CRLiteDirectory is a folder of CRLite filters, as `upki fetch` fills it, for rules that ask
	// `crlite`; "" is none, and these rules find no filters. A folder that cannot be used is logged,
	// and State.CRLiteMessage says why; verdicts then go by the rule's `revocation.causes`.
	CRLiteDirectory string
	// Logger is told of reloads, refusals and staleness, on a goroutine of the store's. Nil is
	// slog.Default(). Silence a store by slog.New(slog.DiscardHandler).
	Logger *slog.Logger
}

// A Store holds the policy in force and replaces it while the program runs. A table that is
// damaged, unsigned where keys are trusted, or older than the one in force never replaces a good
// one: State and the log say why.
type Store struct {
	number  C.hawser_store
	closing *closing
	cleanup runtime.Cleanup
}

// What closes a store, once; it must not keep the store itself alive.
type closing struct {
	once    sync.Once
	number  C.hawser_store
	handle  cgo.Handle
	journal *journal
	result  C.int32_t
}

func (c *closing) close() {
	c.once.Do(func() {
		// Waits for callbacks that run: after it the handle may go.
		c.result = C.hawser_store_close(c.number)
		c.release()
	})
}

func (c *closing) release() {
	c.handle.Delete()
	c.journal.end()
}

// Open opens a store on a table file, as `hawser compile` and `hawser sign` write it.
//
// The store stays open until Close, or until nothing refers to it any more.
func Open(path string, options Options) (*Store, error) {
	return open(options, func(
		memory *arena, c *C.hawser_store_options, store *C.hawser_store, failure *C.hawser_error,
	) C.int32_t {
		name := memory.name(path, "the path of the table")
		if memory.failed != nil {
			return C.HAWSER_E_ARGUMENT
		}
		return C.hawser_store_open_file(name, c, store, failure)
	})
}

// OpenTable opens a store on a table in memory. With a state directory, table may be nil: the table
// that was last accepted is then in force.
func OpenTable(table []byte, options Options) (*Store, error) {
	return open(options, func(
		memory *arena, c *C.hawser_store_options, store *C.hawser_store, failure *C.hawser_error,
	) C.int32_t {
		octets := memory.octets(table)
		return C.hawser_store_open(octets.data, octets.length, c, store, failure)
	})
}

func open(
	options Options,
	call func(*arena, *C.hawser_store_options, *C.hawser_store, *C.hawser_error) C.int32_t,
) (*Store, error) {
	if version := C.hawser_abi_version(); version < C.HAWSER_ABI_VERSION {
		return nil, refusal("old-library", "libhawser.so.0 has version %d of its interface, %d is needed",
			version, C.HAWSER_ABI_VERSION)
	}
	if options.Threshold < 0 || int64(options.Threshold) > 1<<31 {
		return nil, refusal("threshold", "the threshold is %d", options.Threshold)
	}
	if options.StaleAfter%time.Second != 0 {
		return nil, refusal("stale-after", "%v is no whole number of seconds", options.StaleAfter)
	}
	var memory arena
	defer memory.free()
	c := &C.hawser_store_options{size: C.sizeof_hawser_store_options}
	c.name = memory.name(options.Name, "the name of the store")
	c.service = memory.name(options.Service, "the name of the service")
	c.state_directory = memory.name(options.StateDirectory, "the state directory")
	c.trusted_keys, c.trusted_key_count = memory.list(options.TrustedKeys)
	c.threshold = C.uint32_t(options.Threshold)
	c.staleness = C.uint32_t(options.Staleness)
	c.stale_after = C.int64_t(options.StaleAfter / time.Second)
	c.log_list = memory.octets(options.LogList)
	c.crlite_directory = memory.name(options.CRLiteDirectory, "the folder of CRLite filters")
	c.follow = C.uint32_t(options.Watch)
	switch options.State {
	case StateWanted, StateRequired, StateRequiredAtStart:
		c.flags = C.uint32_t(options.State)
	default:
		return nil, refusal("state-need", "the need of state is %d", options.State)
	}
	if options.RefuseWaivers {
		c.flags |= C.HAWSER_STORE_REFUSE_WAIVERS
	}
	end := &closing{journal: newJournal(options.Logger)}
	end.handle = cgo.NewHandle(end.journal)
	C.log_to(c, C.uintptr_t(end.handle))
	failure := newFailure()
	result := call(&memory, c, &end.number, failure)
	if result != C.HAWSER_OK {
		// The log was called for the last time.
		end.release()
		if memory.failed != nil {
			return nil, memory.failed
		}
		return nil, failed(result, failure)
	}
	store := &Store{number: end.number, closing: end}
	store.cleanup = runtime.AddCleanup(store, (*closing).close, end)
	return store, nil
}

// Close stops watching and gives everything back. Calls that run complete; later ones fail with
// an error that is ErrClosed, so connections are refused. A second Close does nothing. Lines that
// were logged before may reach the logger after Close.
func (s *Store) Close() error {
	s.cleanup.Stop()
	s.closing.close()
	if s.closing.result != C.HAWSER_OK {
		return failed(s.closing.result, nil)
	}
	return nil
}

// check makes an error of a result, and keeps the store until the call has returned.
func (s *Store) check(result C.int32_t, failure *C.hawser_error) error {
	runtime.KeepAlive(s)
	if result != C.HAWSER_OK {
		return failed(result, failure)
	}
	return nil
}

// Reload reads the file of Open again, now. An error says why its table was refused; the one before
// stays in force.
func (s *Store) Reload() error {
	failure := newFailure()
	return s.check(C.hawser_store_reload_file(s.number, failure), failure)
}

// ReloadTable offers a table. An error says why it was refused; the one before stays in force.
func (s *Store) ReloadTable(table []byte) error {
	var memory arena
	defer memory.free()
	failure := newFailure()
	octets := memory.octets(table)
	return s.check(C.hawser_store_reload(s.number, octets.data, octets.length, failure), failure)
}

// Confirm says that the table in force is still the newest, as its source answered: for staleness.
func (s *Store) Confirm() error {
	failure := newFailure()
	return s.check(C.hawser_store_confirm(s.number, failure), failure)
}

// Holds says whether a connection that was accepted under an epoch of this store may go on, as when
// a pool hands it out: no table since then judges the host more strictly, and the table in force is
// not stale. It is false, nil where the connection is to be closed; close it after an error too.
// The zero time is now.
func (s *Store) Holds(epoch uint64, host string, port uint16, at time.Time) (bool, error) {
	var memory arena
	defer memory.free()
	failure := newFailure()
	name := memory.octets([]byte(host))
	result := C.hawser_store_holds(s.number, C.uint64_t(epoch), name.data, name.length,
		C.uint32_t(port), instant(at), failure)
	if result == C.HAWSER_REJECT {
		runtime.KeepAlive(s)
		return false, nil
	}
	err := s.check(result, failure)
	return err == nil, err
}

// A Snapshot describes the policy in force.
type Snapshot struct {
	// Epoch is 1 at the start, and one more whenever the meaning of the policy changes.
	Epoch    uint64
	IsStale  bool
	LoadedAt time.Time
	// ConfirmedAt is when its source last said that it is the newest.
	ConfirmedAt time.Time
	// Refusals counts tables that were refused, SourceFailures the times that there was none to
	// judge.
	Refusals, SourceFailures uint64
	// PolicyDigest is of the meaning, FileDigest of the table's octets.
	PolicyDigest, FileDigest [32]byte
	// StricterHosts are the patterns whose hosts may be judged more strictly than by the table
	// before: close the open connections to them. StricterDefault says it of hosts that no pattern
	// matches.
	StricterHosts   []string
	StricterDefault bool
	// RollbackProtection says whether an older table is refused. Where it is off, RollbackMessage
	// says why and what to do.
	RollbackProtection RollbackProtection
	RollbackMessage    string

	revision    uint64
	hasRevision bool
}

// Revision is the revision of the table; false where the table states none.
func (s Snapshot) Revision() (uint64, bool) { return s.revision, s.hasRevision }

// RollbackProtection says whether a store refuses a table that is older than one that was in force,
// restarts included.
type RollbackProtection string

const (
	// RollbackOff: it may accept one.
	RollbackOff RollbackProtection = "off"
	// RollbackOn: the newest revision is recorded, and trusted keys vouch for it.
	RollbackOn RollbackProtection = "on"
	// RollbackAgainstMistakes: the revision is recorded, but no key is trusted: a table may state
	// any.
	RollbackAgainstMistakes RollbackProtection = "against-mistakes"
)

var rollback = map[C.uint32_t]RollbackProtection{
	C.HAWSER_ROLLBACK_OFF:              RollbackOff,
	C.HAWSER_ROLLBACK_ON:               RollbackOn,
	C.HAWSER_ROLLBACK_AGAINST_MISTAKES: RollbackAgainstMistakes,
}

// Snapshot describes the policy in force. If another table comes into force meanwhile,
// StricterHosts may belong to the later one.
func (s *Store) Snapshot() (Snapshot, error) {
	c := C.hawser_snapshot{size: C.sizeof_hawser_snapshot}
	failure := newFailure()
	if err := s.check(C.hawser_store_snapshot(s.number, &c, failure), failure); err != nil {
		return Snapshot{}, err
	}
	snapshot := Snapshot{
		Epoch: uint64(c.epoch), revision: uint64(c.revision), hasRevision: c.has_revision != 0,
		IsStale: c.is_stale != 0, LoadedAt: seconds(c.loaded_at), ConfirmedAt: seconds(c.confirmed_at),
		Refusals: uint64(c.refusals), SourceFailures: uint64(c.source_failures),
		PolicyDigest: digest(c.policy_digest), FileDigest: digest(c.file_digest),
		StricterDefault:    c.stricter_default != 0,
		RollbackProtection: rollback[c.rollback_protection],
	}
	for index := 0; ; index++ {
		pattern, found := s.text(C.HAWSER_TEXT_STRICTER_HOST, index)
		if !found {
			break
		}
		snapshot.StricterHosts = append(snapshot.StricterHosts, pattern)
	}
	snapshot.RollbackMessage, _ = s.text(C.HAWSER_TEXT_ROLLBACK_MESSAGE, 0)
	return snapshot, nil
}

// epoch is the snapshot's, without its texts.
func (s *Store) epoch() (uint64, error) {
	c := C.hawser_snapshot{size: C.sizeof_hawser_snapshot}
	failure := newFailure()
	err := s.check(C.hawser_store_snapshot(s.number, &c, failure), failure)
	return uint64(c.epoch), err
}

func (s *Store) text(which C.uint32_t, index int) (string, bool) {
	defer runtime.KeepAlive(s)
	return text(func(buffer *C.char, capacity C.size_t, length *C.size_t) C.int32_t {
		return C.hawser_store_text(s.number, which, C.size_t(index), buffer, capacity, length)
	})
}

// A State is the condition of a store, for a health page.
type State struct {
	// Watching says how changes of the file are noticed, WatchingMessage why later than was asked
	// for.
	Watching        Watched
	WatchingMessage string
	PollInterval    time.Duration
	// Directory is the state directory, and DirectoryMessage why it is not used; "" where it is.
	Directory, DirectoryMessage string
	// CRLiteDirectory is the folder of CRLite filters, and CRLiteMessage why they cannot be asked; ""
	// where they can.
	CRLiteDirectory, CRLiteMessage string
	// RefusalReason is a stable word for the last failure, a refused table or a source without one; ""
	// where nothing did since a table was accepted.
	RefusalReason, RefusalMessage, RefusalOrigin string
	FailedAt                                     time.Time
	// StaleAfter is the last second at which the table is fresh, Expires the last at which it may
	// be used; the zero time where there is none.
	IsStale                     bool
	StaleAfter, Issued, Expires time.Time
	// Since the store was opened: tables in force, confirmations, refusals, sources without a
	// table, verdicts.
	Installed, Confirmed, Refused, SourceFailed, Accepted, Rejected uint64
	// Origin is where the table in force came from: a path, or "program".
	Name, Origin string
}

// Watched says how a store notices changes of its file.
type Watched string

const (
	// WatchedNot: it does not, or not yet, or it has no file.
	WatchedNot Watched = "nothing"
	// WatchedNotified: by the system's notices, which come at once.
	WatchedNotified Watched = "notified"
	// WatchedPolled: by a look at the file each State.PollInterval.
	WatchedPolled Watched = "polled"
)

var watching = map[C.uint32_t]Watched{
	C.HAWSER_WATCHING_NOTHING:  WatchedNot,
	C.HAWSER_WATCHING_NOTIFIED: WatchedNotified,
	C.HAWSER_WATCHING_POLLED:   WatchedPolled,
}

// State says how the store is.
func (s *Store) State() (State, error) {
	c := C.hawser_state{size: C.sizeof_hawser_state}
	failure := newFailure()
	if err := s.check(C.hawser_store_state(s.number, &c, failure), failure); err != nil {
		return State{}, err
	}
	state := State{
		Watching:     watching[c.watching],
		PollInterval: time.Duration(c.poll_interval) * time.Millisecond,
		IsStale:      c.is_stale != 0, Installed: uint64(c.installed), Confirmed: uint64(c.confirmed),
		Refused: uint64(c.refused), SourceFailed: uint64(c.source_failed),
		Accepted: uint64(c.accepted), Rejected: uint64(c.rejected),
	}
	for _, date := range []struct {
		into *time.Time
		has  bool
		at   C.int64_t
	}{
		{&state.FailedAt, c.failure != C.HAWSER_FAILURE_NONE, c.failed_at},
		{&state.StaleAfter, c.has_stale_after != 0, c.stale_after},
		{&state.Issued, c.has_issued != 0, c.issued},
		{&state.Expires, c.has_expires != 0, c.expires},
	} {
		if date.has {
			*date.into = seconds(date.at)
		}
	}
	for _, words := range []struct {
		into  *string
		which C.uint32_t
	}{
		{&state.WatchingMessage, C.HAWSER_TEXT_WATCHING_MESSAGE},
		{&state.Directory, C.HAWSER_TEXT_DIRECTORY},
		{&state.DirectoryMessage, C.HAWSER_TEXT_DIRECTORY_MESSAGE},
		{&state.CRLiteDirectory, C.HAWSER_TEXT_CRLITE_DIRECTORY},
		{&state.CRLiteMessage, C.HAWSER_TEXT_CRLITE_MESSAGE},
		{&state.RefusalReason, C.HAWSER_TEXT_REFUSAL_REASON},
		{&state.RefusalMessage, C.HAWSER_TEXT_REFUSAL_MESSAGE},
		{&state.RefusalOrigin, C.HAWSER_TEXT_REFUSAL_ORIGIN},
		{&state.Name, C.HAWSER_TEXT_NAME},
		{&state.Origin, C.HAWSER_TEXT_ORIGIN},
	} {
		*words.into, _ = s.text(words.which, 0)
	}
	return state, nil
}

// Metrics gives the counters and gauges of stores in Prometheus' text format, version 0.0.4, each
// family once. Give each store a name.
func Metrics(stores ...*Store) (string, error) {
	numbers := make([]C.hawser_store, len(stores)+1)
	for index, store := range stores {
		numbers[index] = store.number
	}
	failure := newFailure()
	var result C.int32_t
	page, _ := text(func(buffer *C.char, capacity C.size_t, length *C.size_t) C.int32_t {
		count := C.size_t(len(stores))
		result = C.hawser_metrics(&numbers[0], count, buffer, capacity, length, failure)
		return result
	})
	runtime.KeepAlive(stores)
	if result != C.HAWSER_OK {
		return "", failed(result, failure)
	}
	return page, nil
}

// Wait returns when another epoch than the given one is in force, at once if it already is, with
// the snapshot of then. It ends with the context's error, or with one that is ErrClosed. At most 64
// goroutines may wait for one store.
func (s *Store) Wait(ctx context.Context, epoch uint64) (Snapshot, error) {
	var descriptor C.int32_t
	failure := newFailure()
	err := s.check(C.hawser_store_epoch_descriptor(s.number, &descriptor, failure), failure)
	if err != nil {
		return Snapshot{}, err
	}
	// It does not block, so Go's poller waits for it and no thread does.
	file := os.NewFile(uintptr(descriptor), "epochs")
	defer file.Close()
	stop := context.AfterFunc(ctx, func() { file.SetReadDeadline(time.Unix(1, 0)) })
	defer stop()
	octets := make([]byte, 64)
	for {
		snapshot, err := s.Snapshot()
		if err != nil || snapshot.Epoch != epoch {
			return snapshot, err
		}
		if _, err := file.Read(octets); err != nil {
			switch {
			case ctx.Err() != nil:
				return Snapshot{}, context.Cause(ctx)
			case errors.Is(err, io.EOF):
				return Snapshot{}, &Error{
					Result: "HAWSER_E_MISUSE", Reason: "closed", misuse: true,
					Message: "the store was closed while its epoch was waited for",
				}
			default:
				return Snapshot{}, err
			}
		}
	}
}
