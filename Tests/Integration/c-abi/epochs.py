"""A program with a loop of its own that wakes when another policy is in force: see c-abi.sh.

    epochs.py TABLE OTHER-TABLE STRICTER-TABLE HOST
"""

import asyncio
import ctypes
import os
import sys

import hawser

tables, host = sys.argv[1:4], sys.argv[4]


def need(condition, what):
    if not condition:
        sys.exit(f"FAILED: {what}")


def opened(path):
    """A store on no file: one that follows its file installs it again when it looks at it."""
    with open(path, "rb") as file:
        table = file.read()
    handle = hawser.StoreHandle()
    hawser._call(hawser.library.hawser_store_open, table, ctypes.c_size_t(len(table)), None, ctypes.byref(handle))
    return hawser.Store(handle, [])


def offer(store, path):
    with open(path, "rb") as file:
        table = file.read()
    hawser._call(hawser.library.hawser_store_reload, store.handle, table, ctypes.c_size_t(len(table)))


async def woken(loop, descriptor):
    """Waits until the descriptor is readable, and reads all of it; whether the store was closed."""
    event = asyncio.Event()
    loop.add_reader(descriptor, event.set)
    await asyncio.wait_for(event.wait(), 60)
    loop.remove_reader(descriptor)
    while True:
        try:
            if not os.read(descriptor, 64):
                return True
        except BlockingIOError:
            return False


async def run():
    loop = asyncio.get_running_loop()
    with opened(tables[0]) as store:
        descriptor = store.epoch_descriptor()
        for path, holds in [(tables[1], True), (tables[2], False)]:
            waiting = asyncio.ensure_future(woken(loop, descriptor))
            await asyncio.to_thread(offer, store, path)
            need(not await waiting, "the store was not closed")
            need(store.holds(1, host) == holds, f"a connection of the first epoch under {path}")
        need('hawser_store_epoch{store="default"} 3\n' in store.metrics(), store.metrics())
        waiting = asyncio.ensure_future(woken(loop, descriptor))
        await asyncio.to_thread(store.close)
        need(await waiting, "closing was not told")
        os.close(descriptor)


asyncio.run(run())
print("ok  a loop in Python was woken by two epochs and the end")
