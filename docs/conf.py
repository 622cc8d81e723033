# SPDX-License-Identifier: MIT
"""How Sphinx builds the documentation: ``make docs``.

Pages are Markdown, read by myst-parser. myst-nb, which executes pages, is not used: it shows what a
page gives today, where the tests (`tests/test_documents.py`) hold every block to the output that is
written in it; and it brings all of Jupyter along.
"""

import sys
from pathlib import Path

import stigmergy

sys.path.insert(0, str(Path(__file__).parent / "_extensions"))

project = "stigmergy"
author = copyright = "The stigmergy developers"
version = release = stigmergy.__version__

extensions = [
    "stigmergy_pages",
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",
]
exclude_patterns = ["_build"]
templates_path = ["_templates"]

myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 3

# `Name` in docstrings is a link where there is such a name, and code where there is not.
default_role = "py:obj"
add_module_names = False
autodoc_typehints = "none"
autodoc_member_order = "bysource"
autosummary_generate = True
autosummary_ignore_module_all = False
numpydoc_show_class_members = False

html_theme = "pydata_sphinx_theme"
html_title = f"stigmergy {version}"
html_show_sourcelink = False
html_theme_options = {"show_prev_next": False, "navigation_with_keys": False}
