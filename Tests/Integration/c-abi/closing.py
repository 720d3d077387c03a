"""A program that closes its stores while their callbacks run, and lets go of the callbacks: see c-abi.sh.

    closing.py TABLE OTHER-TABLE SCRATCH ROUNDS

When `hawser_store_close` has returned, no callback of the store runs and none begins. ctypes gives the memory of a
callback to the next one that is made: a call that came too late would end in a function that nobody gave to the
library, or end the process.
"""

import ctypes
import gc
import os
import shutil
import sys
import threading

import hawser

tables, folder, rounds = sys.argv[1:3], sys.argv[3], int(sys.argv[4])
WATCH = 1
library = hawser.library
strays = []


def stray(context, level, message):
    strays.append(message)


def replace(path, is_over):
    """Puts one table after the other into the place of a file."""
    turn = 0
    while not is_over.is_set():
        turn += 1
        shutil.copyfile(tables[turn % 2], path + ".new")
        os.replace(path + ".new", path)


def offer(store, is_over):
    """Offers octets that are not a table, which is refused and logged."""
    while not is_over.is_set():
        library.hawser_store_reload(store, b"no table", 8, None)


def visit(number):
    path = os.path.join(folder, f"closing-{number}.table")
    shutil.copyfile(tables[0], path)
    lines, enough = [], threading.Event()

    def log(context, level, message):
        lines.append(message)
        if len(lines) > 4:
            enough.set()

    callback = hawser.LogFunction(log)
    options = hawser._struct(hawser.StoreOptions, flags=WATCH, log=callback)
    handle = hawser.StoreHandle()
    hawser._call(library.hawser_store_open_file, os.fsencode(path), ctypes.byref(options), ctypes.byref(handle))
    is_over = threading.Event()
    threads = [
        threading.Thread(target=replace, args=(path, is_over)),
        threading.Thread(target=offer, args=(handle, is_over)),
    ]
    for thread in threads:
        thread.start()
    if not enough.wait(60):
        sys.exit("FAILED: nothing was logged")
    if library.hawser_store_close(handle) != hawser.OK:
        sys.exit("FAILED: the store was not closed")
    count = len(lines)
    del callback, options, log
    gc.collect()
    others = [hawser.LogFunction(stray) for _ in range(64)]
    is_over.set()
    for thread in threads:
        thread.join()
    if strays or len(lines) != count:
        sys.exit(f"FAILED: after closing, {len(lines) - count + len(strays)} callbacks began or ended: {strays[:1]}")
    return others


kept = [visit(number) for number in range(rounds)]
print(f"{rounds} stores were closed, and no callback came afterwards")
