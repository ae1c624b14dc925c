"""Runs measurements in interleaved rounds, and computes their medians and the ratios of these medians."""

import json
import operator
import statistics

AT_LEAST, AT_MOST = "at least", "at most"
HOLDS = {AT_LEAST: operator.ge, AT_MOST: operator.le}


class Ratio:
    """The ratio of two measurements, with an optional bound."""

    def __init__(self, label, figure, over, under, expected=None, bound=None):
        self.label, self.figure, self.over, self.under = label, figure, over, under
        self.expected, self.bound = expected, bound

    def row(self, medians):
        over, under = medians[self.over][self.figure], medians[self.under][self.figure]
        ratio = over / under
        expected = f"{self.expected} {self.bound}" if self.expected else ""
        answer = met(self.expected, ratio, self.bound) if self.expected else ""
        return f"| {self.label} | {over:,.0f} {self.figure} | {under:,.0f} | {ratio:.2f} | {expected} | {answer} |"


class Bound:
    """The bound of a single measurement."""

    def __init__(self, label, figure, name, expected, bound):
        self.label, self.figure, self.name, self.expected, self.bound = label, figure, name, expected, bound

    def row(self, medians):
        value = medians[self.name][self.figure]
        return (f"| {self.label} | {value:,.0f} bytes |  |  | {self.expected} {self.bound:,} |"
                f" {met(self.expected, value, self.bound)} |")


def met(expected, value, bound):
    return "yes" if HOLDS[expected](value, bound) else "**no**"


def rounds(comparison, measurements, number, raw):
    """Runs all measurements in each round, in rotating order: A B C, B C A, C A B."""
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


RATIOS = ("comparison", "median", "against", "ratio", "expected", "met")
SINGLES = ("measurement", "requests per second", "p50 µs", "p99 µs", "allocated bytes beyond the response")


def table(head, rows):
    """Formats a Markdown table."""
    return "\n".join([f"| {' | '.join(head)} |", f"|{' --- |' * len(head)}", *rows])


def singles(comparison, medians):
    """Formats a row for each measurement."""
    rows = []
    for name, figures in medians.items():
        cells = [f"{figures[key]:,.0f}" if key in figures else "" for key in ("rps", "p50", "p99", "garbage")]
        rows.append(f"| {comparison}: {name} | {' | '.join(cells)} |")
    return rows
