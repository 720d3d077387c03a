"""Runs a command, and writes to a file the most memory that it had, in kB, and its CPU seconds:
peak.py FILE COMMAND..."""
import resource
import subprocess
import sys

status = subprocess.run(sys.argv[2:]).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
with open(sys.argv[1], "w") as file:
    file.write(f"{used.ru_maxrss} {used.ru_utime + used.ru_stime:.2f}\n")
sys.exit(status)
