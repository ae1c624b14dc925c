"""Request paths that go on from places in a list, with cursors that the server gave; and what is true of their answers.

By itself, for wrk: python3 places.py http://localhost:8080 2000 > paths.txt
"""

import base64
import http.client
import json
import random
import sys
import urllib.parse

FEED = "/api/messages"


class Client:
    """One connection that is kept."""

    def __init__(self, url):
        self.connection = http.client.HTTPConnection(urllib.parse.urlsplit(url).netloc, timeout=30)

    def get(self, path):
        """The answer's object; nothing where there is no such place."""
        self.connection.request("GET", path)
        response = self.connection.getresponse()
        body = response.read()
        if response.status == 404:
            return None
        if response.status != 200:
            raise SystemExit(f"{path} is answered with {response.status}: {body.decode()}")
        return json.loads(body)


def behind(client, item, path=FEED):
    """The page behind an item, and the item; nothing if the item is not there, or the last."""
    jump = f"{path}{'&' if '?' in path else '?'}limit=1&from_id={item}"
    page = client.get(jump)
    if not page or not page["has_more"]:
        return None
    separator = "&" if "?" in path else "?"
    return f"{path}{separator}limit=30&cursor={page['next_cursor']}", page["items"][0]


def at_random(url, number):
    """So many places at random depths of the inbox, whose ids ascend with its default order."""
    client = Client(url)
    newest = int(client.get(f"{FEED}?limit=1")["items"][0]["id"])
    draw = random.Random(number)
    places = []
    while len(places) < number:
        place = behind(client, draw.randint(1, newest))
        if place:
            places.append(place)
    return places


def for_baseline(item):
    """The same place as the plain resource names it."""
    token = base64.urlsafe_b64encode(f"{item['created_at']},{item['id']}".encode()).decode().rstrip("=")
    return f"/messages?limit=30&cursor={token}"


def ids(url, path, following):
    """The ids of a full page. Stops the comparison at an answer that is not what a page has to be."""
    page = Client(url).get(path)
    found = [item["id"] for item in page["items"]]
    if len(found) != 30 or len(set(found)) != 30:
        raise SystemExit(f"{url}{path} does not give 30 items")
    if page["has_prev"] is not following or bool(page["prev_cursor"]) is not following:
        raise SystemExit(f"{url}{path} is wrong about what stands before it")
    if page["has_more"] is not bool(page["next_cursor"]):
        raise SystemExit(f"{url}{path} contradicts itself about what follows")
    return found


if __name__ == "__main__":
    for request, _ in at_random(sys.argv[1], int(sys.argv[2])):
        print(request)
