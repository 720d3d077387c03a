"""Runs the step of `action.yml` as a runner does: action-step.py FOLDER [NAME=VALUE...]

FOLDER holds the action. A NAME is of an expression (`inputs.token`, `github.event_name`); inputs that
are not given have their defaults. Every other variable is of the environment. Ends as the step does.
"""

import os
import pathlib
import re
import sys

from ruamel.yaml import YAML

folder = pathlib.Path(sys.argv[1]).resolve()
action = YAML(typ="safe").load(folder / "action.yml")
values = dict(argument.split("=", 1) for argument in sys.argv[2:])


def evaluated(text):
    return re.sub(r"\$\{\{ *([\w.]+) *\}\}", lambda match: values[match[1]], str(text))


for name, declared in action["inputs"].items():
    values.setdefault(f"inputs.{name}", evaluated(declared["default"]))
(step,) = action["runs"]["steps"]
if "${{" in step["run"]:
    sys.exit("an expression in a script runs whatever it stands for")
environment = {name: evaluated(text) for name, text in step["env"].items()}
os.execvpe(
    "bash",
    ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
    {**os.environ, **environment, "GITHUB_ACTION_PATH": str(folder)},
)
