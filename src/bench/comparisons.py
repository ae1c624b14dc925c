"""The comparisons. Each is a method that returns named measurements and the ratios of their medians, some with a target."""

import json
import statistics
import threading
import time

import load
import openloop
import places
from inbox import AUTHORS, FIRST_PAGE, KEPT_FEED, KEPT_ITEMS, NAMED_ROOMS, ORDERS, PLAIN_ROOMS
from report import AT_LEAST, AT_MOST, Bound, Ratio
from streams import BulkWriter, FreshStreams, Inserter, Polling, StalledStreams, Streams, Writer

LIVE = KEPT_FEED + "/live?"

# Streams of one window, and different windows with one stream each.
STREAMS, WINDOWS = 10_000, 500

# Streams of new items, each at a position of its own, and lists in which they are.
POSITIONS, FILTERS = 9_900, 1_000

# How many pages Tidemark serves of what the peer serves.
PEER_TARGETS = {"deep": 0.95, "scroll": 0.92, "filtered": 0.92}

# Requests a second for each of the two feeds in the comparison isolation.
ISOLATION_RATE = 300


class Comparisons:

    def __init__(self, options, postgres, inbox, larger_inbox):
        self.options, self.postgres, self.inbox, self.larger_inbox = options, postgres, inbox, larger_inbox

    def deep(self):
        """Reads random deep pages."""
        tidemark_paths, baseline_paths = self.inbox.write_deep_paths()
        measurements = {name: self._wrk(server, "", self.options.connections, tidemark_paths)
                        for name, server in self.inbox.servers_by_name.items()}
        measurements["baseline"] = self._wrk(self.inbox.baseline, "", self.options.connections, baseline_paths)
        measurements["pgbench"] = self._pgbench("deep.sql", self.inbox.position_range())
        ratios = [Ratio("deep pages: Tidemark / baseline", "rps", "tidemark", "baseline", AT_LEAST, 2.2),
                  Ratio("deep pages: Tidemark / pgbench", "rps", "tidemark", "pgbench", AT_LEAST, 0.6),
                  Bound("deep pages: allocation beyond a page's bytes", "allocation", "tidemark", AT_MOST, 20_480)]
        return measurements, ratios + self._variant_ratios("deep pages")

    def peer(self):
        """Reads random deep pages, consecutive pages, and filtered random deep pages, on Tidemark and on the peer."""
        peer = self.inbox.start_peer()
        measurements, ratios = {}, []
        for kind, (tidemark_paths, peer_paths) in self.inbox.write_peer_paths(peer).items():
            measurements[kind] = self._wrk(self.inbox.tidemark, "", self.options.connections, tidemark_paths)
            measurements[f"{kind}, peer"] = self._wrk(peer, "", self.options.connections, peer_paths)
            ratios.append(Ratio(f"{kind}: Tidemark / peer", "rps", kind, f"{kind}, peer", AT_LEAST, PEER_TARGETS[kind]))
        return measurements, ratios

    def storm(self):
        """Reads the same first page with all clients."""
        measurements = {name: self._wrk(server, FIRST_PAGE, self.options.connections)
                        for name, server in self.inbox.servers_by_name.items()}
        measurements["baseline"] = self._wrk(self.inbox.baseline, "/messages?limit=30", self.options.connections)
        measurements["pgbench"] = self._pgbench("first.sql", {})
        ratios = [Ratio("storm: Tidemark / pgbench", "rps", "tidemark", "pgbench", AT_LEAST, 1),
                  Ratio("storm: Tidemark / baseline", "rps", "tidemark", "baseline")]
        return measurements, ratios + self._variant_ratios("storm")

    def connections(self):
        """Reads the first page and deep pages, with 64 and with 512 connections."""
        tidemark_paths, _ = self.inbox.write_deep_paths()
        measurements = {f"{name}, {count}": self._wrk(self.inbox.tidemark, path, count, paths)
                        for name, path, paths in (("storm", FIRST_PAGE, None), ("deep", "", tidemark_paths))
                        for count in (64, 512)}
        ratios = [Ratio(f"{name}: 512 / 64 connections", "rps", f"{name}, 512", f"{name}, 64", AT_LEAST, 0.67)
                  for name in ("storm", "deep")]
        return measurements, ratios

    def depth(self):
        """Measures the latency of a page for one client: the first page of each order, and pages at the start and 90 % deep."""
        measurements, ratios = {}, []
        for name in ORDERS:
            first, start, deep = self.inbox.write_depth_paths(name)
            server = self.inbox.tidemark
            measurements |= {f"{name}, first": self._wrk(server, first, 1),
                             f"{name}, 0 %": self._wrk(server, "", 1, start),
                             f"{name}, 90 %": self._wrk(server, "", 1, deep)}
            ratios += [Ratio(f"{name}: 90 % / 0 % deep", "p50", f"{name}, 90 %", f"{name}, 0 %", AT_MOST, 1.3),
                       Ratio(f"{name}: 90 % deep / first page", "p50", f"{name}, 90 %", f"{name}, first", AT_MOST, 1.3)]
        return measurements, ratios

    def growth(self):
        """Reads deep pages of the inbox, and of a larger one."""
        connections, sizes = self.options.connections, (self.inbox, self.larger_inbox)
        measurements = {}
        for size in sizes:
            tidemark_paths, _ = size.write_deep_paths()
            measurements[f"one client, {size.rows}"] = self._wrk(size.tidemark, "", 1, tidemark_paths)
            measurements[f"{connections} connections, {size.rows}"] = self._wrk(size.tidemark, "", connections, tidemark_paths)
        few, many = (size.rows for size in sizes)
        return measurements, [
            Ratio(f"one client: {many:,} / {few:,} rows", "p50", f"one client, {many}", f"one client, {few}", AT_MOST, 1.3),
            Ratio(f"{connections} connections: {many:,} / {few:,} rows", "rps",
                  f"{connections} connections, {many}", f"{connections} connections, {few}", AT_LEAST, 0.77)]

    def search(self):
        """Searches the larger inbox for a word that occurs once, one that half of the items have, and one that none has: the
        first page and page 100 of each, beside the statement that looks for the same page without a bound."""
        inbox, measurements, ratios = self.larger_inbox, {}, []
        for name, word in inbox.prepare_searches().items():
            for number in 1, 100:
                label = f"{name}, page {number}"
                measurements[label] = self._wrk(inbox.tidemark, inbox.search_page(word, number), 2)
                ratios.append(Bound(f"search: word {label}", "p99", label, AT_MOST, 150_000, "µs"))
            measurements[f"{name}, page 1, without a bound"] = lambda seconds, word=word: inbox.search_without_bound(word)
        return measurements, ratios

    def refresh(self):
        """Refreshes the 300 items that a client keeps, of which 5 were edited: since a moment, by reading all
        items again, and by conditional requests. Also reads deep pages with and without moments."""
        since, again, conditional = self.inbox.prepare_refreshes()
        server, connections = self.inbox.tidemark, self.options.connections
        requests = {"since": (1, since, None), "again": (KEPT_ITEMS // 100, "", again),
                    "conditional": (KEPT_ITEMS // 100, "", conditional)}
        measurements = {name: self._as_refreshes(count, self._wrk(server, path, connections, paths))
                        for name, (count, path, paths) in requests.items()}
        ratios = [Ratio("bytes of a refresh: since / reading again", "size", "since", "again", AT_MOST, 0.1),
                  Ratio("bytes of a refresh: since / conditional", "size", "since", "conditional"),
                  Ratio("refreshes per second: since / reading again", "refreshes", "since", "again", AT_LEAST, 2),
                  Ratio("refreshes per second: since / conditional", "refreshes", "since", "conditional")]
        tidemark_paths, _ = self.inbox.write_deep_paths()
        with_moments = self.inbox.write_paths_with_moments(tidemark_paths)
        measurements |= {"deep": self._wrk(server, "", connections, tidemark_paths),
                         "deep with moments": self._wrk(server, "", connections, with_moments)}
        return measurements, ratios + [
            Ratio("deep pages: with / without moments", "rps", "deep with moments", "deep")]

    def embed(self):
        """Reads random deep pages with an embedded row of two columns beside each item, of which 30, 10, or 3 of a page are
        different, and without it."""
        server, connections = self.inbox.start_embeds(), self.options.connections
        paths, baseline_paths = self.inbox.write_signed_paths(server)
        names = {feed: f"{authors} embedded rows" for feed, authors in AUTHORS.items()} | {"unsigned": "no embedded rows"}
        measurements = {names[feed]: self._wrk(server, "", connections, file) for feed, file in paths.items()}
        measurements["baseline, joined"] = self._wrk(self.inbox.baseline, "", connections, baseline_paths)
        return measurements, [
            *(Ratio(f"deep pages: {names[feed]} / none", "rps", names[feed], names["unsigned"], AT_LEAST, 0.75)
              for feed in AUTHORS),
            Ratio("deep pages with an embed: Tidemark / baseline", "rps", names["signed"], "baseline, joined", AT_LEAST, 1.8)]

    @staticmethod
    def _as_refreshes(requests, measurement):
        """Adds the refreshes per second and the bytes per refresh. A refresh consists of the given number of requests."""
        def run(seconds):
            figures = measurement(seconds)
            return figures | {"refreshes": figures["rps"] / requests,
                              "size": figures["bytes"] / figures["requests"] * requests}
        return run

    def export(self):
        """Reads deep pages while other clients export the whole list repeatedly."""
        tidemark_paths, _ = self.inbox.write_deep_paths()
        server = self.inbox.tidemark
        measurements, ratios = {}, []
        for connections in (1, self.options.connections):
            alone = f"{connections} connections, no export"
            measurements[alone] = self._wrk(server, "", connections, tidemark_paths)
            for exports in (1, 4):
                during = f"{connections} connections, {exports} exporting"
                measurements[during] = self._during_exports(server, exports, measurements[alone])
                ratios.append(Ratio(f"{connections} connections: {exports} exporting / no export", "p50",
                                    during, alone, AT_MOST, 2))
        return measurements, ratios

    @staticmethod
    def _during_exports(server, number, measurement):
        def run(seconds):
            with load.running_exports(server, number):
                return measurement(seconds)
        return run

    def overload(self):
        """Requests deep pages three times as fast as they can be served, over few and over many connections. Then requests
        half as many as can be served. The load generator runs on the same cores."""
        paths, _ = self.inbox.write_deep_paths()
        server = self.inbox.tidemark
        capacity = self._wrk(server, "", self.options.connections, paths)
        measured = {}

        def measure_capacity(seconds):
            figures = capacity(seconds)
            measured["rps"] = figures["rps"]
            return figures

        def measure_overload(connections, seconds):
            rate = measured["rps"]
            overload, after = load.open_loop(server, paths, connections, [(3 * rate, seconds), (rate / 2, 5)])
            return {"rps": overload["served"], "rejected": overload["rejected"], "p50": overload["served_p50"],
                    "p99": overload["served_p99"], "recovery": after["last_bad"]}

        names = {count: f"{count} connections" for count in (600, 6000)}
        measurements = {"capacity": measure_capacity} | {
            name: lambda seconds, count=count: measure_overload(count, seconds) for count, name in names.items()}
        ratios = []
        for name in names.values():
            ratios += [Ratio(f"overload, {name}: served / capacity", "rps", name, "capacity", AT_LEAST, 0.7),
                       Bound(f"overload, {name}: p99 of the served", "p99", name, AT_MOST, 1_000_000, "µs"),
                       Bound(f"overload, {name}: recovery", "recovery", name, AT_MOST, 2_000_000, "µs")]
        return measurements, ratios

    def live(self):
        """Holds live windows while others write: many streams of one window, many windows, a large window with a single
        edit, and clients that do not read. For comparison, polls the same windows with `since` every second. The reader of
        all streams runs on the same cores."""
        server = self.inbox.tidemark
        shared, shared_ids = self.inbox.window(50)
        different, different_ids = self.inbox.windows(WINDOWS, 50)
        large, large_ids = self.inbox.window(KEPT_ITEMS)
        tidemark_paths, _ = self.inbox.write_deep_paths()
        deep = self._wrk(server, "", self.options.connections, tidemark_paths, allow_rejections=True)
        streams = [LIVE + query for query in different]
        polls = [f"{KEPT_FEED}?{query}" for query in different]
        measurements = {
            "one window": lambda seconds: self._live(
                lambda: Streams(server, [LIVE + shared] * STREAMS), self._writer(shared_ids, 20), seconds),
            "windows": lambda seconds: self._live(
                lambda: Streams(server, streams), self._writer(different_ids, 10), seconds),
            "polling": lambda seconds: self._live(
                lambda: Polling(server, polls), self._writer(different_ids, 10), seconds),
            "pages": deep,
            "pages with windows": lambda seconds: self._live(
                lambda: Streams(server, streams), self._writer(different_ids, 10), seconds, deep),
            "one edit": lambda _: self._one_edit(LIVE + large, large_ids[50]),
            "stalled": lambda seconds: self._stalled(f"{LIVE}limit={KEPT_ITEMS}", large_ids, seconds),
        }
        return measurements, [
            Bound("10,000 streams of one window: reads a second", "reads", "one window", AT_MOST, 4, "reads"),
            Bound("10,000 streams of one window: commit to event, p99", "p99", "one window", AT_MOST, 1_000_000, "µs"),
            Bound("10,000 streams of one window: heap for a stream", "heap", "one window", AT_MOST, 12_000),
            Bound("500 windows: commit to event, p50", "p50", "windows", AT_MOST, 150_000, "µs"),
            Bound("500 windows: commit to event, p99", "p99", "windows", AT_MOST, 1_000_000, "µs"),
            Ratio("500 windows: commit to event, live / polling", "p50", "windows", "polling"),
            Ratio("500 windows: bytes, live / polling", "bytes", "windows", "polling"),
            Ratio("500 windows: reads, live / polling", "reads", "windows", "polling"),
            Ratio("deep pages: with 500 windows / without", "rps", "pages with windows", "pages", AT_LEAST, 0.7),
            Bound("300 items, one edit: event without its item", "overhead", "one edit", AT_MOST, 1_000),
            Bound("300 items, one edit: time of PostgreSQL", "milliseconds", "one edit", AT_MOST, 1, "ms"),
            Bound("a stalled client: heap beyond one event of its window", "heap", "stalled", AT_MOST, 50_000)]

    def rooms(self):
        """Holds a live window of each of many rooms while others write, with notifications that name only the table, and
        with notifications that name the rooms. The reader of all streams runs on the same cores."""
        server = self.inbox.start_rooms()
        tidemark_paths, _ = self.inbox.write_deep_paths()
        deep = self._wrk(server, "", self.options.connections, tidemark_paths, allow_rejections=True)
        measurements = {"pages": deep}
        for feed in PLAIN_ROOMS, NAMED_ROOMS:
            paths, ids = self.inbox.room_windows(feed, 50)
            def hold(seconds, pages=None, feed=feed, paths=paths, ids=ids):
                return self._live(lambda: Streams(server, paths),
                                  lambda: Writer(self.postgres, self.inbox.database, ids, 10, feed), seconds, pages, server)
            measurements[feed] = hold
            measurements[f"pages with {feed}"] = lambda seconds, hold=hold: hold(seconds, deep)
        return measurements, [
            Bound("500 rooms, named: commit to event, p50", "p50", NAMED_ROOMS, AT_MOST, 150_000, "µs"),
            Bound("500 rooms, named: commit to event, p99", "p99", NAMED_ROOMS, AT_MOST, 1_000_000, "µs"),
            Bound("500 rooms: commit to event, p50", "p50", PLAIN_ROOMS, AT_MOST, 150_000, "µs"),
            Ratio("500 rooms: reads, named / not named", "reads", NAMED_ROOMS, PLAIN_ROOMS),
            Ratio("deep pages: with 500 rooms / without", "rps", f"pages with {PLAIN_ROOMS}", "pages"),
            Ratio("deep pages: with 500 named rooms / without", "rps", f"pages with {NAMED_ROOMS}", "pages", AT_LEAST, 0.7)]

    def fresh(self):
        """Holds event streams of new items while others write: many positions of one list, and of many lists. To compare
        with another version, run it with the jar of that version as --tidemark-jar. The reader of all streams runs on the
        same cores."""
        positions, ids = self.inbox.positions(POSITIONS)
        filtered = self.inbox.filtered_positions(FILTERS, POSITIONS)
        tidemark_paths, _ = self.inbox.write_deep_paths()
        deep = self._wrk(self.inbox.tidemark, "", self.options.connections, tidemark_paths, allow_rejections=True)
        measurements = {
            "one list": lambda seconds: self._fresh(positions, ids, seconds),
            "filters": lambda seconds: self._fresh(filtered, ids, seconds),
            "pages": deep,
            "pages with streams": lambda seconds: self._fresh(positions, ids, seconds, deep),
        }
        return measurements, [
            Bound("9,900 positions of one list: statements a second", "statements", "one list", AT_MOST, 300, "statements"),
            Bound("9,900 positions of one list: commit to event, p50", "p50", "one list", AT_MOST, 2_000_000, "µs"),
            Bound("9,900 positions of one list: commit to event, p99", "p99", "one list", AT_MOST, 2_000_000, "µs"),
            Bound("1,000 filters: statements a second", "statements", "filters", AT_MOST, 300, "statements"),
            Bound("1,000 filters: commit to event, p99", "p99", "filters", AT_MOST, 2_000_000, "µs"),
            Ratio("deep pages: with 9,900 positions / without", "rps", "pages with streams", "pages", AT_LEAST, 0.9)]

    def _fresh(self, paths, ids, seconds, pages=None):
        """Measures streams of new items during 20 commits a second, of which one inserts an item. The statements are all
        transactions of the database but these commits, and include those of pages."""
        writer = Inserter(self.postgres, self.inbox.database, ids, 20)
        with FreshStreams(self.inbox.tidemark, paths, writer) as streams, writer:
            time.sleep(self.postgres.REPORTING_DELAY)  # transactions of an earlier measurement are not counted
            streams.reset()
            before, started = self.postgres.transactions(self.inbox.database), time.monotonic()
            figures = pages(seconds) if pages else time.sleep(seconds) or {}
            elapsed = time.monotonic() - started
            statements = (self.postgres.transactions(self.inbox.database) - before) / elapsed - writer.rate
            delays = sorted(streams.delays)
        if not delays or streams.ended:
            raise SystemExit(f"{len(delays)} numbers arrived, and {streams.ended} streams ended")
        delay = {"p50": statistics.median(delays) * 1e6, "p99": delays[len(delays) * 99 // 100] * 1e6}
        return {"statements": statements} | (
            {f"delay {name}": value for name, value in delay.items()} if pages else delay) | figures

    def _writer(self, ids, rate):
        return lambda: Writer(self.postgres, self.inbox.database, ids, rate)

    def _live(self, open_clients, writer, seconds, pages=None, server=None):
        """Measures clients during commits. Runs the given measurement of pages meanwhile, if there is one."""
        server = server or self.inbox.tidemark
        empty = server.live_heap()
        with open_clients() as clients:
            heap = server.live_heap() - empty
            with writer():
                time.sleep(2)
                clients.reset()
                reads, started = self._reads(clients, server), time.monotonic()
                figures = pages(seconds) if pages else time.sleep(seconds) or {}
                elapsed = time.monotonic() - started
                reads = self._reads(clients, server) - reads
                delays = sorted(clients.delays)
        if not delays or clients.ended:
            raise SystemExit(f"{len(delays)} commits arrived, and {clients.ended} streams ended")
        delay = {"p50": statistics.median(delays) * 1e6, "p99": delays[len(delays) * 99 // 100] * 1e6}
        return {"reads": reads / elapsed, "bytes": clients.bytes / elapsed, "heap": heap / len(clients)} | (
            {f"delay {name}": value for name, value in delay.items()} if pages else delay) | figures

    @staticmethod
    def _reads(clients, server):
        return clients.requests if isinstance(clients, Polling) else server.metric("tidemark_live_reads_total")

    def _one_edit(self, path, edited, number=5):
        """Edits one item of a window some times."""
        with Streams(self.inbox.tidemark, [path]) as streams:
            def edit():
                streams.reset()
                self.postgres.sql(
                    self.inbox.database,
                    f"update public.messages set subject = 'mark {time.time():.6f}' where id = {edited}")
                while not streams.delays:
                    time.sleep(0.01)
            milliseconds = statistics.median(
                self.postgres.milliseconds_for_reads(self.inbox.database, '"public"."messages"', edit)
                for _ in range(number))
        item = len(f'{{"id":{edited},"subject":"mark 1234567890.123456"}}')
        return {"overhead": streams.largest - item, "milliseconds": milliseconds}

    def _stalled(self, path, ids, seconds, number=50):
        """Edits all items of a window four times a second while clients read nothing, and measures the heap of a client."""
        server = self.inbox.tidemark
        page = places.Client(server.url).get(f"{KEPT_FEED}?limit=100")
        event = len(json.dumps(page)) * KEPT_ITEMS // 100
        with StalledStreams(server, [path] * number) as streams:
            before = server.live_heap()
            with BulkWriter(self.postgres, self.inbox.database, ids, 4):
                time.sleep(seconds)
            return {"heap": (server.live_heap() - before) / len(streams) - event}

    def isolation(self):
        """Locks the table of one feed while both this feed and another one get requests in an open loop, which does not wait
        for responses. With --before-jar, also measures another build."""
        servers = {"": self.inbox.start_embeds()}
        if self.options.before_jar:
            servers["before, "] = self.inbox.start_embeds("before", self.options.before_jar, self.inbox.port + 8)
        deep, _ = self.inbox.write_deep_paths()
        signed, _ = self.inbox.write_signed_paths(servers[""])
        locked, other = (paths.read_text(encoding="utf-8").split() for paths in (deep, signed["unsigned"]))
        measurements, bounds = {}, []
        for prefix, server in servers.items():
            # A page is not the first of its server.
            openloop.send(server.port, max(1, self.options.warm_up),
                          {"locked": openloop.Load(locked, ISOLATION_RATE), "other": openloop.Load(other, ISOLATION_RATE)})
            measurements |= self._isolation(prefix, server, locked, other)
            bounds += [Bound(f"{prefix}the other feed: answered", "answered", f"{prefix}other", AT_LEAST, 99, "%"),
                       Bound(f"{prefix}the other feed: p99", "p99", f"{prefix}other", AT_MOST, 50_000, "µs"),
                       Bound(f"{prefix}the other feed: maximum", "max", f"{prefix}other", AT_MOST, 500_000, "µs"),
                       Bound(f"{prefix}the locked feed: answered", "answered", f"{prefix}locked", AT_MOST, 100, "%"),
                       Bound(f"{prefix}the locked feed: p99", "p99", f"{prefix}locked", AT_MOST, 500_000, "µs"),
                       Bound(f"{prefix}the locked feed: maximum", "max", f"{prefix}locked", AT_MOST, 550_000, "µs")]
        return measurements, bounds

    def _isolation(self, prefix, server, locked, other):
        """Returns the measurements of both feeds, which come from the same run."""
        pending = {}

        def measure(name, seconds):
            # The first of the two measures both.
            if name not in pending:
                pending.update(self._during_lock(server, seconds, locked, other))
            return pending.pop(name)

        return {f"{prefix}{name}": lambda seconds, name=name: measure(name, seconds) for name in ("locked", "other")}

    def _during_lock(self, server, seconds, locked, other):
        statement = f"begin; lock table public.messages; select pg_sleep({seconds + 1}); rollback"
        owner = threading.Thread(target=self.postgres.sql, args=(self.inbox.database, statement))
        owner.start()
        while self.postgres.sql(self.inbox.database, "select count(*) from pg_locks where granted"
                                " and relation = 'public.messages'::regclass and mode = 'AccessExclusiveLock'") == "0":
            time.sleep(0.01)
        figures = openloop.send(server.port, seconds, {
            "locked": openloop.Load(locked, ISOLATION_RATE), "other": openloop.Load(other, ISOLATION_RATE)})
        owner.join()
        time.sleep(2)  # The server finds out that the lock has been released.
        return figures

    def curve(self):
        """Reads the first page and deep pages with 1 to 1,000 connections, for a plot. Rejected requests are allowed."""
        tidemark_paths, _ = self.inbox.write_deep_paths()
        return {f"{name}, {count}": self._wrk(self.inbox.tidemark, path, count, paths, allow_rejections=True)
                for count in (1, 4, 16, 64, 256, 1000)
                for name, path, paths in (("storm", FIRST_PAGE, None), ("deep", "", tidemark_paths))}, []

    def _variant_ratios(self, what):
        return [Ratio(f"{what}: {name} / Tidemark", "rps", name, "tidemark")
                for name in self.inbox.servers_by_name if name != "tidemark"]

    def _wrk(self, server, path, connections, paths=None, allow_rejections=False):
        return lambda seconds: load.wrk(
            server, path, connections, self.options.wrk_threads, seconds, paths, allow_rejections)

    def _pgbench(self, script, variables):
        return lambda seconds: load.pgbench(
            self.postgres, self.inbox.database, script, variables, self.options.pgbench_clients, seconds)
