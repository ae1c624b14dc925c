"""Runs measurements in interleaved rounds, and computes their medians and the ratios of these medians."""

import json
import operator
import statistics

AT_LEAST, AT_MOST = "at least", "at most"
COMPARE = {AT_LEAST: operator.ge, AT_MOST: operator.le}


class Ratio:
    """The ratio of a figure of two measurements, with an optional target: at least or at most the bound."""

    def __init__(self, label, figure, numerator, denominator, target=None, bound=None):
        self.label, self.figure, self.numerator, self.denominator = label, figure, numerator, denominator
        self.target, self.bound = target, bound

    def row(self, medians, note=""):
        numerator, denominator = medians[self.numerator][self.figure], medians[self.denominator][self.figure]
        ratio = numerator / denominator
        target = f"{self.target} {self.bound}" if self.target else ""
        verdict = verdict_of(self.target, ratio, self.bound) if self.target else ""
        return (f"| {self.label}{note} | {numerator:,.0f} {self.figure} | {denominator:,.0f} | {ratio:.2f} | {target} |"
                f" {verdict} |")


class Bound:
    """The target for a figure of a single measurement."""

    def __init__(self, label, figure, name, target, bound, unit="bytes"):
        self.label, self.figure, self.name, self.target, self.bound = label, figure, name, target, bound
        self.unit = unit

    def row(self, medians, note=""):
        value = medians[self.name][self.figure]
        shown = f"{value:,.0f}" if value >= 10 else f"{value:.2f}"
        return (f"| {self.label}{note} | {shown} {self.unit} |  |  | {self.target} {self.bound:,} |"
                f" {verdict_of(self.target, value, self.bound)} |")


def verdict_of(target, value, bound):
    return "yes" if COMPARE[target](value, bound) else "**no**"


def run_rounds(comparison, measurements, number, raw):
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
    return {name: medians_of(runs) for name, runs in results.items()}


def medians_of(runs):
    return {figure: statistics.median(run[figure] for run in runs) for figure in runs[0]}


RATIO_HEAD = ("comparison", "median", "against", "ratio", "target", "met")
MEASUREMENT_HEAD = ("measurement", "requests per second", "p50 µs", "p99 µs", "allocated bytes beyond the response")


def table(head, rows):
    """Formats a Markdown table."""
    return "\n".join([f"| {' | '.join(head)} |", f"|{' --- |' * len(head)}", *rows])


def measurement_rows(comparison, medians):
    """Formats a row for each measurement."""
    rows = []
    for name, figures in medians.items():
        cells = [f"{figures[key]:,.0f}" if key in figures else "" for key in ("rps", "p50", "p99", "allocation")]
        rows.append(f"| {comparison}: {name} | {' | '.join(cells)} |")
    return rows
