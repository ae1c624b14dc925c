"""Sends requests at a fixed rate, however fast they are answered: an open loop. The time of a request counts from the moment
at which it was due, so that waiting for a slow server is not left out."""

import asyncio
import statistics
import time


class Load:
    """Requests to some paths, in turn, at a rate per second."""

    def __init__(self, paths, rate):
        self.paths, self.rate = paths, rate


def send(port, seconds, loads):
    """Sends several loads at the same time. Returns the figures of each: the share that was answered with a page, and
    percentiles of the times in microseconds."""
    return asyncio.run(_send(port, seconds, loads))


async def _send(port, seconds, loads):
    started = time.monotonic() + 0.1
    idle = []
    tasks = {name: [] for name in loads}
    due = sorted((number / load.rate, name, load.paths[number % len(load.paths)])
                 for name, load in loads.items() for number in range(int(seconds * load.rate)))
    for offset, name, path in due:
        await asyncio.sleep(max(0, started + offset - time.monotonic()))
        tasks[name].append(asyncio.ensure_future(_request(port, idle, path, started + offset)))
    return {name: _figures(await asyncio.gather(*requests), seconds) for name, requests in tasks.items()}


async def _request(port, idle, path, due):
    """Returns the status of the response, or 0 if there is none, and the time since the request was due."""
    try:
        reader, writer = idle.pop() if idle else await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        length = int(head.split("content-length:")[1].split("\r\n")[0])
        await reader.readexactly(length)
        idle.append((reader, writer))
        return int(head.split()[1]), time.monotonic() - due
    except (OSError, asyncio.IncompleteReadError):
        return 0, time.monotonic() - due


def _figures(responses, seconds):
    times = sorted(elapsed * 1e6 for _, elapsed in responses)
    answered = sum(status == 200 for status, _ in responses)
    return {"answered": 100 * answered / len(responses), "rps": answered / seconds,
            "p50": statistics.median(times), "p99": times[len(times) * 99 // 100], "max": times[-1]}
