import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Feed} from '../../client/javascript/index.js';
import {applyChange, arrange} from '../../client/javascript/live.js';
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
