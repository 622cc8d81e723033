# SPDX-License-Identifier: MIT
from hypothesis import settings

# A busy machine must not fail a test for being slow.
settings.register_profile("no deadline", deadline=None)
settings.load_profile("no deadline")
