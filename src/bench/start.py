#!/usr/bin/env python3
"""How soon the packaged jar answers, with and without an archive of its classes, and what memory it takes.

Starts everything itself: a PostgreSQL of its own (from the system's packages) with the table of the example in
src/main/docker, and the jar, again and again in turns. Time is from the start of the process to the first page with items,
the database being up; memory is the resident set after a number of pages, with the heap of --java-options.

    ./mvnw package -DskipTests
    python3 src/bench/start.py
"""

import argparse
import contextlib
import http.client
import json
import os
import pathlib
import platform
import re
import signal
import subprocess
import sys
import tempfile
import time

import report
from processes import Postgres, Server, newest_binaries, run

PROJECT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLE = PROJECT / "src/main/docker/example"
PAGE = "/api/orders?limit=30"
FIGURES = ("first page s", "processor s", "RSS at first page MB", "RSS after pages MB")


class Jar(Server):
    """The packaged jar, watched closely until its first page."""

    def _await_answer(self):
        started = time.monotonic()
        while not self._answers():
            if self.process.poll() is not None:
                raise SystemExit(f"{self.name} did not start:\n{self.log.read_text(encoding='utf-8')}")
            time.sleep(0.005)
        self.first_page = time.monotonic() - started
        self.processor_time = self._processor_time()

    def _answers(self):
        try:
            status, body = self._get(self.ready)
            return status == 200 and bool(json.loads(body)["items"])
        except OSError:
            return False

    def read(self, pages):
        """Scrolls by the cursors, from the start again at the end; over one connection, as one phone."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        cursor = None
        for _ in range(pages):
            connection.request("GET", PAGE + (f"&cursor={cursor}" if cursor else ""))
            response = connection.getresponse()
            page = json.loads(response.read())
            if response.status != 200 or not page["items"]:
                raise SystemExit(f"{self.name} answered {response.status} with {page}")
            cursor = page["next_cursor"]
        connection.close()

    def resident(self):
        """In MB, as the kernel counts them; the pages of a mapped archive are among them."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        return int(re.search(r"VmRSS:\s+(\d+) kB", status).group(1)) / 1024

    def _processor_time(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--pages", type=int, default=10_000, help="read before memory is looked at")
    parser.add_argument("--java", nargs="+", default=["java"], help="the JVMs to compare, such as /opt/jdk-25/bin/java")
    parser.add_argument("--jar", type=pathlib.Path, default=PROJECT / "target/quarkus-app/quarkus-run.jar")
    parser.add_argument("--java-options", default="-Xmx64m -XX:+UseSerialGC")
    parser.add_argument("--postgres-bin", default=None, help="the directory of pg_ctl and initdb")
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path("/var/tmp/tidemark-start"),
                        help="where PostgreSQL's data stays from run to run; its user must be able to get there")
    parser.add_argument("--port", type=int, default=18300, help="of the jar; PostgreSQL takes the 19th after it")
    options = parser.parse_args()
    if not options.jar.exists():
        parser.error(f"{options.jar} is not there: build it first, see --help")
    return options


def version(java):
    return int(re.search(r"\w+ (\d+)", run([java, "--version"])).group(1))


def archive(java, file):
    """The options that make an archive at the exit, and those that use it: JDK 25 knows more than classes."""
    if version(java) >= 25:
        return f"-XX:AOTCacheOutput={file}", f"-XX:AOTCache={file}"
    return f"-XX:ArchiveClassesAtExit={file}", f"-XX:SharedArchiveFile={file}"


def prepare(postgres):
    if not postgres.sql("postgres", "select 1 from pg_roles where rolname = 'tidemark'"):
        postgres.database("shop")
        postgres.sql("shop", (EXAMPLE / "1-orders.sql").read_text(encoding="utf-8"))


def main():
    options = parse()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("ended"))
    with contextlib.ExitStack() as everything:
        directory = pathlib.Path(everything.enter_context(tempfile.TemporaryDirectory()))
        postgres = everything.enter_context(
            Postgres(options.postgres_bin or newest_binaries(), options.data, options.port + 19))
        prepare(postgres)
        environment = {
            "QUARKUS_CONFIG_LOCATIONS": str(EXAMPLE / "feeds.yaml"),
            "QUARKUS_DATASOURCE_REACTIVE_URL": f"postgresql://127.0.0.1:{postgres.port}/shop",
            "QUARKUS_DATASOURCE_USERNAME": "tidemark",
            "QUARKUS_MANAGEMENT_PORT": str(options.port + 1),
        }

        def jar(name, java, *more):
            server = Jar(name, options.jar, options.port, environment, PAGE, directory / "log",
                         [*options.java_options.split(), *more])
            server.command[0] = java
            return server

        def measured(name, java, *more):
            with jar(name, java, *more) as server:
                figures = [server.first_page, server.processor_time, server.resident()]
                server.read(options.pages)
                return dict(zip(FIGURES, [*figures, server.resident()]))

        measurements = {}
        for number, java in enumerate(options.java):
            making, using = archive(java, directory / f"archive-{number}")
            with jar("training", java, making) as training:
                training.read(500)
            label = f"Java {version(java)}"
            measurements[f"{label}, no archive"] = lambda java=java, label=label: measured(label, java)
            measurements[f"{label}, {using.split('=')[0][4:]}"] = (
                lambda java=java, using=using, label=label: measured(label, java, using))
        with open(os.devnull, "w", encoding="utf-8") as nowhere:
            medians = report.rounds("start", measurements, options.rounds, nowhere)
        rows = [f"| {name} | " + " | ".join(f"{figures[figure]:.2f}" if figure.endswith(" s") else f"{figures[figure]:.0f}"
                                            for figure in FIGURES) + " |" for name, figures in medians.items()]
        print(f"\n{platform.release()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the end,"
              f" {options.java_options}, medians of {options.rounds}, {options.pages:,} pages\n")
        print(report.table(("packaged jar", *FIGURES), rows))


if __name__ == "__main__":
    main()
