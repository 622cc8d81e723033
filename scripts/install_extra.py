# SPDX-License-Identifier: MIT
"""Install one optional-dependency group of pyproject.toml, without building the package."""

import subprocess
import sys
import tomllib
from pathlib import Path


def main() -> None:
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())
    requirements = project["project"]["optional-dependencies"][sys.argv[1]]
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", *requirements], check=True)


if __name__ == "__main__":
    main()
