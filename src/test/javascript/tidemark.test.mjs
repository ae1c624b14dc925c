import assert from 'node:assert/strict';
import {test} from 'node:test';
import {FeedList, FeedLists, watchFresh} from '../../main/resources/dev/tidemark/inbox/pages/tidemark.js';
import {FeedServer} from './feed-server.mjs';

const IMPATIENT = {attempts: 3, first: 1, most: 2, timeout: 1000};
const listOf = (server, options = {}) => new FeedList('/api/n', {}, {fetch: server.fetch, patience: IMPATIENT, ...options});
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

test('from the middle it pages both ways and recognises both ends', async () => {
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
  assert.equal(await list.refresh(), null);
  server.rows.push(5, 6);
  const page = await list.refresh();
  assert.deepEqual(ids(list), [6, 5, 4, 3, 2]);
  assert.equal(page.hole, null);
});

test('a long absence leaves a gap, which is filled page by page', async () => {
  const server = new FeedServer(1, 2, 3);
  const list = listOf(server);
  await list.start();
  server.rows.push(4, 5, 6, 7, 8, 9, 10);
  const page = await list.refresh();
  assert.deepEqual(ids(list), [10, 9, 8, 3, 2, 1]);
  const more = await list.fill(page);
  assert.deepEqual(ids(list), [10, 9, 8, 7, 6, 5, 3, 2, 1]);
  assert.equal(page.hole, null);
  await list.fill(more);
  assert.deepEqual(ids(list), [10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  assert.equal(list.pages.some(one => one.hole), false);
});

test('a gap whose items were all deleted closes', async () => {
  const server = new FeedServer(1);
  const list = listOf(server);
  await list.start();
  server.rows = [1, 2, 3, 4, 5];
  const page = await list.refresh();
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
  await list.refresh();
  assert.deepEqual(ids(list), [1]);
});

test('two concurrent calls share one read', async () => {
  const server = new FeedServer(1, 2, 3, 4, 5, 6, 7);
  const list = listOf(server);
  await list.start();
  await Promise.all([list.next(), list.next()]);
  assert.deepEqual(ids(list), [7, 6, 5, 4, 3, 2]);
});

test('a transient failure is retried and reported', async () => {
  const server = new FeedServer(1);
  server.failures = ['network', {status: 503, code: 'overloaded'}];
  const told = [];
  await listOf(server, {onRetry: ({attempt}) => told.push(attempt)}).start();
  assert.deepEqual(told, [1, 2]);
});

test('after the last attempt it fails and can be called again', async () => {
  const server = new FeedServer(1);
  server.failures = ['network', 'network', 'network'];
  const list = listOf(server);
  await assert.rejects(list.start(), TypeError);
  await list.start();
  assert.deepEqual(ids(list), [1]);
});

test('a rejected cursor is not retried', async () => {
  const server = new FeedServer(1);
  server.failures = [{status: 410, code: 'cursor_expired'}];
  await assert.rejects(listOf(server).start({cursor: '>5'}), error => error.mustStartAgain && error.code === 'cursor_expired');
  assert.equal(server.calls.length, 1);
});

test('it waits as long as Retry-After says, unless it is told to retry now', async () => {
  const server = new FeedServer(1);
  server.failures = [{status: 503, code: 'unavailable', headers: {'Retry-After': '60'}}];
  const list = listOf(server, {onRetry: ({delay}) => {
    assert.equal(delay, 60_000);
    queueMicrotask(() => queueMicrotask(() => list.hurry()));
  }});
  await list.start();
  assert.deepEqual(ids(list), [1]);
});

test('cancelling ends the running request and keeps the items', async () => {
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
  await other.start(list.placeOf(page));
  assert.deepEqual(ids(other), [2, 1]);
});

test('the order of parameters does not make another list', () => {
  const lists = new FeedLists('/api/n');
  assert.equal(lists.at({status: ['a', 'b'], order: 'x'}), lists.at({order: 'x', status: ['a', 'b'], assignee: null}));
  assert.notEqual(lists.at({status: 'a'}), lists.at({status: 'b'}));
});

test('without an event stream, it polls for the number of new items', async () => {
  const counts = [];
  await new Promise(resolve => {
    const end = watchFresh('/api/n', {status: 'open'}, 'abc', count => {
      counts.push(count);
      if (counts.length === 2) {
        end();
        resolve();
      }
    }, {
      EventSource: null,
      pollEvery: 1,
      fetch: async url => {
        assert.equal(url, '/api/n/fresh?status=open&cursor=abc');
        return Response.json({count: counts.length, capped: false});
      },
    });
  });
  assert.deepEqual(counts.map(({count}) => count), [0, 1]);
});

test('a rejected stream is replaced by polling and retried later', async () => {
  let streams = 0;
  class Refused extends EventTarget {
    readyState = 2;
    constructor() {
      super();
      streams++;
      queueMicrotask(() => this.dispatchEvent(new Event('error')));
    }
    close() {}
  }
  await new Promise(resolve => {
    const end = watchFresh('/api/n', {}, 'abc', () => {
      if (streams === 2) {
        end();
        resolve();
      }
    }, {EventSource: Refused, pollEvery: 1, streamAgainAfter: 2, fetch: async () => Response.json({count: 1, capped: false})});
  });
});

test('a page requested during a restart does not end up behind the new first page', async () => {
  const server = new FeedServer(1, 2, 3, 4, 5, 6, 7, 8, 9);
  const slow = async (url, options) => {
    const answer = await server.fetch(url, options);
    await new Promise(resolve => setTimeout(resolve, url.includes('cursor') ? 20 : 5));
    options.signal.throwIfAborted();
    return answer;
  };
  const list = new FeedList('/api/n', {}, {fetch: slow, patience: IMPATIENT});
  await list.start({cursor: '>8'});
  const starting = list.start();
  const late = list.next().catch(error => error.name);
  await starting;
  assert.equal(await late, 'AbortError');
  assert.deepEqual(ids(list), [9, 8, 7]);
});

test('a failure with unreadable content keeps its status', async () => {
  const answers = [
    new Response('', {status: 503, headers: {'Content-Type': 'application/json'}}),
    Response.json({items: [], next_cursor: null, prev_cursor: null, cursors: {top: null, last: null}}),
  ];
  const list = new FeedList('/api/n', {}, {fetch: async () => answers.shift(), patience: IMPATIENT});
  await list.start();
  assert.equal(list.isEmpty, true);
});

test('a response that is not a page, such as a login page of a network, is a failure', async () => {
  const fetch = async () => new Response('<p>Log in', {headers: {'Content-Type': 'text/html'}});
  await assert.rejects(new FeedList('/api/n', {}, {fetch, patience: IMPATIENT}).start(), {name: 'FeedError', status: 200});
});

test('a watcher is told that the bookmark is no longer valid', async () => {
  const server = new FeedServer(1);
  server.failures = [{status: 410, code: 'cursor_expired'}];
  const error = await new Promise(onRefused => watchFresh('/api/n', {}, 'abc', () => {}, {EventSource: null, fetch: server.fetch, onRefused}));
  assert.equal(error.code, 'cursor_expired');
});
