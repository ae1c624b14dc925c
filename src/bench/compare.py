#!/usr/bin/env python3
"""Compares Tidemark with the plain resource and with pgbench, in interleaved rounds on one machine.

Starts everything itself: a PostgreSQL of its own (from the system's packages), Tidemark's try-it run, and the baseline.
Needs wrk, pgbench and PostgreSQL's server (Debian: apt-get install wrk postgresql-contrib), and both jars:

    ./mvnw package -Ptry-it && ./mvnw -f src/bench/baseline/pom.xml package
    python3 src/bench/compare.py
"""

import argparse
import contextlib
import datetime
import json
import os
import pathlib
import platform
import signal
import sys

import load
import report
from inbox import FIRST, ORDERS, Inbox
from processes import Postgres, newest_binaries, run
from report import AT_LEAST, AT_MOST, Ratio

PROJECT = pathlib.Path(__file__).resolve().parents[2]


class Comparisons:
    """Each gives measurements by name, to be run in turns, and what is made of their medians."""

    def __init__(self, options, postgres, inbox, grown):
        self.options, self.postgres, self.inbox, self.grown = options, postgres, inbox, grown

    def deep(self):
        """Random deep pages."""
        ours, plain = self.inbox.deep_paths()
        measurements = {name: self._wrk(url, self.options.connections, ours)
                        for name, url in self.inbox.contestants.items()}
        measurements["baseline"] = self._wrk(self.inbox.baseline, self.options.connections, plain)
        measurements["pgbench"] = self._pgbench("deep.sql", self.inbox.range())
        ratios = [Ratio("deep pages: Tidemark / baseline", "rps", "tidemark", "baseline", AT_LEAST, 2.2),
                  Ratio("deep pages: Tidemark / pgbench", "rps", "tidemark", "pgbench", AT_LEAST, 0.6)]
        return measurements, ratios + self._variants("deep pages")

    def storm(self):
        """Everybody reads one first page."""
        measurements = {name: self._wrk(url + FIRST, self.options.connections)
                        for name, url in self.inbox.contestants.items()}
        measurements["baseline"] = self._wrk(self.inbox.baseline + "/messages?limit=30", self.options.connections)
        measurements["pgbench"] = self._pgbench("first.sql", {})
        ratios = [Ratio("storm: Tidemark / pgbench", "rps", "tidemark", "pgbench", AT_LEAST, 1),
                  Ratio("storm: Tidemark / baseline", "rps", "tidemark", "baseline")]
        return measurements, ratios + self._variants("storm")

    def connections(self):
        """Eight times the connections."""
        ours, _ = self.inbox.deep_paths()
        url = self.inbox.tidemark.url
        measurements = {f"{name}, {count}": self._wrk(target, count, paths)
                        for name, target, paths in (("storm", url + FIRST, None), ("deep", url, ours))
                        for count in (64, 512)}
        ratios = [Ratio(f"{name}: 512 / 64 connections", "rps", f"{name}, 512", f"{name}, 64", AT_LEAST, 0.67)
                  for name in ("storm", "deep")]
        return measurements, ratios

    def depth(self):
        """What one client waits for a page, at the start of each order and far down."""
        measurements, ratios = {}, []
        for name in ORDERS:
            first, start, deep = self.inbox.depth_paths(name)
            url = self.inbox.tidemark.url
            measurements |= {f"{name}, first": self._wrk(url + first, 1), f"{name}, 0 %": self._wrk(url, 1, start),
                             f"{name}, 90 %": self._wrk(url, 1, deep)}
            ratios += [Ratio(f"{name}: 90 % / 0 % deep", "p50", f"{name}, 90 %", f"{name}, 0 %", AT_MOST, 1.3),
                       Ratio(f"{name}: 90 % deep / first page", "p50", f"{name}, 90 %", f"{name}, first", AT_MOST, 1.3)]
        return measurements, ratios

    def growth(self):
        """Ten times the rows."""
        measurements, sizes = {}, (self.inbox, self.grown)
        for size in sizes:
            ours, _ = size.deep_paths()
            for count in (1, self.options.connections):
                measurements[f"{size.rows:,} rows, {count}"] = self._wrk(size.tidemark.url, count, ours)
        few, many = (f"{size.rows:,} rows" for size in sizes)
        crowd = self.options.connections
        return measurements, [
            Ratio(f"one client: {many} / {few}", "p50", f"{many}, 1", f"{few}, 1", AT_MOST, 1.3),
            Ratio(f"{crowd} connections: {many} / {few}", "rps", f"{many}, {crowd}", f"{few}, {crowd}", AT_LEAST, 0.77)]

    def curve(self):
        """From one connection to a thousand; for a plot, nothing is wanted of it."""
        ours, _ = self.inbox.deep_paths()
        url = self.inbox.tidemark.url
        return {f"{name}, {count}": self._wrk(target, count, paths)
                for count in (1, 4, 16, 64, 256, 1000)
                for name, target, paths in (("storm", url + FIRST, None), ("deep", url, ours))}, []

    def _variants(self, what):
        return [Ratio(f"{what}: {name} / Tidemark", "rps", name, "tidemark")
                for name in self.inbox.contestants if name != "tidemark"]

    def _wrk(self, url, connections, paths=None):
        return lambda seconds: load.wrk(url, connections, seconds, paths)

    def _pgbench(self, script, variables):
        return lambda seconds: load.pgbench(
            self.postgres, self.inbox.database, script, variables, self.options.pgbench_clients, seconds)


ALL = ("deep", "storm", "connections", "depth", "growth")


def variant(text):
    """NAME:SETTING=VALUE,SETTING=VALUE"""
    name, _, settings = text.partition(":")
    return name, dict(setting.split("=", 1) for setting in settings.split(","))


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=[*ALL, "curve"], default=ALL, help="default: all but curve")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=10, help="of each measurement in each round")
    parser.add_argument("--warm-up", type=int, default=15, help="seconds of each measurement before the rounds")
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--pgbench-clients", type=int, default=20, help="as many as one pool of Tidemark's has")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--grown-rows", type=int, default=10_000_000)
    parser.add_argument("--places", type=int, default=10_000, help="random places that deep pages are read at")
    parser.add_argument("--variant", type=variant, action="append", default=[], metavar="NAME:SETTING=VALUE,…",
                        help="Tidemark once more, with these environment variables, in the comparisons deep and storm")
    parser.add_argument("--tidemark-jar", type=pathlib.Path, default=PROJECT / "target/try-it/quarkus-run.jar")
    parser.add_argument("--baseline-jar", type=pathlib.Path,
                        default=PROJECT / "target/baseline/quarkus-app/quarkus-run.jar")
    parser.add_argument("--java-options", default="-Xmx512m")
    parser.add_argument("--postgres-bin", default=None, help="the directory of pg_ctl, initdb and pgbench")
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path("/var/tmp/tidemark-bench"),
                        help="where PostgreSQL's data stays from run to run; its user must be able to get there")
    parser.add_argument("--out", type=pathlib.Path, default=PROJECT / "target/bench")
    parser.add_argument("--port", type=int, default=18100, help="the first of twenty that are free")
    options = parser.parse_args()
    for jar in options.tidemark_jar, options.baseline_jar:
        if not jar.exists():
            parser.error(f"{jar} is not there: build it first, see --help")
    options.out = options.out.resolve() / datetime.datetime.now().strftime("%Y%m%d-%H%M%S")
    options.out.mkdir(parents=True)
    return options


def machine(postgres):
    """What figures depend on."""
    return {
        "kernel": platform.release(), "cores": os.cpu_count(), "load at start": os.getloadavg()[0],
        "java": platform.java_ver()[0] or run(["sh", "-c", "java -version 2>&1"]).splitlines()[0],
        "postgresql": postgres.sql("postgres", "show server_version"),
        "commit": run(["git", "-C", PROJECT, "describe", "--always", "--dirty"]).strip()}


def main():
    options = parse()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))
    with contextlib.ExitStack() as everything:
        binaries = options.postgres_bin or newest_binaries()
        postgres = everything.enter_context(Postgres(binaries, options.data, options.port + 19))
        raw = everything.enter_context(open(options.out / "raw.jsonl", "w", encoding="utf-8"))
        conditions = machine(postgres)
        raw.write(json.dumps(conditions | {"options": {key: str(value) for key, value in vars(options).items()}}) + "\n")
        print(conditions)
        inbox = everything.enter_context(Inbox(options, postgres, options.rows, options.port))
        inbox.join_variants()
        inbox.join_baseline()
        notes = [f"{script} is not what Tidemark executes: see executed-{script} beside the figures."
                 for script in inbox.strangers()]
        grown = None
        if "growth" in options.only:
            grown = everything.enter_context(Inbox(options, postgres, options.grown_rows, options.port + 10))
        comparisons = Comparisons(options, postgres, inbox, grown)
        rows, singles = [], []
        for name in options.only:
            print(f"{name}:", flush=True)
            measurements, ratios = getattr(comparisons, name)()
            medians = measure(measurements, options, raw)
            rows += [ratio.row(medians) for ratio in ratios]
            singles += report.singles(name, medians)
        text = "\n\n".join([report.table(report.RATIOS, rows), report.table(report.SINGLES, singles), *notes])
        (options.out / "report.md").write_text(text + "\n", encoding="utf-8")
        print(f"\n{text}\n\nAll figures: {options.out}")


def measure(measurements, options, raw):
    for name, measurement in measurements.items():
        if options.warm_up:
            measurement(options.warm_up)
    runs = {name: (lambda run=run: run(options.seconds)) for name, run in measurements.items()}
    return report.rounds(runs, options.rounds, raw)


if __name__ == "__main__":
    main()
