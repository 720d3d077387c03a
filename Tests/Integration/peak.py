"""Runs a command, and writes the most memory that it had, in kB, to a file: peak.py FILE COMMAND..."""
import resource
import subprocess
import sys

status = subprocess.run(sys.argv[2:]).returncode
with open(sys.argv[1], "w") as file:
    file.write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss))
sys.exit(status)
