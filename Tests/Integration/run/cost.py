"""What a handshake costs with `hawser run` and without it, in one run.

cost.py COUNT URL RESOLVE PREFIX...: curl makes one connection, and COUNT connections, with the words of
PREFIX before it and without them, in turns. The server closes each connection, so each transfer is
a handshake with the same chain. Of seven rounds the median counts. Time on the clock depends on
what else the machine does; the time of curl's process does so less.
"""
import resource
import statistics
import subprocess
import sys
import time

COUNT, URL, RESOLVE, PREFIX = int(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4:]


def used():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def measure(prefix, count):
    options = f"url = {URL}\noutput = /dev/null\n" * count
    command = prefix + ["curl", "-sSk", "--no-keepalive", "--resolve", RESOLVE, "-K", "-"]
    start, before = time.monotonic(), used()
    subprocess.run(command, input=options.encode(), check=True)
    return time.monotonic() - start, used() - before


rounds = []
for _ in range(7):
    row = [measure(prefix, count) for prefix in ([], PREFIX) for count in (1, COUNT)]
    rounds.append([value for pair in row for value in pair])
one, one_used, many, many_used, run_one, run_one_used, run_many, run_many_used = (
    statistics.median(column) for column in zip(*rounds))


def each(first, all_of_them):
    return (all_of_them - first) / (COUNT - 1) * 1e6


for what, bare, run in (
        ("on the clock", each(one, many), each(run_one, run_many)),
        ("of curl's process", each(one_used, many_used), each(run_one_used, run_many_used))):
    print(f"a handshake with its request, {what}: {bare:.0f} us without, {run:.0f} us with: {run - bare:+.0f} us")
print(f"a start with one handshake: {one * 1e3:.1f} ms without, {run_one * 1e3:.1f} ms with; "
      f"of the process {one_used * 1e3:.1f} ms and {run_one_used * 1e3:.1f} ms")
