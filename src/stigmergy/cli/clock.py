# SPDX-License-Identifier: MIT
"""When this process was started: a time limit counts from there."""

from __future__ import annotations

import os
import time


def _age() -> float:
    """Return for how many seconds this process has been running."""
    try:
        with open("/proc/self/stat", "rb") as file:
            # The name of the process, in parentheses, may itself contain spaces.
            fields = file.read().rpartition(b")")[2].split()
        ticks = int(fields[19])  # field 22: start after boot, in clock ticks
        return time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")
    except (OSError, AttributeError, ValueError, IndexError):
        return time.process_time()  # no /proc here: at least the time on the processor


#: The value that `time.monotonic` had when the process was started.
started = time.monotonic() - max(_age(), 0.0)
