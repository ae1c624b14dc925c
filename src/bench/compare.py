#!/usr/bin/env python3
"""Compares Tidemark with a plain resource, a server written by hand, and pgbench, in interleaved rounds on one machine.

Starts all processes: a PostgreSQL server (from the system's packages), the sample inbox, and the baseline.
Requires wrk, pgbench, and the PostgreSQL server (Debian: apt-get install wrk postgresql-contrib), and both jars:

    ./mvnw package -Ptry-it && ./mvnw -f src/bench/baseline/pom.xml package && ./mvnw -f src/bench/peer/pom.xml package
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

import report
from comparisons import Comparisons
from inbox import Inbox
from processes import Postgres, newest_binaries, run

PROJECT = pathlib.Path(__file__).resolve().parents[2]

# The comparisons that run by default.
DEFAULT = ("deep", "peer", "storm", "connections", "depth", "growth", "refresh")


def parse_variant(text):
    """Parses NAME:SETTING=VALUE,SETTING=VALUE."""
    name, _, settings = text.partition(":")
    return name, dict(setting.split("=", 1) for setting in settings.split(","))


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", default=DEFAULT,
                        choices=[*DEFAULT, "embed", "curve", "export", "live", "rooms", "fresh", "isolation", "overload",
                                 "search"],
                        help="default: all except embed, curve, export, live, rooms, fresh, isolation, overload, and search")
    parser.add_argument("--starts", type=int, default=1,
                        help="how often all servers are started anew, because starts of one build differ by up to 15 percent")
    parser.add_argument("--rounds", type=int, default=3, help="after each start")
    parser.add_argument("--seconds", type=int, default=10, help="duration of each measurement in each round")
    parser.add_argument("--warm-up", type=int, default=20, help="seconds for which each measurement runs before the rounds")
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--wrk-threads", type=int, default=1,
                        help="one thread saturates these servers; on shared cores, more threads slow down the servers")
    parser.add_argument("--pgbench-clients", type=int, default=20, help="default: 20, the size of Tidemark's pools")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--grown-rows", type=int, default=10_000_000)
    parser.add_argument("--places", type=int, default=10_000, help="number of random positions for deep pages")
    parser.add_argument("--variant", type=parse_variant, action="append", default=[], metavar="NAME:SETTING=VALUE,…",
                        help="also measure Tidemark with these environment variables, in the comparisons deep and storm")
    parser.add_argument("--tidemark-jar", type=pathlib.Path, default=PROJECT / "target/try-it/quarkus-run.jar")
    parser.add_argument("--before-jar", type=pathlib.Path, default=None,
                        help="the jar of another build, which isolation measures too")
    parser.add_argument("--baseline-jar", type=pathlib.Path,
                        default=PROJECT / "target/baseline/quarkus-app/quarkus-run.jar")
    parser.add_argument("--peer-jar", type=pathlib.Path, default=PROJECT / "target/peer/peer.jar")
    parser.add_argument("--java-options", help="for all servers; default: -Xmx512m, and two options of the image",
                        default="-Xmx512m -XX:+UseSerialGC -Dio.netty.allocator.maxCachedBufferCapacity=65536")
    parser.add_argument("--postgres-bin", default=None, help="the directory of pg_ctl, initdb, and pgbench")
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path("/var/tmp/tidemark-bench"),
                        help="directory of PostgreSQL's data, kept between runs; the user postgres must have access")
    parser.add_argument("--out", type=pathlib.Path, default=PROJECT / "target/bench")
    parser.add_argument("--port", type=int, default=18100, help="the first of twenty free ports")
    options = parser.parse_args()
    for jar in options.tidemark_jar, options.baseline_jar, options.peer_jar:
        if not jar.exists():
            parser.error(f"{jar} does not exist: build it first, see --help")
    options.out = options.out.resolve() / datetime.datetime.now().strftime("%Y%m%d-%H%M%S")
    options.out.mkdir(parents=True)
    return options


def machine_properties(postgres):
    """Returns what the results depend on: properties of the machine, and versions of the software."""
    return {
        "kernel": platform.release(), "cores": os.cpu_count(), "load at start": os.getloadavg()[0],
        "java": platform.java_ver()[0] or run(["sh", "-c", "java -version 2>&1"]).splitlines()[0],
        "postgresql": postgres.sql("postgres", "show server_version"),
        "commit": run(["git", "-C", PROJECT, "describe", "--always", "--dirty"]).strip()}


def main():
    options = parse_options()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("terminated"))
    with contextlib.ExitStack() as stack:
        binaries = options.postgres_bin or newest_binaries()
        postgres = stack.enter_context(Postgres(binaries, options.data, options.port + 19))
        raw = stack.enter_context(open(options.out / "raw.jsonl", "w", encoding="utf-8"))
        conditions = machine_properties(postgres)
        raw.write(json.dumps(conditions | {"options": {key: str(value) for key, value in vars(options).items()}}) + "\n")
        print(conditions)
        starts = [measure_start(options, postgres, raw) for _ in range(options.starts)]
        ratio_rows, measurement_rows = [], []
        for name in options.only:
            _, ratios, notes = starts[0][name]
            medians = [start[name][0] for start in starts]
            if options.starts > 1:
                for number, of_start in enumerate(medians, 1):
                    ratio_rows += [ratio.row(of_start, f" (start {number})") for ratio in ratios]
            of_all = {measurement: report.medians_of([of_start[measurement] for of_start in medians])
                      for measurement in medians[0]}
            ratio_rows += [ratio.row(of_all) for ratio in ratios]
            measurement_rows += report.measurement_rows(name, of_all)
        text = "\n\n".join([report.table(report.RATIO_HEAD, ratio_rows),
                            report.table(report.MEASUREMENT_HEAD, measurement_rows), *notes])
        (options.out / "report.md").write_text(text + "\n", encoding="utf-8")
        print(f"\n{text}\n\nAll results: {options.out}")


def measure_start(options, postgres, raw):
    """Starts all servers, runs all comparisons, and stops the servers. Returns the medians and the ratios of each comparison,
    and notes about all of them."""
    with contextlib.ExitStack() as stack:
        inbox = stack.enter_context(Inbox(options, postgres, options.rows, options.port))
        inbox.start_variants()
        inbox.start_baseline()
        notes = [f"{script} differs from the statement that Tidemark executes: see executed-{script} in the output directory."
                 for script in inbox.differing_scripts()]
        larger_inbox = None
        if {"growth", "search"} & set(options.only):
            larger_inbox = stack.enter_context(Inbox(options, postgres, options.grown_rows, options.port + 10))
        comparisons = Comparisons(options, postgres, inbox, larger_inbox)
        results = {}
        for name in options.only:
            print(f"{name}:", flush=True)
            measurements, ratios = getattr(comparisons, name)()
            results[name] = measure(name, measurements, options, raw), ratios, notes
        return results


def measure(comparison, measurements, options, raw):
    """Warms up all measurements, runs them in rounds, and returns their medians."""
    for name, measurement in measurements.items():
        if options.warm_up:
            measurement(options.warm_up)
    runs = {name: (lambda run=run: run(options.seconds)) for name, run in measurements.items()}
    return report.run_rounds(comparison, runs, options.rounds, raw)


if __name__ == "__main__":
    main()
