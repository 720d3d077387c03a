package hawser

/*
#include <stdint.h>
*/
import "C"

import (
	"context"
	"log/slog"
	"runtime/cgo"
	"sync"
	"sync/atomic"
	"unsafe"
)

// A journal takes what the library logs from whichever thread has something to say, and hands it to
// a logger on a goroutine of its own. So no code of the program runs on a thread of the library,
// and a logger may call anything, Close of its store included.
type journal struct {
	lines chan line
	lost  atomic.Int64
	once  sync.Once
}

type line struct {
	level   slog.Level
	message string
}

// journalLines is how many lines may wait: some reloads' worth. Further ones are counted and
// dropped, as the thread that logs may be judging a handshake.
const journalLines = 256

// newJournal begins a journal. Without a logger each line goes to the default one of its moment.
func newJournal(given *slog.Logger) *journal {
	j := &journal{lines: make(chan line, journalLines)}
	go func() {
		for line := range j.lines {
			logger := given
			if logger == nil {
				logger = slog.Default()
			}
			logger.Log(context.Background(), line.level, line.message)
			if lost := j.lost.Swap(0); lost > 0 {
				logger.Warn("hawser: lines of the log were dropped", "count", lost)
			}
		}
	}()
	return j
}

// end may be called when no callback of the store runs and none begins.
func (j *journal) end() {
	j.once.Do(func() { close(j.lines) })
}

// The levels of hawser.h, by their numbers.
var levels = []slog.Level{
	slog.LevelDebug - 4, slog.LevelDebug, slog.LevelInfo, slog.LevelInfo + 2, slog.LevelWarn,
	slog.LevelError, slog.LevelError + 4,
}

//export hawserGoLog
func hawserGoLog(context C.uintptr_t, level C.int32_t, message *C.char) {
	j := cgo.Handle(context).Value().(*journal)
	said := line{level: slog.LevelError, message: C.GoString((*C.char)(unsafe.Pointer(message)))}
	if level >= 0 && int(level) < len(levels) {
		said.level = levels[level]
	}
	select {
	case j.lines <- said:
	default:
		j.lost.Add(1)
	}
}
