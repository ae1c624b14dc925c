#!/usr/bin/env python3
"""Measures the startup time and memory of the packages, with and without an archive of their classes.

Starts a PostgreSQL server (from the system's packages) with the table and the role of the example in src/main/docker,
including its password authentication. Then starts the jars of the packages repeatedly, in turn. The startup time is the
time from the start of the process to the first page with items; the database is already running. The memory is the
resident set at the first page and after a number of pages, with the heap of --java-options.

    ./mvnw package -DskipTests
    ./mvnw package -DskipTests -Pimage
    python3 src/bench/start.py
"""

import argparse
import contextlib
import functools
import http.client
import itertools
import json
import os
import pathlib
import platform
import re
import signal
import sys
import tempfile
import time

import report
from processes import Postgres, Server, newest_binaries, run

PROJECT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLE = PROJECT / "src/main/docker/example"
JARS = [PROJECT / "target/quarkus-app/quarkus-run.jar", PROJECT / "target/image/tidemark.jar"]
PAGE = "/api/orders?limit=30"
PASSWORD = "of-the-role"
FIGURES = ("first page s", "processor s", "RSS at first page MB", "RSS after pages MB")


class TimedServer(Server):
    """A server whose startup is timed, by requests at short intervals."""

    def _await_response(self):
        started = time.monotonic()
        while not self._responds():
            if self.process.poll() is not None:
                raise SystemExit(f"{self.name} did not start:\n{self.log.read_text(encoding='utf-8')}")
            time.sleep(0.005)
        self.first_page_seconds = time.monotonic() - started
        self.processor_seconds = self._read_processor_seconds()

    def _responds(self):
        try:
            status, body = self._get(self.ready_path)
            return status == 200 and bool(json.loads(body)["items"])
        except OSError:
            return False

    def scroll(self, pages):
        """Scrolls over one connection. At the end of the list, continues with the first page."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        cursor = None
        for _ in range(pages):
            connection.request("GET", PAGE + (f"&cursor={cursor}" if cursor else ""))
            response = connection.getresponse()
            page = json.loads(response.read())
            if response.status != 200 or not page["items"]:
                raise SystemExit(f"{self.name} responded with status {response.status} and {page}")
            cursor = page["next_cursor"]
        connection.close()

    def resident_megabytes(self):
        """Returns the resident set as reported by the kernel, which includes the memory pages of a mapped archive."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        return int(re.search(r"VmRSS:\s+(\d+) kB", status).group(1)) / 1024

    def _read_processor_seconds(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def parse_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--pages", type=int, default=10_000, help="number of pages to read before memory is measured")
    parser.add_argument("--java", nargs="+", default=["java"], help="the JVMs to compare, such as /opt/jdk-25/bin/java")
    parser.add_argument("--jar", nargs="+", type=pathlib.Path, default=JARS, help="the jars to compare")
    parser.add_argument("--java-options", default="-Xmx64m -XX:+UseSerialGC -XX:MetaspaceSize=96m -XX:-UsePerfData"
                                                  " -Dio.netty.allocator.maxCachedBufferCapacity=65536",
                        help="default: -Xmx64m, and the options of the image that affect startup or memory")
    parser.add_argument("--postgres-bin", default=None, help="the directory of pg_ctl and initdb")
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path("/var/tmp/tidemark-start"),
                        help="directory of PostgreSQL's data, kept between runs; the user postgres must have access")
    parser.add_argument("--port", type=int, default=18300, help="port of the jar; PostgreSQL uses this port plus 19")
    options = parser.parse_args()
    for jar in options.jar:
        if not jar.exists():
            parser.error(f"{jar} does not exist: build it first, see --help")
    return options


def java_version(java):
    return int(re.search(r"\w+ (\d+)", run([java, "--version"])).group(1))


def archive_options(java, file):
    """Returns the option that creates an archive of classes at exit, and the option that uses this archive. From JDK 25
    on, the archive is an AOT cache."""
    if java_version(java) >= 25:
        return f"-XX:AOTCacheOutput={file}", f"-XX:AOTCache={file}"
    return f"-XX:ArchiveClassesAtExit={file}", f"-XX:SharedArchiveFile={file}"


def create_example(postgres):
    """Creates the example's table and role, if they do not exist, and sets the role's password."""
    if not postgres.sql("postgres", "select 1 from pg_roles where rolname = 'tidemark'"):
        postgres.ensure_database("shop")
        postgres.sql("shop", (EXAMPLE / "1-orders.sql").read_text(encoding="utf-8"))
    postgres.sql("postgres", f"alter role tidemark password '{PASSWORD}'")
    # Only this role needs a password. Its verification, for each of the first connections, is part of the startup time.
    hba_file = postgres.directory / "data/pg_hba.conf"
    rule = "host shop tidemark 127.0.0.1/32 scram-sha-256\n"
    rules = hba_file.read_text(encoding="utf-8")
    if rule not in rules:
        hba_file.write_text(rule + rules, encoding="utf-8")
        postgres.sql("postgres", "select pg_reload_conf()")


def main():
    options = parse_options()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("terminated"))
    with contextlib.ExitStack() as stack:
        directory = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        postgres = stack.enter_context(
            Postgres(options.postgres_bin or newest_binaries(), options.data, options.port + 19))
        create_example(postgres)
        environment = {
            "QUARKUS_CONFIG_LOCATIONS": str(EXAMPLE / "feeds.yaml"),
            "QUARKUS_DATASOURCE_REACTIVE_URL": f"postgresql://127.0.0.1:{postgres.port}/shop",
            "QUARKUS_DATASOURCE_USERNAME": "tidemark",
            "QUARKUS_DATASOURCE_PASSWORD": PASSWORD,
            "QUARKUS_MANAGEMENT_PORT": str(options.port + 1),
        }

        def new_server(name, java, jar, *more_options):
            server = TimedServer(name, jar, options.port, environment, PAGE, directory / "log",
                         [*options.java_options.split(), *more_options])
            server.command[0] = java
            return server

        def measure(*arguments):
            with new_server(*arguments) as server:
                figures = [server.first_page_seconds, server.processor_seconds, server.resident_megabytes()]
                server.scroll(options.pages)
                return dict(zip(FIGURES, [*figures, server.resident_megabytes()]))

        measurements = {}
        for number, (java, jar) in enumerate(itertools.product(options.java, options.jar)):
            create_option, use_option = archive_options(java, directory / f"archive-{number}")
            with new_server("training", java, jar, create_option) as training:
                training.scroll(500)
            label = f"{jar.parent.name}, Java {java_version(java)}"
            measurements[label] = functools.partial(measure, label, java, jar)
            measurements[f"{label}, {use_option.split('=')[0][4:]}"] = functools.partial(measure, label, java, jar, use_option)
        with open(os.devnull, "w", encoding="utf-8") as nowhere:
            medians = report.run_rounds("start", measurements, options.rounds, nowhere)
        rows = [f"| {name} | " + " | ".join(f"{figures[figure]:.2f}" if figure.endswith(" s") else f"{figures[figure]:.0f}"
                                            for figure in FIGURES) + " |" for name, figures in medians.items()]
        print(f"\n{platform.release()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the end,"
              f" {options.java_options}, medians of {options.rounds}, {options.pages:,} pages\n")
        print(report.table(("package", *FIGURES), rows))


if __name__ == "__main__":
    main()
