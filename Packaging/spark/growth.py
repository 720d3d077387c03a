"""Calculates the cost of an audit in cores, octets, time and money, and shows the arithmetic.

    growth.py --rate 14000 --signature 80e-6 --new 0.01 --row-in 1000 --row-out 700 --price 0.05 \\
        [--around 150e-6] [--rows 1e9] [--services 1e5] [--cores 64] ...

The first three values belong to the machine that judges. `Tests/Benchmarks/audit.sh` measures them; README.md
has the measurements of one machine. The price is the cost of one core for an hour, in any money.
"""
import argparse

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
for name, default, help in (
        ("rate", None, "rows a second of one core, of which no signature is new"),
        ("signature", None, "seconds of a core for a signature that is new"),
        ("new", None, "new signatures for each row: newSignatures / rows of the summary"),
        ("row-in", None, "octets of a row that goes in"),
        ("row-out", None, "octets of a row that comes out"),
        ("price", None, "of a core for an hour"),
        ("around", 0, "seconds of a core for each row in Spark and Python; 0 for the command alone"),
        ("rows", 1e9, "rows of all services"),
        ("services", 1e5, "services that the rows are of"),
        ("cores", 64, "cores that judge at once"),
        ("machine", 8, "cores of one machine"),
        ("disk", 2e8, "octets a second that one machine reads and writes"),
        ("tasks", 0, "tasks; by default one for each million rows"),
        ("table", 0, "octets of the table's file"),
        ("table-load", 0, "seconds of a core in which a task loads the table"),
        ("table-memory", 0, "octets of a task that has loaded it")):
    parser.add_argument(f"--{name}", type=float, default=default, required=default is None, help=help)
o = parser.parse_args()
tasks = o.tasks or max(1, o.rows / 1e6)
machines = o.cores / o.machine


def say(what, arithmetic, value):
    print(f"{what:30} {arithmetic:58} {value}")


judging = o.rows / o.rate
signing = o.rows * o.new * o.signature
around = o.rows * o.around
loading = tasks * o.table_load
total = judging + signing + around + loading
say("judging, core hours", f"{o.rows:.0f} / {o.rate:.0f} / 3600", f"{judging / 3600:.1f}")
say("new signatures, core hours", f"{o.rows:.0f} * {o.new:g} * {o.signature:g} / 3600", f"{signing / 3600:.1f}")
say("Spark and Python, core hours", f"{o.rows:.0f} * {o.around:g} / 3600", f"{around / 3600:.1f}")
say("loading tables, core hours", f"{tasks:.0f} tasks * {o.table_load:g} / 3600", f"{loading / 3600:.2f}")
say("all of it, core hours", "the sum", f"{total / 3600:.1f}")
say("time, hours", f"core hours / {o.cores:.0f} cores", f"{total / 3600 / o.cores:.2f}")
say("money", f"core hours * {o.price:g}", f"{total / 3600 * o.price:.2f}")
say("octets in, as NDJSON", f"{o.rows:.0f} * {o.row_in:.0f}", f"{o.rows * o.row_in / 1e12:.2f} TB")
say("octets out, every row", f"{o.rows:.0f} * {o.row_out:.0f}", f"{o.rows * o.row_out / 1e12:.2f} TB")
octets = o.rows * (o.row_in + o.row_out)
say("reading and writing, hours", f"octets / ({machines:.0f} machines * {o.disk:.0f} a second) / 3600",
    f"{octets / (machines * o.disk) / 3600:.2f}")
say("rows of a service", f"{o.rows:.0f} / {o.services:.0f}", f"{o.rows / o.services:.0f}")
say("sending the table", f"{machines:.0f} machines * {o.table:.0f}", f"{machines * o.table / 1e9:.2f} GB")
say("tables in memory, a machine", f"{o.machine:.0f} tasks * {o.table_memory:.0f}",
    f"{o.machine * o.table_memory / 1e9:.2f} GB")
