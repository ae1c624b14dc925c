"""The processes of a comparison: a PostgreSQL server and the HTTP servers. The comparison stops all of them when it ends."""

import glob
import http.client
import os
import pathlib
import re
import shutil
import subprocess
import time

# fsync is off, because the data is disposable. Only reads are measured, and fsync does not affect them.
SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "shared_buffers": "2GB",
    "max_connections": "600",
    "max_wal_size": "8GB",
    "fsync": "off",
    "full_page_writes": "off",
    "log_line_prefix": "@@",
}


def newest_binaries():
    """Returns the directory of the newest server programs that Debian's packages have installed, or else that of pg_ctl on
    the PATH."""
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin"), key=lambda path: int(path.split("/")[4]))
    if found:
        return found[-1]
    on_path = shutil.which("pg_ctl")
    if not on_path:
        raise SystemExit("No PostgreSQL server found: run apt-get install postgresql, or set --postgres-bin.")
    return os.path.dirname(on_path)


class Postgres:
    """A PostgreSQL server. Its data is kept after the comparison, so that ten million rows are created only once."""

    REPORTING_DELAY = 11
    """Seconds, and one of reserve: PGSTAT_IDLE_INTERVAL in PostgreSQL's pgstat.c."""

    def __init__(self, binaries, directory, port):
        self.binaries, self.port = pathlib.Path(binaries), port
        self.directory = pathlib.Path(directory)
        self.log = self.directory / "postgresql.log"

    def __enter__(self):
        data = self.directory / "data"
        if not data.exists():
            self.directory.mkdir(parents=True, exist_ok=True)
            if os.getuid() == 0:
                shutil.chown(self.directory, "postgres", "postgres")
            self._run("initdb", "-D", data, "-U", "postgres", "--auth=trust", "-E", "UTF8", "--locale=C.UTF-8")
        options = [f"-c {name}={value}" for name, value in SETTINGS.items()]
        options += [f"-p {self.port}", f"-c unix_socket_directories={self.directory}"]
        self._run("pg_ctl", "-w", "-D", data, "-l", self.log, "-o", " ".join(options), "start")
        return self

    def __exit__(self, *_):
        self._run("pg_ctl", "-w", "-D", self.directory / "data", "-m", "fast", "stop")

    def sql(self, database, *statements):
        """Runs each statement in a transaction of its own. Returns the rows of all results, one per line."""
        commands = [argument for statement in statements for argument in ("-c", statement)]
        return self._run_client("psql", "-qAtX", "-v", "ON_ERROR_STOP=1", "-d", database, *commands).strip()

    def transactions(self, database):
        """Returns the number of transactions that the database has committed. Tidemark runs each statement in one of its own.
        A session that becomes idle may report its last transactions late, by REPORTING_DELAY at most."""
        return int(self.sql("postgres", f"select xact_commit from pg_stat_database where datname = '{database}'"))

    def ensure_database(self, name):
        """Creates the database if it does not exist."""
        if not self.sql("postgres", f"select 1 from pg_database where datname = '{name}'"):
            self.sql("postgres", f"create database {name}")

    def executed_statements(self, database, send_request):
        """Returns the statements that Tidemark executes for a request, from PostgreSQL's log."""
        executions = [entry.split(": ", 2) for entry in self._logged(database, send_request) if "  execute " in entry]
        return [" ".join(entry[2].split(": ", 1)[1].split()) for entry in executions]

    def milliseconds_for_reads(self, database, table, action):
        """Returns the time that PostgreSQL spends on Tidemark's reads of a table during an action: the sum of the durations of
        parsing, binding, and executing in PostgreSQL's log. Tidemark also reads the catalogue each second."""
        durations = re.compile(fr"duration: ([\d.]+) ms  (?:parse|bind|execute) .* FROM {re.escape(table)}", re.DOTALL)
        return sum(float(found.group(1)) for found in map(durations.search, self._logged(database, action)) if found)

    def _logged(self, database, action):
        """Returns the entries of PostgreSQL's log during an action, in which all statements are logged."""
        self.sql(database, "alter system set log_min_duration_statement = 0", "select pg_reload_conf()")
        time.sleep(1)  # each backend reloads its configuration before its next statement
        start = self.log.stat().st_size
        action()
        self.sql(database, "alter system reset log_min_duration_statement", "select pg_reload_conf()")
        with open(self.log, encoding="utf-8") as log:
            log.seek(start)
            return log.read().split("@@")

    def pgbench(self, database, options, script, variables, clients, seconds):
        """Runs a script with prepared statements over TCP, as the HTTP servers do, and returns pgbench's output."""
        arguments = [f"-D{name}={value}" for name, value in variables.items()]
        return self._run_client(
            "pgbench", "-n", "-M", "prepared", "-c", clients, "-j", min(clients, os.cpu_count()), "-T", seconds,
            *arguments, "-f", script, database, options=options)

    def _run_client(self, program, *arguments, options=""):
        environment = os.environ | {
            "PGHOST": "127.0.0.1", "PGPORT": str(self.port), "PGUSER": "postgres", "PGOPTIONS": options}
        return run([self.binaries / program, *arguments], environment)

    def _run(self, program, *arguments):
        """Runs a program, as the user postgres if the current user is root, because PostgreSQL does not run as root."""
        user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.getuid() == 0 else []
        # The PostgreSQL server would inherit a pipe, and keep it open.
        subprocess.run([*user, self.binaries / program, *map(str, arguments)], check=True, cwd="/",
                       stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL)


class Server:
    """A Java server. It is ready when the given path returns 200."""

    def __init__(self, name, jar, port, environment, ready_path, log, java_options):
        self.name, self.port, self.ready_path, self.log = name, port, ready_path, pathlib.Path(log)
        self.url = f"http://127.0.0.1:{port}"
        self.command = ["java", *java_options, "-jar", str(jar)]
        self.environment = os.environ | {"QUARKUS_HTTP_PORT": str(port), "QUARKUS_HTTP_HOST": "127.0.0.1"} | environment

    def __enter__(self):
        with open(self.log, "w", encoding="utf-8") as log:
            self.process = subprocess.Popen(self.command, env=self.environment, stdout=log, stderr=log)
        try:
            self._await_response()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()

    def _await_response(self):
        """Waits without a timeout, because the server may first create ten million rows."""
        while not self._responds():
            if self.process.poll() is not None:
                raise SystemExit(f"{self.name} did not start:\n{self.log.read_text(encoding='utf-8')}")
            time.sleep(0.5)

    def allocated_bytes(self):
        """Returns the bytes that the server has allocated on the heap so far, or None if it has no such metric."""
        if self._get("/q/metrics")[0] != 200:
            return None
        # Only garbage collections update the counter. Objects allocated since the last collection are still in Eden.
        return self.metric("jvm_gc_memory_allocated_bytes_total") + self.metric("jvm_memory_used_bytes", "Eden Space")

    def metric(self, name, label=""):
        """Returns the sum of a metric over the series whose labels contain the given text."""
        lines = (line.rsplit(" ", 1) for line in self._get("/q/metrics")[1].splitlines())
        return sum(float(value) for series, value in lines
                   if series.split("{")[0] == name and label in series)

    def live_heap(self):
        """Returns the bytes of the heap that are in use after a garbage collection."""
        run(["jcmd", self.process.pid, "GC.run"])
        return self.metric("jvm_memory_used_bytes", 'area="heap"')

    def _responds(self):
        try:
            return self._get(self.ready_path)[0] == 200
        except OSError:
            return False

    def _get(self, path):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            connection.request("GET", path)
            response = connection.getresponse()
            return response.status, response.read().decode()
        finally:
            connection.close()


def run(command, environment=None):
    try:
        done = subprocess.run([str(part) for part in command], env=environment, capture_output=True, text=True)
    except FileNotFoundError:
        raise SystemExit(f"{command[0]} is not installed") from None
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(str(part) for part in command)} failed:\n{done.stdout}{done.stderr}")
    return done.stdout
