# SPDX-License-Identifier: MIT
import subprocess
import sys


def test_import_is_light():
    heavy = "{'pandas', 'scipy', 'pyarrow', 'matplotlib', 'networkx', 'sklearn'}"
    code = f"import sys, stigmergy; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
