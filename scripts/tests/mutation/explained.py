# SPDX-License-Identifier: GPL-2.0-only
"""
Why mutants survive: a table of Documentation/data, by file, function, line of the source and change, so
that it holds when lines move.
"""

import csv


def read(path):
    """Key of a mutant (Mutant.key of changes.py) -> reason. ValueError if the table is not well-formed."""
    if not path.exists():
        return {}
    with open(path, newline="") as file:
        rows = list(csv.reader(file))[1:]
    for row in rows:
        if len(row) != 5 or not row[4].strip():
            raise ValueError(f"{path.name}: not five fields, or no reason: {row}")
    return {tuple(row[:4]): row[4] for row in rows}
