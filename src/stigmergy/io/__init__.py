# SPDX-License-Identifier: MIT
"""Readers of tables: each turns its source into names and batches, `read` turns these into codes.

`memory` knows frames, arrays and lists, `files` paths, `text` delimited text; `encode` numbers the
values. Nothing here imports pandas, polars or pyarrow before a source needs it.
"""

from stigmergy.io.read import Encoded, read

__all__ = ["Encoded", "read"]
