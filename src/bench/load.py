"""Runs the load generators: wrk, pgbench, and clients that export. wrk() and pgbench() return the results of one run."""

import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess

from processes import run

HERE = pathlib.Path(__file__).parent

# The planner settings with which Tidemark runs the statements of lists that an index serves.
PLANNER_OPTIONS = ("-c plan_cache_mode=force_generic_plan -c enable_sort=off -c enable_incremental_sort=off -c random_page_cost=1"
            " -c max_parallel_workers_per_gather=0 -c enable_async_append=off -c jit=off")


def wrk(server, path, connections, threads, seconds, paths=None, allow_rejections=False):
    """Requests one path repeatedly, or the paths of a file. Exits if a request fails. Also exits if a request is
    rejected, unless allow_rejections is true; rejected requests do not count in the requests per second."""
    command = ["wrk", f"-t{min(connections, threads)}", f"-c{connections}", f"-d{seconds}s", "--timeout", "10s",
               "-s", HERE / "pages.lua", server.url + path]
    before = server.allocated_bytes()
    output = run(command + (["--", paths] if paths else []))
    figures = json.loads(output.strip().splitlines()[-1])
    if figures["failed"] or figures["rejected"] and not allow_rejections:
        raise SystemExit(f"{server.name} did not answer every request: {figures}")
    figures["rps"] *= 1 - figures["rejected"] / figures["requests"]
    if before is not None:
        figures["allocation"] = (server.allocated_bytes() - before - figures["bytes"]) / figures["requests"]
    return figures


def open_loop(server, paths, connections, phases):
    """Requests pages at constant rates, and returns the results of each phase. A phase is (requests per second, seconds)."""
    output = run(["java", HERE / "OpenLoop.java", str(server.port), paths, str(connections),
                  *(f"{rate}:{seconds}" for rate, seconds in phases)])
    return [json.loads(line) for line in output.splitlines()]


@contextlib.contextmanager
def running_exports(server, number):
    """Runs the given number of clients that export the whole list repeatedly. Exits if an export fails."""
    url = server.url + "/api/plain"
    loop = f"while :; do curl -sf -o /dev/null -H 'Accept: application/x-ndjson' {url} || exit; done"
    clients = [subprocess.Popen(["sh", "-c", loop], start_new_session=True) for _ in range(number)]
    try:
        yield
        if any(client.poll() is not None for client in clients):
            raise SystemExit(f"{server.name} rejected an export")
    finally:
        for client in clients:
            os.killpg(client.pid, signal.SIGKILL)
            client.wait()


def pgbench(postgres, database, script, variables, clients, seconds):
    output = postgres.pgbench(database, PLANNER_OPTIONS, HERE / script, variables, clients, seconds)
    failed = re.search(r"number of failed transactions: (\d+)", output)
    if failed and failed.group(1) != "0":
        raise SystemExit(output)
    return {"rps": float(re.search(r"tps = ([\d.]+)", output).group(1))}


def statement_of(script):
    """Returns the statement of a pgbench script, in the form that to_script() returns."""
    lines = (HERE / script).read_text(encoding="utf-8").splitlines()
    kept = " ".join(line for line in lines if not line.startswith(("--", "\\")))
    return " ".join(kept.replace(";", "").split())


def to_script(executed):
    """Converts a statement that Tidemark executed: replaces its parameters with the variables of pgbench."""
    return (executed.replace("$1::text::timestamp with time zone", "to_timestamp(:seconds::text::double precision)")
            .replace("$2::text::bigint", ":id::text::bigint"))
