# SPDX-License-Identifier: MIT
"""Commands as documents show them, run as in a terminal."""

import os
import subprocess
import sys
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"


def run_shell(script, folder=None):
    """Run commands; what they print, errors included."""
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", script],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=folder,
        env={**os.environ, "PATH": path, "COLUMNS": "100"},
    )
    assert done.returncode == 0, f"{script}\nended with {done.returncode}:\n{done.stdout}"
    return done.stdout


def commands_of(text):
    """Split a console session into commands and what they print; ``> `` goes on with a command."""
    found = []
    for line in text.splitlines(keepends=True):
        if line.startswith("$ "):
            found.append([line[2:], ""])
        elif line.startswith("> ") and found and not found[-1][1]:
            found[-1][0] += line[2:]
        else:
            found[-1][1] += line
    return found


def as_a_new_user(folder):
    """Do in an empty folder what the README shows under "On the command line", and nothing else."""
    section = README.read_text().split("### On the command line")[1].split("\n##")[0]
    session = section.split("```console\n")[1].split("```")[0]
    for command, _ in commands_of(session):
        run_shell(command, folder)
