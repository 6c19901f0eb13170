# SPDX-License-Identifier: GPL-2.0-only
"""
What is known of mutants, why they survive or which case finds them: tables of Documentation/data, by
file, function, line of the source and change, so that they hold when lines move.
"""

import csv


def read(path):
    """Key of a mutant (Mutant.key of changes.py) -> text. ValueError if the table is not well-formed."""
    if not path.exists():
        return {}
    with open(path, newline="") as file:
        rows = list(csv.reader(file))[1:]
    for row in rows:
        if len(row) != 5 or not row[4].strip():
            raise ValueError(f"{path.name}: not five fields, or the last one is empty: {row}")
    return {tuple(row[:4]): row[4] for row in rows}


def write(path, title, known):
    """The table, as read() gives it; @title of the last column"""
    with open(path, "w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["File", "Function", "Line", "Change", title])
        table.writerows([*key, text] for key, text in sorted(known.items()))
