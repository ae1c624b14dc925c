import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Feed} from '../../client/javascript/index.js';
import {applyChange, arrange} from '../../client/javascript/live.js';
import {FeedError} from '../../client/javascript/requests.js';
import {followList} from '../../client/javascript/tanstack-query.js';
import {FeedServer, IMPATIENT} from './feed-server.mjs';

const list = {keyOf: item => item.id};

const held = (...ids) => ({keys: ids.map(String), items: new Map(ids.map(id => [String(id), {id}])), placed: new Set()});

const change = (removed, placed, items) => ({removed, placed, items});

/** A live list of a server in memory with the numbers 1 to `count`, largest first. */
async function liveList(t, {count = 9, pages = 1, options = {}, maxLimit = 1000, parameters} = {}) {
  const server = new FeedServer(...Array.from({length: count}, (_, at) => at + 1));
  Object.assign(server, {delta: true, maxLimit});
  const feed = new Feed('/api/n', {fetch: server.fetch, retry: IMPATIENT});
  const live = feed.list(parameters);
  await live.start();
  while (live.pages.length < pages) {
    await live.next();
  }
  t.after(live.live(options));
  await until(() => streamsOf(server).length > 0, 'a stream');
  return {server, live};
}

const streamsOf = server => server.calls.filter(url => url.includes('/live?'));

const idsOf = live => live.items.map(item => item.id);

async function until(condition, what) {
  for (const end = Date.now() + 3000; !condition(); ) {
    assert.ok(Date.now() < end, `not within 3 s: ${what}`);
    await new Promise(resolve => setTimeout(resolve, 2));
  }
}

test('a change removes, then places one key after the other, then replaces items', () => {
  const {keys, items, placed} = applyChange(held(5, 4, 3, 2), change([4, 2], [[7, null], [6, 7], [2, 5]], [{id: 7}, {id: 6}, {id: 2, text: 'moved'}, {id: 3, text: 'edited'}]), list);
  assert.deepEqual(keys, ['7', '6', '5', '2', '3']);
  assert.deepEqual(items.get('2'), {id: 2, text: 'moved'});
  assert.deepEqual(items.get('3'), {id: 3, text: 'edited'});
  assert.equal(items.has('4'), false);
  assert.deepEqual([...placed], ['7', '6', '2']);
});

for (const [what, wrong] of [
  ['a removed key that is not there', change([9], [], [])],
  ['a place behind a key that is not there', change([], [[7, 9]], [{id: 7}])],
  ['a placed key that is there already', change([], [[4, 5]], [{id: 4}])],
  ['a placed key without its item', change([], [[7, null]], [])],
  ['an item that is not in the window', change([], [], [{id: 8}])],
]) {
  test(`a change with ${what} is inconsistent`, () => {
    const before = held(5, 4, 3);
    assert.throws(() => applyChange(before, wrong, list), /does not apply/);
    assert.deepEqual(before.keys, ['5', '4', '3']);
  });
}

test('a key that has several columns is compared by value', () => {
  const before = {keys: ['[1,"a"]'], items: new Map([['[1,"a"]', {x: 1, y: 'a'}]]), placed: new Set()};
  const {keys} = applyChange(before, change([], [[[1, 'b'], [1, 'a']]], [{x: 1, y: 'b'}]), {keyOf: ({x, y}) => [x, y]});
  assert.deepEqual(keys, ['[1,"a"]', '[1,"b"]']);
});

test('a deleted item that comes back while it is marked does not wait', () => {
  const window = {...held(5, 4, 3), placed: new Set(['5'])};
  const state = {shown: ['5', '4', '3'], waiting: new Set(), kept: new Set(['5'])};
  const {shown, waiting, kept} = arrange(window, state, {policy: (item, {above}) => !above, keepsDeleted: true});
  assert.deepEqual([shown, [...waiting], [...kept]], [['5', '4', '3'], [], []]);
});

test('after the connection breaks, the stream goes on with the newest moment', async t => {
  const {server, live} = await liveList(t);
  server.write(8, 'first');
  server.push();
  await until(() => live.items[1].text === 'first', 'the first edit');
  server.disconnect();
  server.write(7, 'second');
  await until(() => live.items[2].text === 'second', 'the second edit');
  assert.equal(new URL(streamsOf(server).at(-1), 'http://server').searchParams.get('since'), '1');
});

test('the state of a list says how it is kept live, and listeners are told', async t => {
  const page = (globalThis.document = Object.assign(new EventTarget(), {visibilityState: 'visible'}));
  t.after(() => delete globalThis.document);
  const server = new FeedServer(1, 2, 3);
  server.delta = true;
  const list = new Feed('/api/n', {fetch: server.fetch, retry: IMPATIENT}).list();
  const states = [];
  list.subscribe(() => list.liveState === states.at(-1) || states.push(list.liveState));
  await list.start();
  const stop = list.live({pollEvery: 1, streamAgainAfter: 20});
  assert.equal(list.liveState, 'connecting');
  const {items} = list;
  await until(() => list.liveState === 'streaming', 'the stream');
  assert.equal(list.items, items);
  server.failures = [{status: 503, code: 'overloaded'}];
  server.disconnect();
  await until(() => list.liveState === 'polling', 'a poll');
  await until(() => list.liveState === 'streaming', 'the next stream');
  const become = state => {
    page.visibilityState = state;
    page.dispatchEvent(new Event('visibilitychange'));
  };
  become('hidden');
  await until(() => list.liveState === 'hidden', 'the end of the stream');
  const streams = streamsOf(server).length;
  server.write(3, 'while hidden');
  server.push();
  become('visible');
  await until(() => list.items[0].text === 'while hidden', 'the edit');
  assert.equal(streamsOf(server).length, streams + 1);
  assert.match(streamsOf(server).at(-1), /since=0/);
  await until(() => list.liveState === 'streaming', 'the state');
  stop();
  assert.deepEqual(states, [null, 'connecting', 'streaming', 'connecting', 'polling', 'streaming', 'hidden', 'connecting', 'streaming', null]);
});

test('behind a proxy that lets no stream through, neither a list that grows nor another one waits for a stream again', async t => {
  const server = new FeedServer(1, 2, 3, 4, 5, 6, 7, 8, 9);
  server.delta = true;
  let streams = 0;
  const fetch = async (url, init) => {
    const isStream = url.includes('/live?');
    streams += isStream;
    return isStream ? new Response('<p>', {headers: {'Content-Type': 'text/html'}}) : server.fetch(url, init);
  };
  const feed = new Feed('/api/n', {fetch, retry: IMPATIENT});
  const list = feed.list();
  await list.start();
  t.after(list.live({pollEvery: 1}));
  await until(() => list.liveState === 'polling', 'a poll');
  await list.next();
  server.write(4, 'on the second page');
  await until(() => list.items[5].text, 'the edit');
  const other = feed.list({order: 'oldest'});
  await other.start();
  t.after(other.live({pollEvery: 1}));
  await until(() => other.liveState === 'polling', 'a poll of the other list');
  assert.equal(streams, 1);
});

test('a list of a feed without moments is not polled for ever where there are no streams', async t => {
  const server = new FeedServer(1, 2, 3);
  const fetch = (url, init) => (url.includes('/live?') ? new Response('<p>', {headers: {'Content-Type': 'text/html'}}) : server.fetch(url, init));
  const list = new Feed('/api/n', {fetch, retry: IMPATIENT}).list();
  await list.start();
  t.after(list.live({pollEvery: 1}));
  await until(() => list.liveError, 'the error');
  assert.deepEqual([list.liveError.status, list.liveError.code, list.liveState], [400, 'not_supported', null]);
});

test('two lists with the same parameters share one stream, whatever their sequence', async t => {
  const server = new FeedServer(1, 2, 3);
  server.delta = true;
  const feed = new Feed('/api/n', {fetch: server.fetch, retry: IMPATIENT});
  const lists = [feed.list({order: 'newest', 'id.gt': 0}), feed.list({'id.gt': 0, order: 'newest'})];
  await lists[0].start();
  lists.forEach(list => t.after(list.live()));
  await until(() => lists[1].liveState === 'streaming', 'the stream');
  server.write(2, 'edited');
  server.push();
  await until(() => lists.every(list => list.items[1].text === 'edited'), 'the edit in both');
  assert.equal(streamsOf(server).length, 1);
});

test('a moment that the server rejects is left out', async t => {
  const {server, live} = await liveList(t);
  server.failures = [{status: 400, code: 'invalid_moment', parameter: 'since'}];
  server.disconnect();
  server.write(8, 'edited');
  await until(() => live.items[1].text === 'edited', 'the edit');
  assert.equal(streamsOf(server).at(-1).includes('since'), false);
});

test('a window that the server limits ends at an earlier page, and the pages below stay as they are', async t => {
  const {server, live} = await liveList(t, {count: 30, pages: 5, maxLimit: 10});
  server.write(29, 'in the window');
  server.write(17, 'below the window');
  server.push();
  await until(() => live.items[1].text === 'in the window', 'the edit');
  assert.equal(live.items.length, 15);
  assert.deepEqual(live.items[13], {id: 17});
  await live.refresh();
  assert.deepEqual(live.items, server.list.slice(0, 15));
});

test('if more items wait than the window has room for, they are no longer counted, and the list is started again', async t => {
  const {server, live} = await liveList(t, {count: 30, pages: 2, maxLimit: 12});
  for (let id = 31; id <= 45; id++) {
    server.write(id, 'new');
    server.push();
    await until(() => live.waiting.count >= Math.min(4, id - 30), `${id - 30} items that wait`);
  }
  await until(() => (server.push(), live.waiting.capped), 'too many');
  server.write(29, 'still live');
  await until(() => (server.push(), live.items.some(item => item.text === 'still live')), 'an edit of a shown item');
  await live.showNew();
  assert.deepEqual(live.waiting, {count: 0, capped: false});
  assert.deepEqual(idsOf(live), [45, 44, 43]);
});

test('after an absence, a list with several pages gives up those for which there is no room', async t => {
  const {server, live} = await liveList(t, {count: 30, pages: 3, maxLimit: 12});
  for (let id = 31; id <= 36; id++) {
    server.write(id, 'new');
  }
  server.push();
  await until(() => live.waiting.count === 6, 'six items that wait');
  assert.equal(live.waiting.capped, false);
  assert.equal(live.items.length, 9);
});

test('the pages for which there was no room while items waited stay in the list when those are shown', async t => {
  const {server, live} = await liveList(t, {count: 30, pages: 5, maxLimit: 30});
  for (let id = 31; id <= 46; id++) {
    server.write(id, 'new');
    server.push();
    await until(() => live.waiting.count >= id - 30, `${id - 30} items that wait`);
  }
  await live.showNew();
  assert.deepEqual(live.items, server.list.slice(0, 31));
});

test('items that wait can be shown before the stream of a shorter window is open, and none is repeated', async t => {
  const server = new FeedServer(...Array.from({length: 20}, (_, at) => at + 1));
  Object.assign(server, {delta: true, maxLimit: 24});
  const streams = [];
  const fetch = (url, init) => {
    url.includes('/live?') && streams.push(init.signal);
    return server.fetch(url, init);
  };
  const live = new Feed('/api/n', {fetch, retry: IMPATIENT}).list({limit: 5});
  while (!live.atEnd) {
    await live.next();
  }
  t.after(live.live());
  await until(() => streams.length > 0, 'the stream');
  [21, 22, 23].forEach(id => server.write(id, 'new'));
  server.push();
  await until(() => live.waiting.count === 3, 'three items that wait');
  [24, 25, 26].forEach(id => server.write(id, 'new'));
  server.push();
  await until(() => streams[0].aborted, 'the end of the stream whose window is full');
  await live.showNew();
  await until(() => streams.length > 1, 'the next stream');
  server.write(23, 'edited');
  server.push();
  await until(() => live.items.some(item => item.text === 'edited'), 'the edit');
  assert.deepEqual(idsOf(live), [...new Set(idsOf(live))]);
});

test('an item that has moved up from below the window is shown once', async t => {
  const {server, live} = await liveList(t, {count: 30, pages: 8, maxLimit: 12, options: {policy: 'all'}});
  server.write(9, 'moved', 31);
  server.push();
  await until(() => live.items[0].id === 9, 'the move');
  assert.deepEqual(idsOf(live).filter(id => id === 9), [9]);
});

test('a refresh leaves the items on their pages while one that has moved waits', async t => {
  const {server, live} = await liveList(t, {count: 12, pages: 4});
  server.write(5, 'moved', 13);
  server.push();
  await until(() => live.waiting.count === 1, 'the item that waits');
  await live.refresh();
  assert.deepEqual(live.pages.map(page => page.items.map(item => item.id)), [[5, 12, 11, 10], [9, 8, 7], [6, 4], [3, 2, 1]]);
});

test('a first page that grows beyond the limit of the window is split', async t => {
  const {server, live} = await liveList(t, {maxLimit: 12, options: {policy: 'all'}});
  for (let id = 10; id <= 40; id++) {
    server.write(id, 'new');
    server.push();
    await until(() => live.items[0].id === id, `item ${id}`);
    server.remove(id - 5);
    server.push();
  }
  await until(() => (server.push(), !idsOf(live).includes(35)), 'the last deletion');
  assert.deepEqual(live.items, server.list.slice(0, live.items.length));
  assert.ok(streamsOf(server).length < 20, `${streamsOf(server).length} streams`);
  server.write(3, 'anywhere');
  await live.refresh();
  assert.deepEqual(live.items, server.list.slice(0, live.items.length));
});

test('both parts of a page that was split go on in both directions', async t => {
  const {server, live} = await liveList(t, {maxLimit: 12, options: {policy: 'all'}});
  for (let id = 10; live.pages.length === 1; id++) {
    server.write(id, 'new');
    server.push();
    await until(() => live.items[0].id === id || live.pages.length > 1, `item ${id}`);
  }
  const [first, rest] = live.pages;
  assert.deepEqual((await live.feed.page({cursor: rest.prev})).items.at(-1).id, first.items.at(-1).id);
  assert.equal(rest.top, rest.prev);
  assert.deepEqual((await live.feed.page({cursor: first.next})).items[0].id, rest.items[0].id);
});

test('an edit below a hole is there when the hole has been closed, although the stream went on meanwhile', async t => {
  const {server, live} = await liveList(t, {maxLimit: 3});
  for (let id = 10; id <= 14; id++) {
    server.write(id, 'new');
  }
  await live.refresh();
  assert.deepEqual(idsOf(live), [14, 13, 12, 9, 8, 7]);
  server.maxLimit = 1000;
  const [page] = live.pages;
  const streams = streamsOf(server).length;
  await until(() => streamsOf(server).length > streams, 'the stream above the hole');
  server.write(8, 'below the hole');
  server.write(13, 'above the hole');
  server.push();
  await until(() => live.items[1].text === 'above the hole', 'the edit above the hole');
  assert.equal(live.items[4].text, undefined);
  await live.fill(page);
  await until(() => (server.push(), live.items[6].text === 'below the hole'), 'the edit below the hole');
  assert.deepEqual(live.items, server.list.slice(0, live.items.length));
});

test('a stream that the server cannot open because its database is away is opened again soon', async t => {
  const {server, live} = await liveList(t);
  const streams = streamsOf(server).length;
  server.failures = [{status: 503, code: 'unavailable'}, {status: 503}];
  server.disconnect();
  await until(() => streamsOf(server).length === streams + 3, 'the third attempt');
  server.write(8, 'edited');
  server.push();
  await until(() => live.items[1].text === 'edited', 'the edit');
});

test('a live list whose cursors have expired is started again', async t => {
  const {server, live} = await liveList(t, {pages: 2});
  server.failures = [{status: 410, code: 'cursor_expired', parameter: 'until'}];
  server.disconnect();
  await until(() => live.pages.length === 1, 'the first page');
  server.write(8, 'edited');
  await until(() => (server.push(), live.items[1].text === 'edited'), 'the edit');
  assert.equal(live.liveError, null);
});

test('a list with a limit is live on all of its pages', async t => {
  const {server, live} = await liveList(t, {pages: 2, parameters: {limit: 3}});
  server.write(5, 'on the second page');
  server.push();
  await until(() => live.items[4].text, 'the edit');
  assert.equal(live.items.length, 6);
});

test('a marked item that has moved below the window is shown as it is when its page is read', async t => {
  const {server, live} = await liveList(t, {options: {deleted: 'mark'}});
  server.write(8, 'moved', 5.5);
  server.push();
  await until(() => live.isDeleted(live.items[1]), 'the mark');
  const streams = streamsOf(server).length;
  await live.next();
  await until(() => streamsOf(server).length > streams, 'the stream of both pages');
  await until(() => (server.push(), live.items.some(item => item.text === 'moved')), 'the item');
  await live.showNew();
  assert.deepEqual(live.items, server.list.slice(0, live.items.length));
  assert.equal(live.items.some(item => live.isDeleted(item)), false);
});

test('a stream that removes an item during a refresh does not fail it', async t => {
  const {server, live} = await liveList(t, {pages: 2});
  let answer;
  server.failures = [new Promise(resolve => (answer = resolve))];
  const refresh = live.refresh();
  server.remove(8);
  server.push();
  await until(() => !idsOf(live).includes(8), 'the deletion');
  answer();
  await refresh;
  await until(() => (server.push(), !idsOf(live).includes(8)), 'the deletion again');
});

/** Makes the server answer the next requests only when the returned functions are called. */
function delayAnswers(server, count) {
  return Array.from({length: count}, () => {
    let release;
    server.failures.push(new Promise(resolve => (release = resolve)));
    return release;
  });
}

test('an edit that the stream brings while a refresh and a page are read is not lost', async t => {
  const {server, live} = await liveList(t);
  const [releaseRefresh] = delayAnswers(server, 1);
  const refreshed = live.refresh();
  server.write(9, 'edited');
  server.push();
  await until(() => live.items[0].text === 'edited', 'the edit');
  const [releasePage] = delayAnswers(server, 1);
  const read = live.next();
  releaseRefresh();
  await refreshed;
  releasePage();
  await read;
  await until(() => (server.push(), live.items[0].text === 'edited'), 'the edit again');
});

test('an item between two pages stays in the list when the window ends there later', async t => {
  const {server, live} = await liveList(t, {count: 30, pages: 3, maxLimit: 14, parameters: {limit: 4}});
  server.write(100, 'between', 26.5);
  server.push();
  await until(() => idsOf(live).includes(100), 'the item between the pages');
  server.write(101, 'above', 28.5);
  server.write(102, 'above', 28.6);
  await until(() => (server.push(), idsOf(live).includes(102)), 'the items above');
  server.write(103, 'above', 28.7);
  await until(() => (server.push(), idsOf(live).includes(103)), 'an item of the shorter window');
  assert.ok(idsOf(live).includes(100), `${idsOf(live)}`);
  await live.refresh();
  assert.deepEqual(live.items, server.list.slice(0, live.items.length));
});

test('a page that is split where an item has moved away loses no items', async t => {
  const {server, live} = await liveList(t, {count: 30, maxLimit: 12, parameters: {limit: 10}});
  server.write(26, 'moved up', 50);
  server.push();
  await until(() => live.waiting.count === 1, 'the item that has moved');
  for (let id = 31; id <= 34; id++) {
    server.write(id, 'new', id + 30);
    server.push();
    await until(() => (server.push(), live.waiting.count === id - 29), `item ${id}`);
  }
  await until(() => (server.push(), live.pages.length === 2), 'the split');
  await live.showNew();
  assert.deepEqual(idsOf(live), server.list.slice(0, live.items.length).map(item => item.id));
});

test('a page is not split while it is refreshed', async t => {
  const {server, live} = await liveList(t, {count: 30, maxLimit: 12, options: {policy: 'all'}, parameters: {limit: 10}});
  const [release] = delayAnswers(server, 1);
  const refreshed = live.refresh();
  for (let id = 31; id <= 34; id++) {
    server.write(id, 'new');
    server.push();
  }
  await new Promise(resolve => setTimeout(resolve, 100));
  release();
  await refreshed;
  await until(() => (server.push(), live.items[0].id === 34 && live.pages.length === 2), 'the split page');
  assert.ok(live.pages.every(page => page.items.length > 0 && page.last === `>${page.items.at(-1).id}`), JSON.stringify(live.pages));
});

test('a live list goes on after an item that was to be read could not be', async t => {
  const {server, live} = await liveList(t);
  server.reveal(7.5);
  server.failures.push('network', 'network', 'network');
  server.push();
  await until(() => idsOf(live).includes(7.5), 'the item');
  server.write(9, 'edited');
  await until(() => (server.push(), live.items[0].text === 'edited'), 'an edit');
  assert.equal(live.liveError, null);
});

test('a list with two users stays live until the second one stops, too', async t => {
  const {server, live} = await liveList(t);
  const stop = live.live({policy: 'all'});
  stop();
  stop();
  server.write(10, 'new');
  server.write(8, 'edited');
  await until(() => (server.push(), live.items[1].text === 'edited'), 'the edit');
  assert.equal(live.waiting.count, 1, 'the policy is that of the first user');
});

test('a refresh after all items were written leaves them on their pages', async t => {
  const {server, live} = await liveList(t, {count: 30, pages: 4});
  for (let id = 1; id <= 30; id++) {
    server.write(id, 'written');
  }
  await live.refresh();
  assert.deepEqual(live.pages.map(page => page.items.length), [3, 3, 3, 3]);
});

test('a policy that fails ends the list with its error', async t => {
  const {server, live} = await liveList(t, {options: {policy: item => item.author.name === 'me'}});
  server.write(10, 'new');
  server.push();
  await until(() => live.liveError, 'the error');
  assert.equal(live.liveError.name, 'TypeError');
  assert.equal(streamsOf(server).length, 1);
});

test('a stream whose missing items cannot be read is not opened again at once', async t => {
  const {server, live} = await liveList(t);
  server.reveal(7.5);
  server.failures.push({status: 503, code: 'overloaded', headers: {'Retry-After': '300'}});
  server.push();
  await until(() => server.failures.length === 0, 'the read');
  await new Promise(resolve => setTimeout(resolve, 300));
  assert.equal(streamsOf(server).length, 1);
  assert.equal(live.liveError, null);
  assert.equal(live.liveState, 'connecting');
});

test('a first page is split where the items have neither moved nor gone since the stream broke', async t => {
  const {server, live} = await liveList(t, {count: 30, maxLimit: 9, parameters: {limit: 8}, options: {policy: 'all'}});
  server.disconnect();
  server.write(27, 'moved up', 50);
  for (let id = 31; id <= 34; id++) {
    server.write(id, 'new', id / 100 + 25);
  }
  await until(() => (server.push(), live.pages.length > 1), 'the split');
  await until(() => (server.push(), idsOf(live)[0] === 27), 'the item that has moved');
  assert.deepEqual(idsOf(live).slice(0, 4), [27, 30, 29, 28]);
  await live.refresh();
  assert.deepEqual(live.items, server.list.slice(0, live.items.length));
});

test('a first page none of whose items is in its place is read again', async t => {
  const {server, live} = await liveList(t, {count: 30, maxLimit: 9, parameters: {limit: 8}, options: {policy: 'all'}});
  server.disconnect();
  for (let id = 23; id <= 30; id++) {
    server.remove(id);
    server.write(id + 100, 'new', id);
  }
  server.write(200, 'new', 40);
  server.write(201, 'new', 41);
  await until(() => (server.push(), live.items[0]?.id === 201), 'the first page');
  assert.deepEqual(live.items, server.list.slice(0, live.items.length));
  assert.ok(streamsOf(server).length < 10, `${streamsOf(server).length} streams`);
});

test('a list that was made live again after an error stops with the new user', async t => {
  const {server, live} = await liveList(t);
  server.failures.push({status: 401, code: 'unauthorized'});
  server.disconnect();
  await until(() => live.liveError, 'the error');
  const streams = streamsOf(server).length;
  const stop = live.live();
  await until(() => streamsOf(server).length > streams, 'a stream');
  stop();
  server.write(9, 'edited');
  server.push();
  await new Promise(resolve => setTimeout(resolve, 100));
  assert.deepEqual(live.items[0], {id: 9});
});

test('an empty list shows a page after more items than fit in a window have been inserted', async t => {
  const {server, live} = await liveList(t, {count: 0, maxLimit: 5});
  for (let id = 1; id <= 12; id++) {
    server.write(id, 'new');
  }
  server.push();
  await until(() => live.items.length > 0, 'a page');
  assert.deepEqual(live.items, server.list.slice(0, 3));
  assert.equal(live.liveError, null);
});

test('a window of one item is not split', async t => {
  const {server, live} = await liveList(t, {count: 5, maxLimit: 1});
  server.write(6, 'new');
  await until(() => (server.push(), live.waiting.capped), 'too many items');
  assert.deepEqual(live.pages.map(page => page.items.length), [1]);
});

test('a window can be polled from a cursor of either direction', async () => {
  const server = new FeedServer(1, 2, 3, 4, 5);
  server.delta = true;
  const feed = new Feed('/api/n', {fetch: (url, init) => (url.includes('/live') ? Promise.reject(new FeedError(503, {code: 'overloaded'})) : server.fetch(url, init)), retry: IMPATIENT});
  for (const cursor of ['>4', '<3.5']) {
    const polled = feed.live({cursor}, {pollEvery: 1});
    assert.deepEqual((await polled.next()).value.data.items.map(item => item.id), [3, 2, 1], cursor);
    await polled.return();
  }
});

test('an item that waits is no longer counted when it has been read with another page', async t => {
  const {server, live} = await liveList(t);
  server.write(100, 'new', 50);
  server.push();
  await until(() => live.waiting.count === 1, 'the item');
  server.write(100, 'moved', 5.5);
  await live.next();
  assert.deepEqual(idsOf(live), [9, 8, 7, 6, 100, 5]);
  assert.equal(live.waiting.count, 0);
});

test('an item that has moved no longer waits when it is in its place again', async t => {
  const {server, live} = await liveList(t);
  server.write(8, 'moved', 10);
  server.push();
  await until(() => live.waiting.count === 1, 'the item');
  server.remove(9);
  server.push();
  await until(() => idsOf(live)[0] === 8, 'the deletion');
  assert.equal(live.waiting.count, 0);
  await live.showNew();
  assert.deepEqual(idsOf(live), [8, 7]);
});

test('an item that is marked as deleted is replaced by its copy on a page below', async t => {
  const {server, live} = await liveList(t, {count: 30, pages: 3, maxLimit: 7, options: {deleted: 'mark'}});
  server.write(28, 'moved', 19.5);
  server.push();
  await until(() => live.items.some(item => live.isDeleted(item)), 'the marked item');
  await live.next();
  await live.showNew();
  assert.deepEqual(live.items.filter(item => item.id === 28), [{id: 28, text: 'moved'}]);
});

test('the error that ends a list in the cache of TanStack Query is reported', async t => {
  const server = new FeedServer(1, 2, 3);
  const live = new Feed('/api/n', {fetch: server.fetch, retry: IMPATIENT}).list();
  await live.start();
  server.failures.push({status: 401, code: 'unauthorized'});
  const errors = [];
  t.after(followList({setQueryData: () => {}}, live, {onError: error => errors.push(error.code)}));
  await until(() => errors.length > 0, 'the error');
  assert.deepEqual(errors, ['unauthorized']);
});

test('a listener that fails keeps neither the other listeners nor the stream from going on', async t => {
  const {server, live} = await liveList(t);
  const failures = [];
  const collect = error => failures.push(error.message);
  t.after(process.setUncaughtExceptionCaptureCallback.bind(process, null));
  process.setUncaughtExceptionCaptureCallback(collect);
  live.subscribe(changes => {
    if (changes) {
      throw new Error('a listener failed');
    }
  });
  let calls = 0;
  live.subscribe(changes => changes && calls++);
  for (const text of ['one', 'two']) {
    server.write(9, text);
    server.push();
    await until(() => live.items[0].text === text, text);
  }
  assert.equal(calls, 2);
  await until(() => failures.length === 2, 'both failures');
  assert.deepEqual(failures, ['a listener failed', 'a listener failed']);
});

test('after random changes, interruptions, and growth, the list equals that of the server', async t => {
  for (let seed = 1; seed <= 25; seed++) {
    const random = randomOf(seed);
    const {server, live} = await liveList(t, {count: 40, pages: 3, options: {deleted: seed % 2 ? 'mark' : 'remove', policy: seed % 3 ? 'inside' : 'all'}});
    for (let step = 0; step < 60; step++) {
      const id = random(60) + 1;
      [
        () => server.write(id, `step ${step}`, random(3) ? undefined : random(80) + id / 1000),
        () => server.remove(id),
        () => server.reveal(100 + step),
        () => server.push(),
        () => server.disconnect(),
        () => live.next(),
        () => live.showNew(),
        () => live.refresh(),
      ][[0, 0, 0, 1, 1, 3, 3, 3, 4, 5, 6, 7][random(12)]]();
      random(4) || (await new Promise(resolve => setTimeout(resolve, random(5))));
      assert.equal(new Set(idsOf(live)).size, live.items.length, `seed ${seed}, step ${step}: an item twice`);
    }
    const equals = async () => {
      server.push();
      await live.showNew();
      return JSON.stringify(live.items) === JSON.stringify(server.list.slice(0, live.items.length));
    };
    for (const end = Date.now() + 3000; !(await equals()); ) {
      assert.ok(Date.now() < end, `seed ${seed}: ${idsOf(live)} is not ${server.list.map(item => item.id)}`);
      await new Promise(resolve => setTimeout(resolve, 5));
    }
    assert.equal(live.liveError, null);
  }
});

function randomOf(seed) {
  let state = seed;
  return bound => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}
