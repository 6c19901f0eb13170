# SPDX-License-Identifier: GPL-2.0-only


class Failure(Exception):
    """The request cannot be done; the text tells the user why."""
