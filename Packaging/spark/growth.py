"""What an audit takes: cores, octets, time and money, with the arithmetic.

    growth.py --rate 15000 --row-in 800 --row-out 700 --price 0.05 [--rows 1e9] [--cores 64] ...

`--rate` is the rows a second of one core, as `hawser audit --jobs 1 --summary` has it for the rows
that are meant: rows whose server certificates are all new cost a signature each. `--price` is that
of a core for an hour, in any money.
"""
import argparse

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
for name, default, help in (
        ("rate", None, "rows a second of one core"),
        ("price", None, "of a core for an hour"),
        ("row-in", None, "octets of a row that goes in"),
        ("row-out", None, "octets of a row that comes out"),
        ("rows", 1e9, "rows of all services"),
        ("services", 1e5, "services that the rows are of"),
        ("cores", 64, "cores that judge at once"),
        ("disk", 2e8, "octets a second that one machine reads and writes"),
        ("machine", 8, "cores of one machine"),
        ("table", 38.5e6, "octets of the table, as a task holds it"),
        ("table-load", 0.5, "seconds in which a task loads it"),
        ("tasks", 0, "tasks; by default one for each million rows")):
    parser.add_argument(f"--{name}", type=float, default=default, required=default is None, help=help)
o = parser.parse_args()
tasks = o.tasks or max(1, o.rows / 1e6)


def say(what, arithmetic, value):
    print(f"{what:28} {arithmetic:58} {value}")


core_seconds = o.rows / o.rate + tasks * o.table_load
machines = o.cores / o.machine
say("judging, core hours", f"({o.rows:.0f} / {o.rate:.0f} + {tasks:.0f} * {o.table_load}) / 3600",
    f"{core_seconds / 3600:.1f}")
say("time, hours", f"core hours / {o.cores:.0f} cores", f"{core_seconds / 3600 / o.cores:.2f}")
say("money", f"core hours * {o.price}", f"{core_seconds / 3600 * o.price:.2f}")
say("octets in", f"{o.rows:.0f} * {o.row_in:.0f}", f"{o.rows * o.row_in / 1e12:.2f} TB")
say("octets out, every row", f"{o.rows:.0f} * {o.row_out:.0f}", f"{o.rows * o.row_out / 1e12:.2f} TB")
octets = o.rows * (o.row_in + o.row_out)
say("reading and writing, hours", f"octets / ({machines:.0f} machines * {o.disk:.0f}) / 3600",
    f"{octets / (machines * o.disk) / 3600:.2f}")
say("rows of a service", f"{o.rows:.0f} / {o.services:.0f}", f"{o.rows / o.services:.0f}")
say("sending the table", f"{machines:.0f} machines * {o.table:.0f}", f"{machines * o.table / 1e9:.2f} GB")
say("tables in memory, a machine", f"{o.machine:.0f} tasks * {o.table:.0f} * 3",
    f"{o.machine * o.table * 3 / 1e9:.2f} GB")
