import assert from 'node:assert/strict';
import {test} from 'node:test';
import './dom.mjs';
import {and, BTreeIndex, createCollection, createLiveQueryCollection, eq, gt, inArray, isNull, not, or, useLiveInfiniteQuery, useLiveQuery} from '@tanstack/react-db';
import {createElement} from 'react';
import {createRoot} from 'react-dom/client';
import {Feed} from '@tidemark/client';
import {tidemarkCollectionOptions} from '@tidemark/client/tanstack-db';
import {edit, feedOf, insert, remove} from './server.mjs';

const SERVER_SUBJECTS = new URL('/api/subjects', process.env.TIDEMARK_URL).href;

// The tests wait for what the hooks show.
globalThis.IS_REACT_ACT_ENVIRONMENT = false;

/** Other tests write at the same time, so each test has a list of its own: of messages whose subjects begin with its prefix. */
async function ownMessages(count, textOf = at => `Message ${at}`) {
  const prefix = `${crypto.randomUUID()}:`;
  const text = subject => `${prefix} ${subject}`;
  const ids = [];
  for (let at = 0; at < count; at++) {
    ids.push(await insert(text(textOf(at))));
  }
  return {text, ids, own: {'subject.prefix': prefix}};
}

const queries = new Map();

/** A collection that is cleaned up after the test, with its queries. */
function collectionOf(t, options) {
  const collection = createCollection(tidemarkCollectionOptions({autoIndex: 'eager', defaultIndexType: BTreeIndex, ...options}));
  queries.set(collection, []);
  t.after(async () => {
    await Promise.all(queries.get(collection).map(query => query.cleanup()));
    await collection.cleanup();
  });
  return collection;
}

/** A collection of own messages. */
async function ownCollection(t, {count = 60, feed: feedOptions = {}, textOf, ...options} = {}) {
  const {text, ids, own} = await ownMessages(count, textOf);
  const recorded = feedOf({limit: 20, ...feedOptions});
  const collection = collectionOf(t, {feed: recorded.feed, filters: own, ...options});
  return {...recorded, collection, text, ids, own};
}

/** A query by position, whose first rows have been loaded. */
async function queried(collection, {where, limit = 20} = {}) {
  const query = started(collection, all => (where ? all.where(where) : all).orderBy(({m}) => m.$position).limit(limit));
  await query.preload();
  return query;
}

function started(collection, build) {
  const query = createLiveQueryCollection({query: q => build(q.from({m: collection})), startSync: true});
  queries.get(collection).push(query);
  return query;
}

const idsOf = query => query.toArray.map(row => row.id);

async function stored(feed, parameters, number = Infinity) {
  const items = [];
  for await (const item of feed.items(parameters)) {
    if (items.length === number) break;
    items.push(item);
  }
  return items;
}

async function when(condition, what) {
  for (const end = Date.now() + 5000; !(await condition()); ) {
    assert.ok(Date.now() < end, `not within 5 s: ${what}`);
    await new Promise(resolve => setTimeout(resolve, 5));
  }
}

/** Returns the item of a row, without what TanStack DB and the adapter add to it. */
const itemOf = row => Object.fromEntries(Object.entries(row).filter(([name]) => !name.startsWith('$')));

test('a query reads only the pages that it shows, and has the items of the feed', async t => {
  const {collection, feed, urls, own} = await ownCollection(t);
  const query = await queried(collection, {limit: 30});
  assert.equal(urls.length, 2);
  assert.deepEqual(query.toArray.map(itemOf), await stored(feed, own, 30));
});

test('conditions become filters', async t => {
  const {collection, feed, ids, own} = await ownCollection(t, {count: 30});
  for (const [at, status] of ['closed', 'pending', 'closed', 'pending'].entries()) {
    await edit(ids[7 * at], {status, assignee: 'nina'});
  }
  for (const [where, filters] of [
    [({m}) => eq(m.status, 'open'), {status: 'open'}],
    [({m}) => inArray(m.status, ['closed', 'pending']), {status: ['closed', 'pending']}],
    [({m}) => and(eq(m.status, 'open'), isNull(m.assignee)), {status: 'open', 'assignee.is': 'null'}],
    [({m}) => not(isNull(m.assignee)), {'assignee.is': 'notnull'}],
  ]) {
    const query = await queried(collection, {where, limit: 12});
    assert.deepEqual(query.toArray.map(itemOf), await stored(feed, {...own, ...filters}, 12), JSON.stringify(filters));
  }
});

for (const [what, expected, build] of [
  ['an order by a column', /"\$position"/, q => q.orderBy(({m}) => m.created_at, 'desc').limit(10)],
  ['a descending position', /ascending/, q => q.orderBy(({m}) => m.$position, 'desc').limit(10)],
  ['"or"', /cannot decide "or"/, q => q.where(({m}) => or(eq(m.status, 'open'), isNull(m.assignee))).orderBy(({m}) => m.$position).limit(10)],
  ['a range of times, which are compared as text', /cannot decide "gt created_at"/, q => q.where(({m}) => gt(m.created_at, '2026-01-01T00:00:00Z')).orderBy(({m}) => m.$position).limit(10)],
  ['a filter that the feed does not have', /body/, q => q.where(({m}) => eq(m.body, 'A body.')).orderBy(({m}) => m.$position).limit(10)],
  ['two conditions on a column', /two conditions on "status"/, q => q.where(({m}) => and(eq(m.status, 'open'), eq(m.status, 'closed'))).orderBy(({m}) => m.$position).limit(10)],
  ['no limit on a long list', /more than 50 items/, q => q],
]) {
  test(`${what} is an error with a code`, async t => {
    const {collection} = await ownCollection(t, {maxItems: 50});
    const query = started(collection, build);
    const error = await query.preload().then(() => query.utils.lastError, caught => caught);
    assert.match(String(error?.message ?? error), expected);
    assert.match(error.code, /^(not_supported|unknown_parameter|invalid_filter)$/);
  });
}

test('a value that is spelled otherwise than in the feed is an error, and not an empty list', async t => {
  const {collection, feed, own} = await ownCollection(t, {count: 3});
  const [{created_at: createdAt}] = (await feed.page(own)).items;
  const query = started(collection, all => all.where(({m}) => eq(m.created_at, createdAt.replace('Z', '+00:00'))).orderBy(({m}) => m.$position).limit(10));
  await assert.rejects(query.preload(), /JavaScript decides/);
});

test('without a limit, a query has the whole list', async t => {
  const {collection, feed, own} = await ownCollection(t);
  const query = started(collection, all => all.orderBy(({m}) => m.$position));
  await query.preload();
  assert.deepEqual(query.toArray.map(itemOf), await stored(feed, own));
});

for (const index of [false, true]) {
  test(`a window grows to the end, and reads every page once ${index ? 'with' : 'without'} an index`, async t => {
    const {collection, feed, urls, own} = await ownCollection(t, {count: 90, autoIndex: index ? 'eager' : 'off'});
    const query = await queried(collection, {limit: 15});
    for (let limit = 30; limit <= 105; limit += 15) {
      await query.utils.setWindow({offset: 0, limit});
      await when(() => query.size === Math.min(90, limit), `${limit} rows`);
    }
    assert.equal(urls.length, 5);
    assert.deepEqual(query.toArray.map(itemOf), await stored(feed, own));
    await query.utils.setWindow({offset: 40, limit: 15});
    assert.deepEqual(idsOf(query), (await stored(feed, own, 55)).slice(40).map(item => item.id));
  });
}

test('two queries for the same list share its requests, and the list is dropped when nobody shows it', async t => {
  const {collection, urls, signals} = await ownCollection(t, {live: true});
  const one = await queried(collection, {limit: 20});
  const other = await queried(collection, {limit: 20});
  await when(() => urls.some(url => url.includes('/live?')), 'the stream');
  assert.equal(urls.filter(url => !url.includes('/live?')).length, 1);
  assert.equal(urls.filter(url => url.includes('/live?')).length, 1);
  await one.cleanup();
  assert.equal(collection.size, 20);
  await other.cleanup();
  await when(() => collection.size === 0 && signals.at(-1).aborted, 'the end of the stream');
});

test('lists with different filters share rows, and each query has those of its list', async t => {
  const {collection, feed, ids, own} = await ownCollection(t, {count: 90});
  for (const id of ids.filter((_, at) => at % 3 === 0)) {
    await edit(id, {status: 'closed'});
  }
  const all = await queried(collection, {limit: 25});
  const closed = await queried(collection, {where: ({m}) => eq(m.status, 'closed'), limit: 25});
  const open = await queried(collection, {where: ({m}) => eq(m.status, 'open'), limit: 25});
  for (const [query, filters] of [[all, {}], [closed, {status: 'closed'}], [open, {status: 'open'}]]) {
    assert.deepEqual(idsOf(query), (await stored(feed, {...own, ...filters}, 25)).map(item => item.id), JSON.stringify(filters));
  }
});

test('inserts, edits, and deletions of others arrive, and the window stays full', async t => {
  const {collection, feed, text, own} = await ownCollection(t, {live: true});
  const query = await queried(collection, {limit: 15});
  const before = idsOf(query);
  const id = await insert(text('Arrived'));
  await when(() => query.toArray[0].id === id, 'the insert');
  await edit(before[4], {subject: text('Edited')});
  await when(() => query.toArray.some(row => row.subject === text('Edited')), 'the edit');
  for (const gone of before.slice(0, 10)) {
    await remove(gone);
  }
  const equals = async () => JSON.stringify(query.toArray.map(itemOf)) === JSON.stringify(await stored(feed, own, 15));
  await when(equals, 'the deletions');
});

test('a row that no longer fits the condition leaves, and one that fits comes in', async t => {
  const {collection, ids} = await ownCollection(t, {live: true});
  const query = await queried(collection, {where: ({m}) => eq(m.status, 'open'), limit: 10});
  await edit(ids.at(-3), {status: 'closed'});
  await when(() => !idsOf(query).includes(ids.at(-3)) && query.size === 10, 'the row that leaves');
  await edit(ids.at(-3), {status: 'open'});
  await when(() => idsOf(query)[2] === ids.at(-3), 'the row that comes in');
});

test('an edit moves a row to the top of the order by edits', async t => {
  const {collection, feed, ids, own, text} = await ownCollection(t, {live: true, order: 'edited'});
  const query = await queried(collection, {limit: 15});
  for (const id of [ids[2], ids[40], ids[2]]) {
    await edit(id, {subject: text(`Moved ${id}`)});
    await when(() => query.toArray[0].id === id, 'the move');
  }
  await when(async () => JSON.stringify(query.toArray.map(itemOf)) === JSON.stringify(await stored(feed, {...own, order: 'edited'}, 15)), 'the list');
});

test('the order of text is that of the database, not that of JavaScript', async t => {
  const words = ['b', 'B', 'a', 'Z', '_', 'ä', 'é', 'A', '1', '10', '9', '😀', 'z'];
  const {text, own} = await ownMessages(words.length, at => words[at]);
  const {Feed} = await import('@tidemark/client');
  const feed = new Feed(SERVER_SUBJECTS, {limit: 5});
  const collection = collectionOf(t, {feed, filters: own, live: true});
  const query = await queried(collection, {limit: 8});
  const expected = await stored(feed, own);
  assert.notDeepEqual(expected.map(item => item.subject), words.map(text).sort((one, other) => one.localeCompare(other)));
  assert.deepEqual(query.toArray.map(itemOf), expected.slice(0, 8));
  await query.utils.setWindow({offset: 0, limit: 20});
  assert.deepEqual(query.toArray.map(itemOf), expected);
  await insert(text('Y'));
  await insert(text('ß'));
  await when(async () => JSON.stringify(query.toArray.map(itemOf)) === JSON.stringify(await stored(feed, own)), 'two more words');
});

test('what changed while the network was away is there afterwards', async t => {
  let isOnline = true;
  const connections = new Set();
  const network = async (url, init) => {
    if (!isOnline) {
      throw new TypeError('fetch failed');
    }
    const connection = new AbortController();
    connections.add(connection);
    return fetch(url, {...init, signal: AbortSignal.any([init.signal, connection.signal])});
  };
  const {collection, feed, own, text} = await ownCollection(t, {live: true, feed: {fetch: network, retry: {attempts: 2, initialDelay: 1, maxDelay: 2}}});
  const query = await queried(collection, {limit: 15});
  const before = idsOf(query);
  isOnline = false;
  connections.forEach(connection => connection.abort(new TypeError('the connection broke')));
  const growing = query.utils.setWindow({offset: 0, limit: 30});
  await insert(text('Arrived meanwhile'));
  await edit(before[3], {subject: text('Edited meanwhile')});
  await remove(before[5]);
  assert.equal(query.size, 15, 'the list stays shown');
  isOnline = true;
  await growing;
  await when(async () => JSON.stringify(query.toArray.map(itemOf)) === JSON.stringify(await stored(feed, own, 30)), 'all changes');
});

test('without a stream, "refresh" brings the queries up to date with one request for each list', async t => {
  const {collection, feed, urls, own, text} = await ownCollection(t);
  const query = await queried(collection, {limit: 40});
  const before = idsOf(query);
  await insert(text('Arrived'));
  await edit(before[30], {subject: text('Edited')});
  urls.length = 0;
  await collection.utils.refresh();
  assert.equal(urls.length, 1);
  assert.match(urls[0], /since=/);
  assert.deepEqual(query.toArray.map(itemOf), await stored(feed, own, 40));
});

test('a query without a limit has the whole list again after the list was started again', async t => {
  const {collection, feed, own, text} = await ownCollection(t, {count: 50});
  const query = started(collection, all => all);
  await query.preload();
  assert.equal(query.size, 50);
  for (let at = 0; at < 25; at++) {
    await insert(text('Arrived'));
  }
  await collection.utils.refresh();
  await when(() => query.size === 75, 'all items');
  assert.deepEqual(new Set(idsOf(query)), new Set((await stored(feed, own)).map(item => item.id)));
});

test('a query that no row can match reads nothing, and leaves the other queries alone', async t => {
  const {collection, urls} = await ownCollection(t);
  const none = await queried(collection, {where: ({m}) => inArray(m.status, [])});
  const nulls = await queried(collection, {where: ({m}) => eq(m.status, null)});
  assert.equal(none.size + nulls.size + urls.length, 0);
  assert.equal((await queried(collection, {limit: 5})).size, 5);
});

test('while others write, every query equals its list after every pause', async t => {
  const {collection, feed, own, text} = await ownCollection(t, {count: 80, live: true, order: 'edited'});
  const queries = [
    [await queried(collection, {limit: 20}), {}],
    [await queried(collection, {where: ({m}) => eq(m.status, 'open'), limit: 25}), {status: 'open'}],
    [await queried(collection, {where: ({m}) => inArray(m.status, ['closed', 'pending']), limit: 10}), {status: ['closed', 'pending']}],
  ];
  let state = 7;
  const below = bound => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) % bound;
  for (let round = 0; round < 5; round++) {
    const ids = idsOf(queries[below(2)][0]);
    for (let write = 0; write < 6; write++) {
      const id = ids[below(ids.length)];
      await [
        () => insert(text(`Round ${round}`)),
        () => edit(id, {subject: text(`Edited in round ${round}`)}),
        () => edit(id, {status: ['open', 'pending', 'closed'][below(3)]}),
        () => remove(id),
      ][below(4)]().catch(() => {}); // the message may have been deleted
    }
    for (const [query, filters] of queries) {
      const {limit} = query.utils.getWindow();
      const equals = async () => JSON.stringify(query.toArray.map(itemOf)) === JSON.stringify(await stored(feed, {...own, order: 'edited', ...filters}, limit));
      await when(equals, `round ${round}, ${JSON.stringify(filters)}`);
    }
  }
});

test('the hooks of React show a list that grows and follows the writes of others', async t => {
  const {collection, feed, own, text} = await ownCollection(t, {count: 50, live: true});
  const shown = {};
  const List = () => {
    shown.infinite = useLiveInfiniteQuery(q => q.from({m: collection}).orderBy(({m}) => m.$position), {pageSize: 15});
    shown.first = useLiveQuery(q => q.from({m: collection}).orderBy(({m}) => m.$position).limit(3));
    return null;
  };
  const root = createRoot(document.createElement('div'));
  root.render(createElement(List));
  for (const count of [15, 30, 45, 50]) {
    await when(() => shown.infinite?.data.length === count, `${count} rows`);
    shown.infinite.fetchNextPage();
  }
  assert.equal(shown.infinite.hasNextPage, false);
  const expected = (await stored(feed, own)).map(item => item.id);
  assert.deepEqual(shown.infinite.data.map(row => row.id), expected);
  const id = await insert(text('Arrived'));
  await when(() => shown.infinite.data[0].id === id && shown.first.data[0].id === id, 'the insert');
  await remove(expected[0]);
  await when(() => !shown.infinite.data.some(row => row.id === expected[0]), 'the deletion');
  assert.deepEqual(shown.first.data.map(row => row.id), (await stored(feed, own, 3)).map(item => item.id));
  root.unmount();
});

test('when the stream ends for good, the rows stay, and "refresh" makes them live again', async t => {
  let isForbidden = false;
  const errors = [];
  const connections = [];
  const guarded = async (url, init) => {
    const connection = new AbortController();
    connections.push(connection);
    return isForbidden
      ? Response.json({code: 'unauthorized', detail: 'the token has expired'}, {status: 401, headers: {'Content-Type': 'application/problem+json'}})
      : fetch(url, {...init, signal: AbortSignal.any([init.signal, connection.signal])});
  };
  const {collection, text} = await ownCollection(t, {live: true, onError: error => errors.push(error.code), feed: {fetch: guarded, retry: {initialDelay: 1}}});
  const query = await queried(collection, {limit: 15});
  await when(() => connections.length === 2, 'the stream');
  isForbidden = true;
  connections.forEach(connection => connection.abort(new TypeError('the connection broke')));
  await when(() => errors.length > 0, 'the error');
  assert.deepEqual(errors, ['unauthorized']);
  assert.equal(query.size, 15);
  await assert.rejects(collection.utils.refresh(), {code: 'unauthorized'});
  isForbidden = false;
  await insert(text('Arrived meanwhile'));
  await collection.utils.refresh();
  await when(() => query.toArray[0].subject === text('Arrived meanwhile'), 'the insert');
  await insert(text('Arrived later'));
  await when(() => query.toArray[0].subject === text('Arrived later'), 'the stream again');
});

test('a list that cannot be read says so', async t => {
  const errors = [];
  const collection = collectionOf(t, {feed: new Feed(new URL('/api/mesages', process.env.TIDEMARK_URL).href), onError: error => errors.push(error.code)});
  await assert.rejects(queried(collection));
  assert.deepEqual(errors, ['unknown_feed']);
});
