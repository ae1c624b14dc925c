import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Feed} from '../../client/javascript/index.js';
import {FeedServer, IMPATIENT} from './feed-server.mjs';

const ids = items => items.map(item => item.id);

/** A server with rows 10, 20, ..., and a list that has read some pages of three items from its top. */
async function loaded({rows = 12, pages = 3, place = {}} = {}) {
  const server = new FeedServer();
  server.delta = true;
  for (let row = 1; row <= rows; row++) {
    server.write(row * 10, `text ${row}`);
  }
  const feed = new Feed('/api/n', {fetch: server.fetch, retry: IMPATIENT});
  const list = feed.list();
  await list.start(place);
  for (let page = 1; page < pages; page++) {
    server.writeElsewhere();
    await list.next();
  }
  server.calls = [];
  return {server, feed, list};
}

/** The items that the list should have: those of the server above the row `last`. */
const range = (server, last) => server.list.filter(item => item.id > last);

test('inserts, edits, moves, deletions, and late rows show at their places', async () => {
  const {server, list} = await loaded();
  const [unchanged] = list.items;
  server.write(130, 'new at the top');
  server.write(85, 'committed late');
  server.write(110, 'edited');
  server.write(50, 'moved up', 105);
  server.remove(90);
  const changes = await list.refresh();
  assert.deepEqual(list.items, server.list.filter(({id}) => id >= 40));
  assert.deepEqual(ids(list.items), [130, 120, 110, 50, 100, 85, 80, 70, 60, 40]);
  assert.deepEqual(ids(changes.added), [130, 85]);
  assert.deepEqual(ids(changes.changed), [110, 50]);
  assert.deepEqual(ids(changes.removed), [90]);
  assert.equal(list.items[1], unchanged, 'an unchanged item stays the same object');
});

test('the second refresh is one request for all pages', async () => {
  const {server, list} = await loaded();
  await list.refresh();
  assert.equal(server.calls.length, 3, 'pages read at three moments are asked for separately');
  server.write(70, 'edited');
  server.calls = [];
  await list.refresh();
  assert.deepEqual(list.items, range(server, 30));
  assert.deepEqual(server.calls, ['/api/n?limit=109&since=14&until=%3E40']);
});

test('pages that are read later are refreshed with their own moment', async () => {
  const {server, list} = await loaded({pages: 1});
  await list.refresh();
  server.write(110, 'edited before the next page is read');
  await list.next();
  server.write(80, 'edited after it');
  await list.refresh();
  assert.deepEqual(list.items, range(server, 60));
});

test('pages remain the same objects with their bookmarks, so that reading continues', async () => {
  const {server, list} = await loaded();
  const pages = [...list.pages];
  server.write(115, 'late');
  server.remove(40);
  await list.refresh();
  assert.ok(list.pages.every((page, at) => page === pages[at]));
  assert.deepEqual(list.pages.map(page => page.items.length), [4, 3, 2]);
  await list.next();
  assert.deepEqual(list.items, server.list);
});

test('nothing is reported as new twice', async () => {
  const {server, list} = await loaded();
  server.write(130, 'new');
  assert.deepEqual(ids((await list.refresh()).added), [130]);
  server.write(130, 'edited');
  assert.deepEqual(ids((await list.refresh()).added), []);
  server.remove(130);
  assert.deepEqual(ids((await list.refresh()).removed), [130]);
  server.write(130, 'restored');
  assert.deepEqual(await list.refresh(), {added: [], changed: [], removed: []});
  assert.deepEqual(ids(list.items).slice(0, 2), [130, 120]);
});

test('items that are read on during a refresh are not reported as new', async () => {
  const {server} = await loaded();
  const {fetch} = server;
  let readOn = null;
  const list = new Feed('/api/n', {retry: IMPATIENT, fetch: async (url, init) => {
    const answer = await fetch(url, init);
    if (url.includes('since')) {
      await (readOn ??= list.next());
    }
    return answer;
  }}).list();
  await list.start();
  server.write(130, 'new');
  assert.deepEqual(ids((await list.refresh()).added), [130]);
  assert.deepEqual(list.items, server.list.slice(0, 7));
});

test('an item that is sent again without a change stays the same object', async () => {
  const {server, list} = await loaded();
  const before = list.items;
  server.write(100, 'text 10');
  assert.deepEqual((await list.refresh()).changed, []);
  assert.ok(list.items.every((item, at) => item === before[at]));
});

test('a key without a copy is read by itself', async () => {
  const {server, list} = await loaded();
  server.reveal(75);
  await list.refresh();
  assert.deepEqual(list.items, range(server, 30));
  assert.ok(server.calls.includes('/api/n?limit=1&from_id=75'), server.calls);
});

test('a key without a copy that is deleted meanwhile is left out', async () => {
  const {server} = await loaded({pages: 1});
  server.reveal(115);
  const {fetch} = server;
  const other = new Feed('/api/n', {retry: IMPATIENT, fetch: (url, init) => {
    url.includes('from_id') && server.remove(115);
    return fetch(url, init);
  }}).list();
  await other.start();
  server.remove(115);
  await other.start();
  server.reveal(115);
  await other.refresh();
  assert.deepEqual(ids(other.items), [120, 110, 100]);
});

test('a refresh that fails half way changes nothing, and can be repeated', async () => {
  const {server, list} = await loaded();
  const before = list.items;
  server.write(110, 'edited');
  server.write(60, 'edited');
  server.failures = [null, {status: 500, code: 'internal'}];
  await assert.rejects(list.refresh(), {code: 'internal'});
  assert.deepEqual(list.items, before);
  assert.deepEqual(ids((await list.refresh()).changed), [110, 60]);
  assert.deepEqual(list.items, range(server, 30));
});

test('a canceled refresh changes nothing', async () => {
  const {server, list} = await loaded({pages: 1});
  const before = list.items;
  server.write(110, 'edited');
  const refreshing = list.refresh();
  list.cancel();
  await assert.rejects(refreshing, {name: 'AbortError'});
  assert.deepEqual(list.items, before);
});

test('in the middle of a list, the loaded range is refreshed, and nothing above it', async () => {
  const {server, list} = await loaded({pages: 2, place: {cursor: '>100'}});
  assert.deepEqual(ids(list.items), [90, 80, 70, 60, 50, 40]);
  server.write(95, 'inserted right above the first item');
  server.write(80, 'edited');
  server.write(65, 'late');
  server.remove(90);
  await list.refresh();
  assert.deepEqual(list.items, server.list.filter(({id}) => id < 90 && id >= 40));
  await list.previous();
  assert.deepEqual(ids(list.items), [110, 100, 95, 80, 70, 65, 60, 50, 40]);
});

test('after a long absence, the new items come with a hole, and the old ones are refreshed', async () => {
  const {server, list} = await loaded();
  for (let row = 130; row < 430; row++) {
    server.write(row, 'new');
  }
  server.write(110, 'edited');
  server.remove(90);
  const changes = await list.refresh();
  assert.equal(list.pages.length, 4);
  assert.deepEqual(ids(list.pages.slice(1).flatMap(page => page.items)), [120, 110, 100, 80, 70, 60, 50, 40]);
  assert.deepEqual(ids(changes.changed), [110]);
  for (let page = list.pages[0]; page?.hole; ) {
    page = await list.fill(page);
  }
  assert.deepEqual(list.items, range(server, 30));
});

test('a list with a hole is refreshed on both sides of it', async () => {
  const {server, list} = await loaded();
  for (let row = 130; row < 430; row++) {
    server.write(row, 'new');
  }
  await list.refresh();
  const above = list.pages[0].items.length;
  server.write(429, 'edited above the hole');
  server.write(120, 'edited below it');
  server.write(125, 'inserted in it');
  const changes = await list.refresh();
  assert.deepEqual(ids(changes.changed), [429, 120]);
  assert.equal(list.pages[0].items.length, above);
  assert.notEqual(list.pages[0].hole, null);
});

test('a hole ends where the page below it begins', async () => {
  const {server, list} = await loaded();
  for (let row = 130; row < 430; row++) {
    server.write(row, 'new');
  }
  await list.refresh();
  server.remove(120);
  server.remove(110);
  await list.refresh();
  server.write(120, 'restored');
  server.write(110, 'restored');
  await list.refresh();
  for (let page = list.pages[0]; page?.hole; ) {
    page = await list.fill(page);
  }
  assert.deepEqual(list.items, range(server, 30));
});

test('a hole that is filled during a refresh ends where the page below it begins', async () => {
  const {server} = await loaded();
  const {fetch} = server;
  let duringRefresh = null;
  const list = new Feed('/api/n', {retry: IMPATIENT, fetch: async (url, init) => {
    const answer = await fetch(url, init);
    if (url.includes('since') && duringRefresh) {
      await duringRefresh();
    }
    return answer;
  }}).list();
  await list.start();
  for (let row = 130; row < 430; row++) {
    server.write(row, 'new');
  }
  await list.refresh();
  server.remove(120);
  let filling = null;
  duringRefresh = () => (filling ??= list.fill(list.pages[0]));
  await list.refresh();
  duringRefresh = null;
  server.write(120, 'restored');
  await list.refresh();
  for (let page = await filling; page?.hole; ) {
    page = await list.fill(page);
  }
  assert.deepEqual(list.items, range(server, 90));
});

test('an item that moves while pages are read shows once', async () => {
  const {server} = await loaded();
  const {fetch} = server;
  const feed = new Feed('/api/n', {retry: IMPATIENT, fetch: async (url, init) => {
    const answer = await fetch(url, init);
    url.includes('since') && server.write(110, 'moves down', 45);
    return answer;
  }});
  const other = feed.list();
  await other.start();
  await other.next();
  await other.next();
  await other.refresh();
  assert.equal(new Set(ids(other.items)).size, other.items.length);
});

test('a moment that the server does not accept any more is replaced by reading all items', async () => {
  const {server, list} = await loaded({pages: 1});
  server.write(110, 'edited');
  server.failures = [{status: 400, code: 'invalid_moment', parameter: 'since'}];
  assert.deepEqual(ids((await list.refresh()).changed), [110]);
  assert.deepEqual(list.items, range(server, 90));
});

test('a list can be read on after everything in its range was deleted', async () => {
  const {server, list} = await loaded({pages: 2});
  server.rows = [10, 20];
  await list.refresh();
  assert.equal(list.isEmpty, true);
  await list.next();
  assert.deepEqual(ids(list.items), [20, 10]);
  server.write(30, 'new');
  await list.refresh();
  assert.deepEqual(ids(list.items), [30, 20, 10]);
});

test('a refresh of items without the key is rejected', async () => {
  const {server} = await loaded();
  const list = new Feed('/api/n', {fetch: server.fetch, key: ['tenant', 'id']}).list();
  await list.start();
  await assert.rejects(list.refresh(), /no tenant and id/);
});

test('items that were appended to a list that was read to its end show after a refresh', async () => {
  const {server, list} = await loaded({rows: 5, pages: 2});
  assert.equal(list.atEnd, true);
  server.write(5, 'appended');
  server.write(40, 'edited');
  server.calls = [];
  const changes = await list.refresh();
  assert.deepEqual(list.items, server.list);
  assert.deepEqual(ids(changes.added), [5]);
  assert.equal(list.atEnd, true);
  server.write(4, 'appended later');
  await list.refresh();
  assert.deepEqual(list.items, server.list);
});

test('items that were appended show once if they are also read on during the refresh', async () => {
  const {server} = await loaded({rows: 2, pages: 1});
  const {fetch} = server;
  let refreshing = null;
  const list = new Feed('/api/n', {retry: IMPATIENT, fetch: async (url, init) => {
    const answer = await fetch(url, init);
    if (url.includes('cursor')) {
      await refreshing;
    }
    return answer;
  }}).list();
  await list.start();
  server.write(5, 'appended');
  refreshing = list.refresh();
  await list.next();
  assert.deepEqual(list.items, server.list);
});

test('if many items were appended, a refresh shows the first ones, and reading on shows the others', async () => {
  const {server, list} = await loaded({rows: 5, pages: 2});
  for (let row = 1; row < 300; row++) {
    server.write(row / 100, 'appended');
  }
  await list.refresh();
  assert.equal(list.atEnd, false);
  assert.deepEqual(list.items, server.list.slice(0, list.items.length));
  while (!list.atEnd) {
    await list.next();
  }
  assert.deepEqual(list.items, server.list);
});

test('a list with many new items at both ends is complete after reading on', async () => {
  const {server, list} = await loaded({rows: 5, pages: 2});
  for (let row = 1; row < 300; row++) {
    server.write(row / 100, 'appended');
    server.write(100 + row, 'new');
  }
  server.write(30, 'edited');
  await list.refresh();
  for (let page = list.pages[0]; page?.hole; ) {
    page = await list.fill(page);
  }
  while (!list.atEnd) {
    await list.next();
  }
  assert.deepEqual(list.items, server.list);
});

test('many keys without copies are read together', async () => {
  const {server, list} = await loaded();
  for (let row = 71; row < 80; row++) {
    server.reveal(row);
  }
  server.calls = [];
  await list.refresh();
  assert.deepEqual(list.items, range(server, 30));
  assert.deepEqual(server.calls.filter(url => url.includes('from_id')), ['/api/n?limit=9&from_id=79']);
});

/** After random writes, reads, and refreshes, and one more refresh, the list equals the start of the server's list. */
test('after random changes, the list equals that of the server', async () => {
  let seed = 17;
  const random = below => (seed = (seed * 48271) % 2147483647) % below;
  for (let round = 0; round < 30; round++) {
    const {server, list} = await loaded({rows: 30, pages: 1 + random(5)});
    for (let step = 0; step < 12; step++) {
      const row = server.rows[random(server.rows.length)];
      for (let change = random(6); change > 0; change--) {
        [() => server.write(random(400), `insert ${step}`), () => server.write(row, `edit ${step}`, random(40_000) / 100), () => server.remove(row)][random(3)]();
      }
      random(3) === 0 ? await list.next() : await list.refresh();
    }
    await list.refresh();
    assert.deepEqual(list.items, server.list.slice(0, list.items.length), `round ${round}`);
  }
});
