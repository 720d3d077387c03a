"""A store that is opened on a file with nothing else, for defaults.py: writes its condition, and again for
each line of its standard input."""

import sys

import hawser_tls

store = hawser_tls.Store(sys.argv[1])
while True:
    state, snapshot = store.state(), store.snapshot()
    print(
        f"watching={state.watching} stale={'dated' if state.stale_after else 'never'}",
        f"directory={'some' if state.directory else 'none'} rollback={snapshot.rollback_protection}",
        f"crlite={'some' if state.crlite_directory else 'none'}",
        f"epoch={snapshot.epoch} refused={state.refused}", flush=True)
    if not sys.stdin.readline():
        break
store.close()
