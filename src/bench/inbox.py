"""The sample inbox in one size: its database, the servers that use it, and request paths."""

import contextlib
import pathlib
import re
import time

import load
import places
from processes import Server

HERE = pathlib.Path(__file__).parent
# The inbox without moments and embedded rows.
PLAIN_FEED = "/api/plain"

FIRST_PAGE = f"{PLAIN_FEED}?limit=30"
CHECKED_PAGES = 20
SCROLLED_PAGES = 2_000
FEEDS_SETTING = {"QUARKUS_CONFIG_LOCATIONS": str(HERE / "feeds.yaml")}

# The path of the feed with moments, the number of items that a client keeps (as pages of 100), and the number of these items
# that are edited before the refreshes.
KEPT_FEED = "/api/kept"
KEPT_ITEMS = 300
EDITED_ITEMS = 5

# For each order: the path of the list, the condition on its rows, and the sort order.
ORDERS = {
    "plain": (PLAIN_FEED, "true", "created_at desc, id desc"),
    "mixed directions": ("/api/grouped", "true", "status, created_at desc, id desc"),
    "nullable column": (f"{PLAIN_FEED}?order=edited", "true", "edited_at desc nulls last, id desc"),
    "filtered": (f"{PLAIN_FEED}?status=open", "status = 'open'", "created_at desc, id desc"),
}

MIXED_INDEX = ("create index if not exists messages_grouped on public.messages (status, created_at desc, id desc)"
               " where deleted_at is null")

# A copy of the inbox whose rows have authors, each with about 20 rows at random places of the list, and also refer to one of
# 10 people and to one of 3.
SIGNED_TABLES = (
    "create table if not exists public.people (id int primary key, name text not null, avatar text not null)",
    "insert into public.people select i, 'Person ' || i, 'https://example.org/avatars/' || i || '.png'"
    " from generate_series(0, (select count(*) from public.messages) / 20) i on conflict do nothing",
    "create table if not exists public.signed as select m.*, ((hashint8(m.id)::bigint + 2147483648)"
    " % (select count(*) from public.people))::int as author_id from public.messages m order by id",
    "create unique index if not exists signed_id on public.signed (id)",
    "alter table public.signed alter id set not null, alter created_at set not null,"
    " add column if not exists one_of_10 int generated always as (author_id % 10) stored,"
    " add column if not exists one_of_3 int generated always as (author_id % 3) stored",
    "create index if not exists signed_newest on public.signed (created_at desc, id desc) where deleted_at is null",
    "vacuum (analyze) public.people, public.signed", "checkpoint")

# The feeds with embedded authors, and how many different authors a page of theirs has at most.
AUTHORS = {"signed": 30, "signed_by_10": 10, "signed_by_3": 3}


# Messages of many rooms, without and with triggers that name the rooms of the changed rows.
ROOMS = 500
PLAIN_ROOMS, NAMED_ROOMS = "rooms", "named_rooms"
NAMING_GUIDE = HERE.parent / "site/markdown/what-is-new.md"


def room_tables():
    """Returns the statements that create both tables, with the triggers of the guide."""
    guide = NAMING_GUIDE.read_text(encoding="utf-8")
    plain, named = (block.replace("public.orders", f"public.{table}").replace("'customer'", "'room'")
                    for block, table in zip(re.findall(r"(?ms)^```sql\n(CREATE OR REPLACE FUNCTION.*?)^```$", guide),
                                            (PLAIN_ROOMS, NAMED_ROOMS)))
    for table in PLAIN_ROOMS, NAMED_ROOMS:
        yield (f"create table if not exists public.{table} as select id, created_at, subject, (id % {ROOMS})::int as room"
               " from public.messages where deleted_at is null")
        yield f"create unique index if not exists {table}_id on public.{table} (id)"
        yield f"alter table public.{table} alter id set not null, alter created_at set not null, alter room set not null"
        yield f"create index if not exists {table}_newest on public.{table} (room, created_at desc, id desc)"
        yield f"drop trigger if exists tidemark_notify on public.{table}"
        for change in "insert", "update", "delete", "truncate":
            yield f"drop trigger if exists tidemark_notify_{change} on public.{table}"
        yield f"vacuum (analyze) public.{table}"
    yield plain
    yield named
    yield "checkpoint"


class Inbox:
    """The database of a sample inbox with a number of rows, and the servers that use it."""

    def __init__(self, options, postgres, rows, port):
        self.options, self.postgres, self.rows, self.port = options, postgres, rows, port
        self.database = f"bench_{rows}"
        self.servers = contextlib.ExitStack()
        self.servers_by_name = {}
        self.baseline = None

    def __enter__(self):
        self.postgres.ensure_database(self.database)
        with self._tidemark("seeding", self.port, {}):
            pass
        self.postgres.sql(self.database, MIXED_INDEX, "vacuum (analyze) public.messages", "checkpoint")
        self.tidemark = self.servers.enter_context(self._tidemark("tidemark", self.port, FEEDS_SETTING))
        self.servers_by_name["tidemark"] = self.tidemark
        return self

    def __exit__(self, *_):
        self.servers.close()

    def start_variants(self):
        """Starts another Tidemark server for each variant, with the variant's settings."""
        for number, (name, settings) in enumerate(self.options.variant, 2):
            server = self._tidemark(name, self.port + number, FEEDS_SETTING | settings)
            self.servers_by_name[name] = self.servers.enter_context(server)

    def start_baseline(self):
        server = self._server("baseline", self.options.baseline_jar, self.port + 1, {}, "/messages")
        self.baseline = self.servers.enter_context(server)

    def start_peer(self):
        """Starts the server that is written by hand for these pages."""
        return self.servers.enter_context(self._server("peer", self.options.peer_jar, self.port + 8, {}, "/messages"))

    def write_peer_paths(self, peer):
        """Writes two files with paths to the same pages, for Tidemark and the peer, for random deep pages, consecutive pages,
        and filtered random deep pages, and checks that some pages have the same items. Returns the files of each kind."""
        tidemark, filters = self.tidemark.url, "&status=open"
        kinds = {"deep": (places.random_places(tidemark, self.options.places, PLAIN_FEED), ""),
                 "scroll": (places.scroll(tidemark, SCROLLED_PAGES, PLAIN_FEED), ""),
                 "filtered": (places.random_places(tidemark, self.options.places, PLAIN_FEED + "?" + filters[1:]), filters)}
        files = {}
        for kind, (found, filters) in kinds.items():
            paths = [path for path, _ in found]
            peer_paths = [places.baseline_path(item, filters) for _, item in found]
            for path, peer_path in list(zip(paths, peer_paths))[:CHECKED_PAGES]:
                if places.Client(tidemark).get(path)["items"] != places.Client(peer.url).get(peer_path)["items"]:
                    raise SystemExit(f"{path} does not have the same items on the peer")
            files[kind] = self._write(f"{kind}-tidemark", paths), self._write(f"{kind}-peer", peer_paths)
        return files

    def write_deep_paths(self):
        """Writes two files with paths to the same random positions, for Tidemark and the baseline, and checks some pages."""
        found = places.random_places(self.tidemark.url, self.options.places, PLAIN_FEED)
        tidemark_paths = self._write("deep", [path for path, _ in found])
        baseline_paths = self._write("deep-baseline", [places.baseline_path(item) for _, item in found])
        for path, item in found[:CHECKED_PAGES]:
            pages = [places.checked_ids(server.url, path, has_previous=True) for server in self.servers_by_name.values()]
            if self.baseline:
                pages.append(places.checked_ids(self.baseline.url, places.baseline_path(item), has_previous=True))
            if any(page != pages[0] for page in pages):
                raise SystemExit(f"{path} is not the same page on all servers")
        return tidemark_paths, baseline_paths

    def start_embeds(self, name="embeds", jar=None, port=None):
        """Starts another Tidemark server with the feeds of embeds.yaml, and returns it."""
        self.postgres.sql(self.database, *SIGNED_TABLES)
        settings = {"QUARKUS_CONFIG_LOCATIONS": f"{HERE / 'feeds.yaml'},{HERE / 'embeds.yaml'}"}
        return self.servers.enter_context(self._tidemark(name, port or self.port + 9, settings, jar))

    def start_rooms(self):
        """Starts another Tidemark server with the feeds "rooms" and "named_rooms", and returns it."""
        self.postgres.sql(self.database, *room_tables())
        settings = {"QUARKUS_CONFIG_LOCATIONS": f"{HERE / 'feeds.yaml'},{HERE / 'rooms.yaml'}"}
        return self.servers.enter_context(self._tidemark("rooms", self.port + 9, settings))

    def room_windows(self, feed, limit):
        """Returns the paths of a window of each room, and an id in each of them."""
        ids = self.postgres.sql(self.database, "select distinct on (room) id from public." + feed
                                + " order by room, created_at desc, id desc").split()
        return [f"/api/{feed}/live?room={room}&limit={limit}" for room in range(ROOMS)], ids

    def write_signed_paths(self, server):
        """Writes files with paths to the same random positions, and checks some pages. Returns the files for the feeds of
        embeds.yaml, by name, and the file for the baseline."""
        client = places.Client(server.url)
        items = [item for _, item in places.random_places(server.url, min(self.options.places, 1000))]
        paths = {feed: [places.place_after(client, item["id"], f"/api/{feed}")[0] for item in items]
                 for feed in ("unsigned", *AUTHORS)}
        baseline = [places.baseline_path(item).replace("/messages", "/signed") for item in items]
        for i in range(min(CHECKED_PAGES, len(items))):
            ids = places.checked_ids(self.baseline.url, baseline[i], True)
            if any(places.checked_ids(server.url, of_feed[i], True) != ids for of_feed in paths.values()):
                raise SystemExit(f"{baseline[i]} is not the same page everywhere")
            for feed, authors in AUTHORS.items():
                names = {item["author"]["name"] for item in client.get(paths[feed][i])["items"]}
                if not authors * 4 // 5 <= len(names) <= authors:
                    raise SystemExit(f"{paths[feed][i]} has {len(names)} different authors")
        return {feed: self._write(feed, of_feed) for feed, of_feed in paths.items()}, self._write("signed-baseline", baseline)

    def write_depth_paths(self, name):
        """Writes files with paths to pages at the start of an order and at a depth of 90 %. Returns the path of the
        order's first page, and the files."""
        path, condition, order = ORDERS[name]
        visible = f"from public.messages where deleted_at is null and {condition}"
        count = int(self.postgres.sql(self.database, f"select count(*) {visible}"))
        files = []
        for part in 0, 90:
            ids = self.postgres.sql(
                self.database, f"select id {visible} order by {order} offset {count * part // 100} limit 200")
            found = [places.place_after(places.Client(self.tidemark.url), item, path) for item in ids.split()]
            places.checked_ids(self.tidemark.url, found[0][0], has_previous=True)
            files.append(self._write(f"{name}-{part}", [page for page, _ in found]))
        return path + ("&" if "?" in path else "?") + "limit=30", *files

    def prepare_searches(self):
        """Returns words: one that a single item has, in the middle of the list, one that half of the items have, and one that
        none has."""
        self.postgres.sql(
            self.database,
            f"update public.messages set subject = 'quetzalcoatl' where id = {self.rows // 2} and subject <> 'quetzalcoatl'",
            "update public.messages set body = body || ' evenness' where id % 2 = 0 and body not like '%evenness'",
            "vacuum (analyze) public.messages", "checkpoint")
        return {"once": "quetzalcoatl", "in half": "evenness", "never": "xylophone"}

    def search_page(self, word, number):
        """Returns the path of a page of a search, which is found by reading the pages before it."""
        client = places.Client(self.tidemark.url)
        path = f"{PLAIN_FEED}?limit=30&q={word}"
        first = path
        for _ in range(number - 1):
            path = f"{first}&cursor={client.get(path)['next_cursor']}"
        return path

    def search_without_bound(self, word):
        """Runs the statement that looks at as many rows as needed, once. It ends after a minute at the latest."""
        start = time.monotonic()
        self.postgres.sql(
            self.database, "set enable_sort = off; set statement_timeout = '60s'; select id from public.messages where"
            f" deleted_at is null and (subject ilike '%{word}%' or body ilike '%{word}%')"
            " order by created_at desc, id desc limit 31")
        micros = (time.monotonic() - start) * 1e6
        return {"rps": 1e6 / micros, "p50": micros, "p99": micros}

    def prepare_refreshes(self):
        """Edits some of the items that a client keeps, and returns the requests that refresh all of them: a path with a
        moment, a file with the paths of all their pages, and a file with these paths and the entity tags that the pages had
        before the edits."""
        client = places.Client(self.tidemark.url)
        page = client.get(f"{KEPT_FEED}?limit=100")
        moment, again, conditional = page["moment"], [f"{KEPT_FEED}?limit=100"], []
        while len(again) < KEPT_ITEMS // 100:
            again.append(f"{KEPT_FEED}?limit=100&cursor={page['next_cursor']}")
            page = client.get(again[-1])
        conditional = [f"{path}\t{client.entity_tag(path)}" for path in again]
        self.postgres.sql(
            self.database,
            "with kept as (select id, row_number() over (order by created_at desc, id desc) as place"
            f" from public.messages where deleted_at is null order by place limit {KEPT_ITEMS})"
            " update public.messages m set edited_at = now(), subject = left(subject || '.', 80) from kept"
            f" where m.id = kept.id and place % {KEPT_ITEMS // EDITED_ITEMS} = 0")
        since = f"{KEPT_FEED}?limit={KEPT_ITEMS}&since={moment}"
        page = client.get(since)
        if len(page["keys"]) != KEPT_ITEMS or len(page["items"]) != EDITED_ITEMS:
            raise SystemExit(f"{since} returns {len(page['keys'])} keys and {len(page['items'])} items")
        return since, self._write("again", again), self._write("conditional", conditional)

    def window(self, limit):
        """Returns the query of the window of the newest items, and the ids of these items."""
        page = places.Client(self.tidemark.url).get(f"{KEPT_FEED}?limit={limit}&fields=id,subject")
        return f"limit={limit}&fields=id,subject", [item["id"] for item in page["items"]]

    def windows(self, number, limit):
        """Returns the queries of windows at different places of the list, and one id in each of them."""
        client, queries, ids = places.Client(self.tidemark.url), [], []
        page = client.get(f"{KEPT_FEED}?limit={limit}&fields=id,subject")
        while len(queries) < number:
            query = f"limit={limit}&fields=id,subject&cursor={page['next_cursor']}"
            page = client.get(f"{KEPT_FEED}?{query}")
            queries.append(query)
            ids.append(page["items"][limit // 2]["id"])
        return queries, ids

    def positions(self, number):
        """Returns the paths of streams at the positions of the newest items, and the ids of items at other places."""
        client, paths = places.Client(self.tidemark.url), []
        page = client.get(f"{places.FEED}?limit=1")
        while len(paths) < number:
            paths.append(f"{places.FEED}/fresh?cursor={page['cursors']['top']}")
            page = client.get(f"{places.FEED}?limit=1&cursor={page['next_cursor']}")
        following = client.get(f"{places.FEED}?limit=100&cursor={page['next_cursor']}")
        return paths, [item["id"] for item in following["items"]]

    def filtered_positions(self, lists, number):
        """Returns the paths of streams at the newest items of different lists, which an index serves."""
        client, paths = places.Client(self.tidemark.url), []
        for index in range(lists):
            query = f"created_at.gte=2001-01-01T00:00:00.{index:06}Z"
            items = min(-(-number // lists), number - len(paths))
            page = client.get(f"{places.FEED}?limit=1&{query}")
            for _ in range(items):
                paths.append(f"{places.FEED}/fresh?{query}&cursor={page['cursors']['top']}")
                page = client.get(f"{places.FEED}?limit=1&{query}&cursor={page['next_cursor']}")
        return paths

    def write_paths_with_moments(self, paths):
        """Writes a file with paths in the feed with moments: for each of the first 1,000 paths, the path of the page after the
        first item of its page."""
        client = places.Client(self.tidemark.url)
        items = [places.first_id(client, path) for path in paths.read_text(encoding="utf-8").split()[:1000]]
        found = [places.place_after(client, item, KEPT_FEED) for item in items]
        return self._write("deep-kept", [place[0] for place in found if place])

    def differing_scripts(self):
        """Returns the pgbench scripts that differ from the statements that Tidemark executes, and saves those statements."""
        path = places.random_places(self.tidemark.url, 1, PLAIN_FEED)[0][0]
        found = []
        for script, has_previous, request in (("deep.sql", True, path), ("first.sql", False, FIRST_PAGE)):
            executed = self.postgres.executed_statements(
                self.database, lambda: places.checked_ids(self.tidemark.url, request, has_previous))
            script_of_tidemark = load.to_script(executed[-1]) if executed else "no statement found in PostgreSQL's log"
            if script_of_tidemark != load.statement_of(script):
                (self.options.out / f"executed-{script}").write_text(script_of_tidemark + ";\n", encoding="utf-8")
                found.append(script)
        return found

    def position_range(self):
        """Returns the range of random positions, as variables for pgbench."""
        oldest, newest, rows = self.postgres.sql(
            self.database,
            "select floor(extract(epoch from min(created_at)))::bigint,"
            " floor(extract(epoch from max(created_at)))::bigint, max(id) from public.messages").split("|")
        return {"oldest": oldest, "newest": newest, "rows": rows}

    def _tidemark(self, name, port, settings, jar=None):
        return self._server(name, jar or self.options.tidemark_jar, port, settings | {
            "TIDEMARK_INBOX_ROWS": str(self.rows)}, "/q/health/ready")

    def _server(self, name, jar, port, settings, ready_path):
        return Server(name, jar, port, settings | {
            "QUARKUS_DATASOURCE_REACTIVE_URL": f"postgresql://127.0.0.1:{self.postgres.port}/{self.database}",
            "QUARKUS_DATASOURCE_USERNAME": "postgres",
            "QUARKUS_DATASOURCE_PASSWORD": "postgres",
        }, ready_path, self.options.out / f"{name}-{self.rows}.log", self.options.java_options.split())

    def _write(self, name, paths):
        file = self.options.out / f"{name.replace(' ', '-')}-{self.rows}.paths"
        file.write_text("\n".join(paths) + "\n", encoding="utf-8")
        return file
