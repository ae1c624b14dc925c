#!/usr/bin/env python3
"""Plots the medians of a comparison as SVG. The names of its measurements must have the form "SERIES, NUMBER", as in
curve and growth.

    python3 src/bench/plot.py target/bench/20260116-100000/raw.jsonl curve rps curve.svg
"""

import collections
import json
import math
import statistics
import sys

WIDTH, HEIGHT, MARGIN = 640, 360, 64
COLORS = "#1f6feb", "#bc4c00", "#1a7f37", "#8250df"
UNITS = {"rps": "requests per second", "p50": "p50, microseconds", "p99": "p99, microseconds"}


def medians_by_series(records, comparison, figure):
    """Returns a figure's medians, by series and number."""
    runs = collections.defaultdict(list)
    for line in records:
        record = json.loads(line)
        if record.get("comparison") == comparison and figure in record:
            name, number = record["measurement"].rsplit(", ", 1)
            runs[name, float(number)].append(record[figure])
    lines = collections.defaultdict(dict)
    for (name, number), values in sorted(runs.items()):
        lines[name][number] = statistics.median(values)
    return lines


def round_up(value):
    """Rounds up to the next of the numbers 1, 2, 5, 10, 20, 50, …"""
    power = 10 ** math.floor(math.log10(value))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= value)


def draw(lines, unit):
    """Draws the lines as SVG. The x axis is logarithmic; the y axis starts at zero."""
    numbers = sorted({number for line in lines.values() for number in line})
    first, span = math.log(numbers[0]), math.log(numbers[-1] / numbers[0]) or 1
    top = round_up(max(value for line in lines.values() for value in line.values()))

    def x(number):
        return MARGIN + (math.log(number) - first) / span * (WIDTH - 2 * MARGIN)

    def y(value):
        return HEIGHT - MARGIN - value / top * (HEIGHT - 2 * MARGIN)

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif"'
             f' font-size="12"><rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
             text_element(MARGIN, MARGIN - 36, unit, "start")]
    for step in range(6):
        value = top * step / 5
        parts.append(f'<path d="M{MARGIN} {y(value):.1f}H{WIDTH - MARGIN}" stroke="#d0d7de"/>')
        parts.append(text_element(MARGIN - 8, y(value) + 4, f"{value:,.0f}", "end"))
    parts += [text_element(x(number), HEIGHT - MARGIN + 20, f"{number:,.0f}", "middle") for number in numbers]
    for index, (name, line) in enumerate(lines.items()):
        color = COLORS[index % len(COLORS)]
        path = "L".join(f"{x(number):.1f} {y(value):.1f}" for number, value in line.items())
        parts.append(f'<path d="M{path}" fill="none" stroke="{color}" stroke-width="2"/>')
        parts += [f'<circle cx="{x(number):.1f}" cy="{y(value):.1f}" r="3" fill="{color}"/>'
                  for number, value in line.items()]
        parts.append(text_element(MARGIN + 160 * index, MARGIN - 14, name, "start", color))
    return "\n".join([*parts, "</svg>"]) + "\n"


def text_element(x, y, content, anchor, color="#1f2328"):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{color}">{content}</text>'


def main():
    raw, comparison, figure, out = sys.argv[1:]
    with open(raw, encoding="utf-8") as records, open(out, "w", encoding="utf-8") as drawing:
        drawing.write(draw(medians_by_series(records, comparison, figure), UNITS[figure]))


if __name__ == "__main__":
    main()
