"""Finds request paths with cursors at positions in a list, and checks the pages. A place is a pair: the path of a page,
and the item before this page.

As a program, prints random paths for wrk: python3 places.py http://localhost:8080 2000 > paths.txt
"""

import base64
import http.client
import json
import random
import sys
import urllib.parse

FEED = "/api/messages"


class Client:
    """A client with one persistent connection."""

    def __init__(self, url):
        self.connection = http.client.HTTPConnection(urllib.parse.urlsplit(url).netloc, timeout=30)

    def get(self, path):
        """Returns the parsed response; None if the item to jump to does not exist."""
        self.connection.request("GET", path)
        response = self.connection.getresponse()
        body = response.read()
        if response.status == 404:
            return None
        if response.status != 200:
            raise SystemExit(f"{path} failed with {response.status}: {body.decode()}")
        return json.loads(body)

    def entity_tag(self, path):
        """Returns the entity tag of a page."""
        self.connection.request("HEAD", path)
        response = self.connection.getresponse()
        response.read()
        return response.getheader("ETag")


def place_after(client, item_id, path=FEED):
    """Returns the path of the page after an item, and the item; None if the item does not exist or is the last one."""
    jump = f"{path}{'&' if '?' in path else '?'}limit=1&from_id={item_id}"
    page = client.get(jump)
    if not page or not page["has_more"]:
        return None
    separator = "&" if "?" in path else "?"
    return f"{path}{separator}limit=30&cursor={page['next_cursor']}", page["items"][0]


def random_places(url, number, path=FEED):
    """Returns places at random depths of the inbox. Because ids ascend with the timestamps of the default order, random ids are
    at random depths."""
    client = Client(url)
    newest = int(client.get(f"{path}{'&' if '?' in path else '?'}limit=1")["items"][0]["id"])
    generator = random.Random(number)
    places = []
    while len(places) < number:
        place = place_after(client, generator.randint(1, newest), path)
        if place:
            places.append(place)
    return places


def scroll(url, number, path=FEED):
    """Returns places of consecutive pages, from a random place on. The list must have more pages."""
    client = Client(url)
    page_path, item = random_places(url, 1, path)[0]
    places = []
    for _ in range(number):
        places.append((page_path, item))
        page = client.get(page_path)
        page_path = f"{path}{'&' if '?' in path else '?'}limit=30&cursor={page['next_cursor']}"
        item = page["items"][-1]
    return places


def baseline_path(item, filters=""):
    """Returns the path of the page after an item, for the baseline and the peer. Only the peer knows filters."""
    token = base64.urlsafe_b64encode(f"{item['created_at']},{item['id']}".encode()).decode().rstrip("=")
    return f"/messages?limit=30{filters}&cursor={token}"


def first_id(client, path):
    """Returns the id of the first item of a page."""
    return client.get(path)["items"][0]["id"]


def checked_ids(url, path, has_previous):
    """Returns the ids of the items of a page. Exits if the page is not full, or if one of its flags or cursors is wrong."""
    page = Client(url).get(path)
    found = [item["id"] for item in page["items"]]
    if len(found) != 30 or len(set(found)) != 30:
        raise SystemExit(f"{url}{path} does not return 30 items")
    if page["has_prev"] is not has_previous or bool(page["prev_cursor"]) is not has_previous:
        raise SystemExit(f"{url}{path} has a wrong has_prev or prev_cursor")
    if page["has_more"] is not bool(page["next_cursor"]):
        raise SystemExit(f"{url}{path} has a has_more that contradicts its next_cursor")
    return found


if __name__ == "__main__":
    for request, _ in random_places(sys.argv[1], int(sys.argv[2])):
        print(request)
