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
        answer = met(self.wanted, ratio, self.bound) if self.wanted else ""
        return f"| {self.label} | {over:,.0f} {self.figure} | {under:,.0f} | {ratio:.2f} | {wanted} | {answer} |"


class Bound:
    """What is wanted of one measurement by itself."""

    def __init__(self, label, figure, name, wanted, bound):
        self.label, self.figure, self.name, self.wanted, self.bound = label, figure, name, wanted, bound

    def row(self, medians):
        value = medians[self.name][self.figure]
        return (f"| {self.label} | {value:,.0f} bytes |  |  | {self.wanted} {self.bound:,} |"
                f" {met(self.wanted, value, self.bound)} |")


def met(wanted, value, bound):
    return "yes" if HOLDS[wanted](value, bound) else "**no**"


def rounds(comparison, measurements, number, raw):
    """Runs all measurements, by name, in each round, and begins each round with another one: A B C, B C A, C A B."""
    names = list(measurements)
    results = {name: [] for name in names}
    for index in range(number):
        turn = index % len(names)
        for name in names[turn:] + names[:turn]:
            figures = measurements[name]()
            results[name].append(figures)
            raw.write(json.dumps({"comparison": comparison, "measurement": name, "round": index + 1} | figures) + "\n")
            raw.flush()
            print(f"  round {index + 1}: {name}: {figures}", flush=True)
    return {name: median(runs) for name, runs in results.items()}


def median(runs):
    return {figure: statistics.median(run[figure] for run in runs) for figure in runs[0]}


RATIOS = ("comparison", "median", "against", "ratio", "wanted", "met")
SINGLES = ("measurement", "requests a second", "p50 µs", "p99 µs", "garbage beyond the bytes")


def table(head, rows):
    """In Markdown, as it goes into a document."""
    return "\n".join([f"| {' | '.join(head)} |", f"|{' --- |' * len(head)}", *rows])


def singles(comparison, medians):
    """Every measurement by itself."""
    rows = []
    for name, figures in medians.items():
        cells = [f"{figures[key]:,.0f}" if key in figures else "" for key in ("rps", "p50", "p99", "garbage")]
        rows.append(f"| {comparison}: {name} | {' | '.join(cells)} |")
    return rows
