import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Feed} from '../../client/javascript/index.js';
import {FeedServer, IMPATIENT} from './feed-server.mjs';

const listOf = (server, options = {}) => new Feed('/api/n', {fetch: server.fetch, retry: IMPATIENT, ...options}).list();
const ids = list => list.items.map(item => item.id);

test('it pages forward to the end', async () => {
  const list = listOf(new FeedServer(1, 2, 3, 4, 5));
  await list.start();
  assert.equal(list.atEnd, false);
  await list.next();
  assert.deepEqual(ids(list), [5, 4, 3, 2, 1]);
  assert.equal(list.atEnd, true);
  assert.equal(await list.next(), null);
});

test('concurrent inserts and deletes neither repeat nor lose an item', async () => {
  const server = new FeedServer(1, 2, 3, 4, 5, 6);
  const list = listOf(server);
  await list.start();
  server.rows = [1, 2, 3, 5, 6, 7, 8];
  await list.next();
  assert.deepEqual(ids(list), [6, 5, 4, 3, 2, 1]);
});

test('from the middle, a list pages both ways and recognizes both ends', async () => {
  const list = listOf(new FeedServer(1, 2, 3, 4, 5, 6, 7, 8, 9));
  await list.start({cursor: '>6'});
  assert.equal(list.atStart, false);
  await list.previous();
  assert.deepEqual(ids(list), [8, 7, 6, 5, 4, 3]);
  await list.previous();
  assert.equal(list.atStart, true);
  await list.next();
  assert.deepEqual(ids(list), [9, 8, 7, 6, 5, 4, 3, 2, 1]);
});

test('a refresh puts newer items before the present ones', async () => {
  const server = new FeedServer(1, 2, 3, 4);
  const list = listOf(server);
  await list.start();
  assert.deepEqual(await list.refresh(), {added: [], changed: [], removed: []});
  server.rows.push(5, 6);
  assert.deepEqual((await list.refresh()).added, [{id: 6}, {id: 5}]);
  assert.deepEqual(ids(list), [6, 5, 4, 3, 2]);
  assert.equal(list.pages[0].hole, null);
});

test('without moments, a refresh shows the edits, moves, and deletions on all pages', async () => {
  const server = new FeedServer(1, 2, 3, 4, 5, 6, 7, 8, 9);
  server.maxLimit = 4;
  const list = listOf(server);
  await list.start();
  await list.next();
  await list.next();
  const [nine] = list.items;
  server.write(10, 'new');
  server.write(5, 'edited');
  server.write(2, 'moved up', 6.5);
  server.remove(8);
  const {added, changed, removed} = await list.refresh();
  assert.deepEqual(list.items, server.list);
  assert.deepEqual([added, changed, removed].map(items => items.map(item => item.id)), [[10], [2, 5], [8]]);
  assert.equal(list.items[1], nine, 'an unchanged item stays the same object');
  assert.deepEqual(list.pages.map(page => page.items.length), [3, 4, 2], 'an item between two pages is put on the lower one');
});

test('without moments, a refresh keeps the position of a list that was not read from its start', async () => {
  const server = new FeedServer(1, 2, 3, 4, 5, 6, 7, 8, 9);
  const list = listOf(server);
  await list.start({cursor: '>7'});
  server.write(5, 'edited');
  server.remove(6);
  await list.refresh();
  assert.deepEqual(list.items, [{id: 5, text: 'edited'}, {id: 4}]);
  assert.equal(list.atStart, false);
  await list.next();
  assert.deepEqual(ids(list), [5, 4, 3, 2, 1]);
});

test('without moments, a refresh that fails halfway leaves the list as it was', async () => {
  const server = new FeedServer(1, 2, 3, 4, 5, 6);
  server.maxLimit = 3;
  const list = listOf(server);
  await list.start();
  await list.next();
  server.write(6, 'edited');
  server.failures = [null, {status: 400, code: 'invalid_cursor'}];
  await assert.rejects(list.refresh(), {code: 'invalid_cursor'});
  assert.deepEqual(list.items, [6, 5, 4, 3, 2, 1].map(id => ({id})));
});

test('without moments, items without a key can be refreshed', async () => {
  const server = new FeedServer(1, 2, 3);
  const list = listOf(server, {key: ['name']});
  await list.start();
  server.write(2, 'edited');
  const {added, changed, removed} = await list.refresh();
  assert.deepEqual(list.items, server.list);
  assert.deepEqual([added, changed, removed], [[{id: 2, text: 'edited'}], [], [{id: 2}]]);
});

test('a long absence leaves a hole, which is filled page by page', async () => {
  const server = new FeedServer(1, 2, 3);
  server.maxLimit = 3;
  const list = listOf(server);
  await list.start();
  server.rows.push(4, 5, 6, 7, 8, 9, 10);
  await list.refresh();
  const [page] = list.pages;
  assert.deepEqual(ids(list), [10, 9, 8, 3, 2, 1]);
  const more = await list.fill(page);
  assert.deepEqual(ids(list), [10, 9, 8, 7, 6, 5, 3, 2, 1]);
  assert.equal(page.hole, null);
  await list.fill(more);
  assert.deepEqual(ids(list), [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  assert.equal(list.pages.some(one => one.hole), false);
});

test('a hole whose items were all deleted closes', async () => {
  const server = new FeedServer(1);
  server.maxLimit = 3;
  const list = listOf(server);
  await list.start();
  server.rows = [1, 2, 3, 4, 5];
  await list.refresh();
  const [page] = list.pages;
  server.rows = [1, 3, 4, 5];
  assert.equal(await list.fill(page), null);
  assert.deepEqual(ids(list), [5, 4, 3, 1]);
});

test('at the end, it continues with items that were added there', async () => {
  const server = new FeedServer(5, 6);
  const list = listOf(server);
  await list.start();
  server.rows.push(4);
  await list.next();
  assert.deepEqual(ids(list), [6, 5, 4]);
});

test('an empty list shows its first items', async () => {
  const server = new FeedServer();
  const list = listOf(server);
  await list.start();
  assert.equal(list.isEmpty, true);
  assert.equal(list.top, null);
  server.rows.push(1);
  assert.deepEqual((await list.refresh()).added, [{id: 1}]);
  assert.deepEqual(ids(list), [1]);
});

test('two concurrent calls share one read', async () => {
  const server = new FeedServer(1, 2, 3, 4, 5, 6, 7);
  const list = listOf(server);
  await list.start();
  await Promise.all([list.next(), list.next()]);
  assert.deepEqual(ids(list), [7, 6, 5, 4, 3, 2]);
});

test('canceling ends the running request and keeps the items', async () => {
  const server = new FeedServer(1, 2, 3, 4, 5);
  const list = listOf(server);
  await list.start();
  server.failures = ['hang'];
  const reading = list.next();
  list.cancel();
  await assert.rejects(reading, {name: 'AbortError'});
  assert.deepEqual(ids(list), [5, 4, 3]);
  await list.next();
  assert.deepEqual(ids(list), [5, 4, 3, 2, 1]);
});

test('a response from before a restart of the list is ignored', async () => {
  const server = new FeedServer(1, 2, 3, 4, 5);
  const list = listOf(server);
  await list.start();
  const late = list.next().catch(error => error.name);
  await list.start();
  assert.equal(await late, 'AbortError');
  assert.deepEqual(ids(list), [5, 4, 3]);
});

test('the position of a page leads back to it', async () => {
  const server = new FeedServer(1, 2, 3, 4, 5);
  const list = listOf(server);
  await list.start();
  const page = await list.next();
  const other = listOf(server);
  await other.start(list.startOf(page));
  assert.deepEqual(ids(other), [2, 1]);
});

test('a page requested during a restart does not end up behind the new first page', async () => {
  const server = new FeedServer(1, 2, 3, 4, 5, 6, 7, 8, 9);
  const slow = async (url, options) => {
    const answer = await server.fetch(url, options);
    await new Promise(resolve => setTimeout(resolve, url.includes('cursor') ? 20 : 5));
    options.signal.throwIfAborted();
    return answer;
  };
  const list = listOf(server, {fetch: slow});
  await list.start({cursor: '>8'});
  const starting = list.start();
  const late = list.next().catch(error => error.name);
  await starting;
  assert.equal(await late, 'AbortError');
  assert.deepEqual(ids(list), [9, 8, 7]);
});

test('an item that moved to the top shows once after a refresh without moments', async () => {
  const server = new FeedServer(1, 2, 3, 4);
  const list = listOf(server);
  await list.start();
  server.write(3, 'edited', 9);
  const {added, changed, removed} = await list.refresh();
  assert.deepEqual(list.items, [{id: 3, text: 'edited'}, {id: 4}, {id: 2}]);
  assert.deepEqual([added, changed, removed], [[], [{id: 3, text: 'edited'}], []]);
});

test('an item that moved up shows once after reading back to the top', async () => {
  const server = new FeedServer(1, 2, 3, 4, 5, 6);
  const list = listOf(server);
  await list.start({cursor: '>4'});
  server.write(2, 'edited', 9);
  while (!list.atStart) {
    await list.previous();
  }
  assert.deepEqual(ids(list), [2, 6, 5, 4, 3, 1]);
});

test('an item that moved into a hole shows once after the hole is filled', async () => {
  const server = new FeedServer(1, 2, 3);
  server.maxLimit = 3;
  const list = listOf(server);
  await list.start();
  server.rows.push(4, 5, 6, 7, 8);
  await list.refresh();
  server.write(2, 'moved', 4.5);
  for (let page = list.pages[0]; page?.hole; ) {
    page = await list.fill(page);
  }
  assert.deepEqual(ids(list), [8, 7, 6, 5, 2, 4, 3, 1]);
});

test('a list that starts again on a refresh reports as added only items that it never had', async () => {
  const server = new FeedServer(1, 2, 3, 4);
  const list = listOf(server);
  await list.start();
  server.rows = [];
  await list.start();
  server.rows = [1, 4, 5];
  assert.deepEqual((await list.refresh()).added, [{id: 5}, {id: 1}]);
});

test('subscribers are called after each change, and the items are the same array in between', async () => {
  const server = new FeedServer(1, 2, 3, 4, 5);
  const list = listOf(server);
  const seen = [];
  const unsubscribe = list.subscribe(() => seen.push(ids(list)));
  await list.start();
  const items = list.items;
  assert.equal(list.items, items);
  await list.next();
  assert.notEqual(list.items, items);
  server.rows.push(6);
  await list.refresh();
  assert.deepEqual(seen, [[5, 4, 3], [5, 4, 3, 2, 1], [6, 5, 4, 3, 2, 1]]);
  unsubscribe();
  await list.start();
  assert.equal(seen.length, 3);
});

test('subscribers are called if a read without items shows that the list has ended', async () => {
  const server = new FeedServer(1, 2, 3, 4);
  const list = listOf(server);
  await list.start();
  let calls = 0;
  list.subscribe(() => calls++);
  server.rows = [2, 3, 4];
  assert.equal(list.atEnd, false);
  assert.equal(await list.next(), null);
  assert.equal(list.atEnd, true);
  assert.equal(calls, 1);
});
