"""Medians of interleaved rounds, and their ratios."""

import json
import operator
import statistics

AT_LEAST, AT_MOST = "at least", "at most"
HOLDS = {AT_LEAST: operator.ge, AT_MOST: operator.le}


class Ratio:
    """How one measurement compares with another, and what is wanted of that, if anything is."""

    def __init__(self, label, figure, over, under, wanted=None, bound=None):
        self.label, self.figure, self.over, self.under = label, figure, over, under
        self.wanted, self.bound = wanted, bound

    def row(self, medians):
        over, under = medians[self.over][self.figure], medians[self.under][self.figure]
        ratio = over / under
        wanted = f"{self.wanted} {self.bound}" if self.wanted else ""
        met = ("yes" if HOLDS[self.wanted](ratio, self.bound) else "**no**") if self.wanted else ""
        return f"| {self.label} | {over:,.0f} {self.figure} | {under:,.0f} | {ratio:.2f} | {wanted} | {met} |"


def rounds(measurements, number, raw):
    """Runs all measurements, by name, in each round, and begins each round with another one: A B C, B C A, C A B."""
    names = list(measurements)
    results = {name: [] for name in names}
    for index in range(number):
        turn = index % len(names)
        for name in names[turn:] + names[:turn]:
            figures = measurements[name]()
            results[name].append(figures)
            raw.write(json.dumps({"measurement": name, "round": index + 1} | figures) + "\n")
            raw.flush()
            print(f"  round {index + 1}: {name}: {figures}", flush=True)
    return {name: median(runs) for name, runs in results.items()}


def median(runs):
    return {figure: statistics.median(run[figure] for run in runs) for figure in runs[0]}


RATIOS = ("comparison", "median", "against", "ratio", "wanted", "met")
SINGLES = ("measurement", "requests a second", "p50 µs", "p99 µs")


def table(head, rows):
    """In Markdown, as it goes into a document."""
    return "\n".join([f"| {' | '.join(head)} |", f"|{' --- |' * len(head)}", *rows])


def singles(comparison, medians):
    """Every measurement by itself."""
    rows = []
    for name, figures in medians.items():
        p50, p99 = (f"{figures[key]:,.0f}" if key in figures else "" for key in ("p50", "p99"))
        rows.append(f"| {comparison}: {name} | {figures['rps']:,.0f} | {p50} | {p99} |")
    return rows
