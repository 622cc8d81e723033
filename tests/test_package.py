# SPDX-License-Identifier: MIT
import ast
import subprocess
import sys
from pathlib import Path

import pytest

import stigmergy


def test_import_is_light():
    heavy = "{'numpy', 'pandas', 'scipy', 'pyarrow', 'matplotlib', 'networkx', 'sklearn'}"
    code = f"import sys, stigmergy; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_what_is_exported_is_what_there_is():
    tree = ast.parse(Path(stigmergy.__file__).read_text())
    for_checkers = next(node for node in tree.body if isinstance(node, ast.If))
    typed = {alias.name for node in for_checkers.body for alias in node.names}
    assert sorted(stigmergy.__all__) == dir(stigmergy)
    assert typed | {"__version__"} == set(stigmergy.__all__)
    for name in stigmergy.__all__:
        assert getattr(stigmergy, name) is not None


def test_unknown_names_are_attribute_errors():
    with pytest.raises(AttributeError, match="module 'stigmergy' has no attribute 'Datasett'"):
        _ = stigmergy.Datasett
