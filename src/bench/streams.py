"""Event streams of live windows and of new items, and clients that poll with `since` instead. One thread reads all of
them with epoll.

Each commit writes the time at which it began into the subject of a message, so the time from the commit to an event is the
difference between that time and the time at which the event arrived. Both are read from the clock of this machine. The
number of new items says which inserts it includes.
"""

import heapq
import json
import re
import select
import socket
import subprocess
import threading
import time
import urllib.parse

COUNT = re.compile(rb'"count":(\d+),"capped":(\w+)')
MARK = re.compile(rb'"subject":"mark (\d+\.\d+)"')
WINDOW = 65536


class Streams:
    """Event streams of the given paths."""

    def __init__(self, server, paths):
        self.address = urllib.parse.urlsplit(server.url)
        self.sockets, self.epoll, self.ended = {}, select.epoll(), 0
        self.reset()
        for path in paths:
            self._open(path)
        self._await_first_events()
        self.stopping = threading.Event()
        self.thread = threading.Thread(target=self._read_all, daemon=True)
        self.thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stopping.set()
        self.thread.join()
        for stream in self.sockets.values():
            stream.close()
        self.epoll.close()

    def __len__(self):
        return len(self.sockets)

    def reset(self):
        self.delays, self.bytes, self.largest = [], 0, 0

    def _open(self, path):
        self._request(socket.create_connection((self.address.hostname, self.address.port)), path)

    def _request(self, stream, path):
        stream.sendall(f"GET {path} HTTP/1.1\r\nHost: {self.address.netloc}\r\nAccept: text/event-stream\r\n\r\n".encode())
        self.sockets[stream.fileno()] = stream
        self.epoll.register(stream, select.EPOLLIN)

    def _await_first_events(self):
        """Waits until each stream has its first page."""
        waiting, deadline = set(self.sockets), time.monotonic() + 120
        while waiting:
            if time.monotonic() > deadline:
                raise SystemExit(f"{len(waiting)} streams have no first event")
            for number, _ in self.epoll.poll(1):
                data = self.sockets[number].recv(1 << 20)
                if not data or b" 503 " in data[:40]:
                    raise SystemExit(f"a stream ended: {data[:400]!r}")
                if b"event: page" in data or b"event: fresh" in data:
                    self._on_first_event(number, data)
                    waiting.discard(number)

    def _on_first_event(self, number, data):
        pass

    def _read_all(self):
        while not self.stopping.is_set():
            for number, _ in self.epoll.poll(0.2):
                data = self.sockets[number].recv(WINDOW)
                now = time.time()
                if not data:
                    self.ended += 1
                    self.epoll.unregister(number)
                    continue
                self.bytes += len(data)
                self.largest = max(self.largest, len(data))
                self._on_data(number, data, now)

    def _on_data(self, number, data, now):
        self.delays += [now - float(mark.group(1)) for mark in MARK.finditer(data)]


class StalledStreams(Streams):
    """Event streams whose clients read nothing after the first event."""

    def _open(self, path):
        stream = socket.socket()
        # Must be set before connecting. The server's kernel still takes some megabytes.
        stream.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        stream.connect((self.address.hostname, self.address.port))
        self._request(stream, path)

    def _read_all(self):
        pass


class FreshStreams(Streams):
    """Event streams of new items, opened before the given writer inserts any."""

    def __init__(self, server, paths, writer):
        self.writer, self.first, self.included = writer, {}, {}
        super().__init__(server, paths)

    def _on_first_event(self, number, data):
        count, capped = COUNT.findall(data)[-1]
        if capped == b"false":
            self.first[number], self.included[number] = int(count), 0

    def _on_data(self, number, data, now):
        for count, capped in COUNT.findall(data):
            if number in self.first and capped == b"false":
                included = int(count) - self.first[number]
                self.delays += [now - at for at in self.writer.inserts[self.included[number]:included]]
                self.included[number] = included


class Polling:
    """Clients that poll the windows of the given paths with `since`, once a second each, over one connection per thread."""

    def __init__(self, server, paths, clients=8):
        self.url, self.paths = urllib.parse.urlsplit(server.url), paths
        self.delays, self.bytes, self.requests, self.ended = [], 0, 0, 0
        self.lock, self.stopping = threading.Lock(), threading.Event()
        self.threads = [threading.Thread(target=self._poll, args=(paths[index::clients],), daemon=True)
                        for index in range(clients)]

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.stopping.set()
        for thread in self.threads:
            thread.join()

    def __len__(self):
        return len(self.paths)

    def reset(self):
        with self.lock:
            self.delays, self.bytes, self.requests = [], 0, 0

    def _poll(self, paths):
        connection = socket.create_connection((self.url.hostname, self.url.port))
        stream = connection.makefile("rb")
        now = time.monotonic()
        due = [(now + index / len(paths), index, path, None) for index, path in enumerate(paths)]
        heapq.heapify(due)
        while not self.stopping.is_set():
            at, index, path, moment = heapq.heappop(due)
            time.sleep(max(0, at - time.monotonic()))
            moment_parameter = f"&since={moment}" if moment else ""
            connection.sendall(f"GET {path}{moment_parameter} HTTP/1.1\r\nHost: {self.url.netloc}\r\n\r\n".encode())
            body = self._response(stream)
            arrived = time.time()
            with self.lock:
                self.requests += 1
                self.bytes += len(body)
                if moment:
                    self.delays += [arrived - float(mark.group(1)) for mark in MARK.finditer(body)]
            heapq.heappush(due, (at + 1, index, path, json.loads(body)["moment"]))
        connection.close()

    @staticmethod
    def _response(stream):
        status, length = stream.readline(), 0
        while (line := stream.readline().strip()):
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        body = stream.read(length)
        if b" 200 " not in status:
            raise SystemExit(f"a poll failed: {status!r} {body[:300]!r}")
        return body


class Writer:
    """Marks the messages with the given ids, in turn, with the given number of commits per second."""

    LAST_STATEMENT = ""

    def __init__(self, postgres, database, ids, rate, table="messages"):
        self.ids, self.rate, self.table, self.stopping = ids, rate, table, threading.Event()
        self.psql = subprocess.Popen(
            [postgres.binaries / "psql", "-qAtX", "-h", "127.0.0.1", "-p", str(postgres.port), "-U", "postgres", "-d", database],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        self.thread = threading.Thread(target=self._write, daemon=True)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.stopping.set()
        self.thread.join()
        self.psql.stdin.write(self.LAST_STATEMENT)
        self.psql.stdin.close()
        self.psql.wait()

    def _write(self):
        due, number = time.monotonic(), 0
        while not self.stopping.is_set():
            self.psql.stdin.write(self._statement(number) + ";\n")
            self.psql.stdin.flush()
            number, due = number + 1, due + 1 / self.rate
            time.sleep(max(0, due - time.monotonic()))

    def _statement(self, number):
        return (f"update public.{self.table} set subject = 'mark {time.time():.6f}'"
                f" where id = {self.ids[number % len(self.ids)]}")


class Inserter(Writer):
    """Like Writer, but one commit a second inserts the newest message of the list instead. `inserts` has their times. Deletes
    these messages at the end, because a number of new items is not exact beyond 100."""

    LAST_STATEMENT = "delete from public.messages where body = 'new';\n"

    def __init__(self, postgres, database, ids, rate):
        super().__init__(postgres, database, ids, rate)
        self.inserts = []

    def _statement(self, number):
        if number % self.rate:
            return super()._statement(number)
        self.inserts.append(time.time())
        return "insert into public.messages (created_at, subject, body) values (clock_timestamp(), 'new', 'new')"


class BulkWriter(Writer):
    """Like Writer, but each commit edits all of the messages."""

    def _statement(self, number):
        return f"update public.messages set subject = 'edit {number}' where id in ({','.join(map(str, self.ids))})"
