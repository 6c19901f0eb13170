# SPDX-License-Identifier: GPL-2.0-only


class Failure(Exception):
    """What was asked for cannot be done; the text says why, for a person."""
