import assert from 'node:assert/strict';
import {test} from 'node:test';
import {edit, feedOf, insert, remove} from './server.mjs';

/** Waits until the condition holds, which is checked after each change of the list. */
async function when(list, condition, what) {
  let unsubscribe;
  let timer;
  await new Promise((resolve, reject) => {
    const check = () => (condition() ? resolve() : list.liveError && reject(list.liveError));
    timer = setTimeout(() => reject(new Error(`not within 5 s: ${what}`)), 5000);
    unsubscribe = list.subscribe(check);
    check();
  }).finally(() => {
    clearTimeout(timer);
    unsubscribe();
  });
}

/** Other tests write at the same time, so each test has a list of its own: of messages whose subjects begin with its prefix. */
async function ownMessages(count) {
  const prefix = `${crypto.randomUUID()}:`;
  const text = subject => `${prefix} ${subject}`;
  await Promise.all(Array.from({length: count}, (_, at) => insert(text(`Message ${at}`))));
  return {text, own: {'subject.prefix': prefix}};
}

/** Starts a live list of its own messages, and stops it after the test. Waits for its stream. */
async function liveList(t, {count = 25, parameters = {}, pages = 1, start = {}, options = {}} = {}) {
  const {text, own} = await ownMessages(count);
  const recorded = feedOf({limit: 20});
  const list = recorded.feed.list({...own, ...parameters});
  await list.start(start);
  while (list.pages.length < pages) {
    await list.next();
  }
  const publications = [];
  list.subscribe(changes => changes && publications.push(changes));
  const stop = list.live(options);
  t.after(stop);
  await opened(recorded.urls, 1);
  return {...recorded, list, stop, publications, text};
}

const streams = urls => urls.filter(url => url.includes('/live?'));

async function opened(urls, number) {
  while (streams(urls).length < number) {
    await new Promise(resolve => setTimeout(resolve, 5));
  }
}

const idsOf = list => list.items.map(item => item.id);

async function stored(feed, parameters, number) {
  const items = [];
  for await (const item of feed.items(parameters)) {
    if (items.length === number) break;
    items.push(item);
  }
  return items;
}

test('an edit inside a live list is shown in place, and the other items stay the same objects', async t => {
  const {list, publications, text} = await liveList(t, {count: 45, pages: 2});
  const before = [...list.items];
  await edit(before[33].id, {subject: text('Edited by another')});
  await when(list, () => list.items[33].subject === text('Edited by another'), 'the edit');
  assert.deepEqual(idsOf(list), before.map(item => item.id));
  list.items.forEach((item, at) => assert.equal(item === before[at], at !== 33, `item ${at}`));
  assert.deepEqual(publications.map(({changed}) => changed.length), [1]);
});

test('new items above the first one wait until they are shown', async t => {
  const {list, feed, text} = await liveList(t);
  const before = idsOf(list);
  const ids = [await insert(text('First')), await insert(text('Second'))];
  await when(list, () => list.waiting.count === 2, 'two items that wait');
  assert.deepEqual(idsOf(list), before);
  await list.showNew();
  assert.deepEqual(idsOf(list), [...ids.reverse(), ...before]);
  assert.deepEqual(list.waiting, {count: 0, capped: false});
  assert.deepEqual(list.items, await stored(feed, list.parameters, list.items.length));
  assert.deepEqual((await feed.page({...list.parameters, cursor: list.top})).items, [], 'nothing is above the new top');
});

test('with the policy "all", new items are shown at once', async t => {
  const {list, text} = await liveList(t, {options: {policy: 'all'}});
  const id = await insert(text('Shown at once'));
  await when(list, () => list.items[0].id === id, 'the new item');
  assert.equal(list.waiting.count, 0);
});

test('a function decides which items wait', async t => {
  const {list, text} = await liveList(t, {options: {policy: item => item.subject.includes('Urgent')}});
  const first = list.items[0].id;
  const ids = [await insert(text('Not now')), await insert(text('Urgent'))];
  await when(list, () => list.items[0].id === ids[1] && list.waiting.count === 1, 'one of two items');
  assert.equal(list.items[1].id, first);
  await list.showNew();
  assert.deepEqual(idsOf(list).slice(0, 3), [ids[1], ids[0], first]);
});

test('a deleted item leaves a live list at once', async t => {
  const {list} = await liveList(t);
  const ids = idsOf(list);
  await remove(ids[4]);
  await when(list, () => list.items.length === 19, 'the deletion');
  assert.deepEqual(idsOf(list), ids.filter(id => id !== ids[4]));
});

test('with "mark", a deleted item keeps its place until the new items are shown', async t => {
  const {list} = await liveList(t, {options: {deleted: 'mark'}});
  const before = [...list.items];
  await remove(before[0].id);
  await remove(before[6].id);
  await when(list, () => list.isDeleted(list.items[0]) && list.isDeleted(list.items[6]), 'two marked items');
  assert.deepEqual(list.items, before);
  assert.equal(list.items.filter(item => list.isDeleted(item)).length, 2);
  await list.showNew();
  assert.deepEqual(idsOf(list), before.map(item => item.id).filter((_, at) => at !== 0 && at !== 6));
});

test('an item that moves above the list keeps its old place until the new items are shown', async t => {
  const {list, feed, text} = await liveList(t, {parameters: {order: 'edited'}});
  await edit(list.items[0].id, {subject: text('The first one that was edited')});
  await when(list, () => list.items[0].edited_at !== null, 'the first edit');
  const ids = idsOf(list);
  await edit(ids[5], {subject: text('Moved to the top')});
  await when(list, () => list.items[5].subject === text('Moved to the top'), 'the edit');
  assert.deepEqual(idsOf(list), ids);
  assert.equal(list.waiting.count, 1);
  await list.showNew();
  assert.deepEqual(list.items, await stored(feed, list.parameters, ids.length));
});

test('an item that no longer fits the filter leaves the list, and one that fits comes in', async t => {
  const {list, feed} = await liveList(t, {parameters: {status: 'open'}});
  const [, , leaving, coming] = list.items;
  await edit(coming.id, {status: 'pending'});
  await when(list, () => !idsOf(list).includes(coming.id), 'the one that leaves first');
  await edit(leaving.id, {status: 'closed'});
  await edit(coming.id, {status: 'open'});
  await when(list, () => idsOf(list).includes(coming.id) && !idsOf(list).includes(leaving.id), 'both');
  assert.deepEqual(list.items, await stored(feed, list.parameters, list.items.length));
});

test('a list that grows opens its stream again once, and reads nothing twice', async t => {
  const {list, urls, text} = await liveList(t, {count: 85});
  await list.next();
  await list.next();
  await list.next();
  await opened(urls, 2);
  await edit(list.items[70].id, {subject: text('On the fourth page')});
  await when(list, () => list.items[70].subject === text('On the fourth page'), 'the edit');
  assert.ok(streams(urls).length <= 4, 'at most once for each page, if the pages come slowly');
  assert.ok(streams(urls).every(url => new URL(url).searchParams.has('since')));
  assert.equal(urls.length - streams(urls).length, 4);
});

test('a list that begins at a jump is live in both directions of its growth', async t => {
  const {text, own} = await ownMessages(100);
  const {feed, urls} = feedOf({limit: 20});
  const {items} = await feed.page({...own, limit: 100});
  const list = feed.list(own);
  await list.start({from_id: items[50].id});
  t.after(list.live());
  await opened(urls, 1);
  assert.equal(list.atStart, false);
  await list.previous();
  await list.next();
  await opened(urls, 2);
  await edit(items[40].id, {subject: text('Above the jump')});
  await edit(items[85].id, {subject: text('Below the jump')});
  await insert(text('Far above'));
  await when(list, () => list.items[10].subject === text('Above the jump') && list.items[55].subject === text('Below the jump'), 'both edits');
  assert.equal(list.waiting.count, 0);
});

test('items that are appended to a list that was read to its end come in', async t => {
  const {list, text} = await liveList(t, {parameters: {order: 'oldest'}, pages: 2});
  assert.equal(list.atEnd, true);
  const id = await insert(text('Appended'));
  await when(list, () => idsOf(list).at(-1) === id, 'the new item');
  assert.equal(list.atEnd, true);
  assert.equal(await list.next(), null);
});

test('an empty list shows the first item at once', async t => {
  const {list, text} = await liveList(t, {count: 0});
  assert.equal(list.isEmpty, true);
  const id = await insert(text('The first one'));
  await when(list, () => list.items[0]?.id === id, 'the new item');
});

test('while others write, the list equals that of the server after every pause', async t => {
  for (const parameters of [{}, {order: 'edited'}, {status: ['open', 'pending']}]) {
    const {list, feed, stop, text} = await liveList(t, {count: 85, parameters, pages: 3, options: {policy: 'all'}});
    const random = new Random(7);
    for (let round = 0; round < 4; round++) {
      const ids = idsOf(list);
      await Promise.all(Array.from({length: 8}, (_, at) => {
        const id = ids[(8 * random.below(7) + at) % ids.length];
        return [
          () => insert(text(`Round ${round}`)),
          () => edit(id, {subject: text(`Edited in round ${round}`)}),
          () => edit(id, {status: ['open', 'pending', 'closed'][random.below(3)]}),
          () => remove(id),
        ][random.below(4)]().catch(() => {}); // the message may have been deleted
      }));
      round === 2 && (await list.next());
      const equals = async () => JSON.stringify(list.items) === JSON.stringify(await stored(feed, list.parameters, list.items.length));
      for (const end = Date.now() + 5000; !(await equals()); ) {
        assert.ok(Date.now() < end, `${JSON.stringify(parameters)}, round ${round}`);
      }
    }
    stop();
  }
});

class Random {
  #state;

  constructor(seed) {
    this.#state = seed;
  }

  below(bound) {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * bound);
  }
}

test('what changed while the list was not live is there when it is live again', async t => {
  const {list, stop, publications, text} = await liveList(t, {options: {deleted: 'mark'}});
  const before = [...list.items];
  stop();
  await edit(before[3].id, {subject: text('Meanwhile')});
  await remove(before[5].id);
  await insert(text('New meanwhile'));
  t.after(list.live({deleted: 'mark'}));
  await when(list, () => list.waiting.count === 1, 'the new item');
  assert.equal(list.items[3].subject, text('Meanwhile'));
  assert.equal(list.isDeleted(list.items[5]), true);
  assert.equal(publications.length, 1);
});

test('where streams are rejected, a live list polls', async t => {
  const withoutStreams = (url, init) => (url.includes('/live?') ? Response.json({code: 'overloaded'}, {status: 503}) : fetch(url, init));
  const {text, own} = await ownMessages(60);
  const {feed} = feedOf({limit: 20, fetch: withoutStreams});
  for (const start of [{}, {from_id: (await feed.page({...own, limit: 60})).items[30].id}]) {
    const list = feed.list(own);
    await list.start(start);
    const stop = list.live({pollEvery: 50});
    t.after(stop);
    const subject = text(`Seen by polling from ${JSON.stringify(start)}`);
    await edit(list.items[2].id, {subject});
    await when(list, () => list.items[2].subject === subject, 'the edit');
    stop();
  }
});

test('a connection that breaks is opened again, and goes on where it was', async t => {
  const connections = [];
  const breakable = async (url, init) => {
    const ended = new AbortController();
    connections.push(ended);
    return fetch(url, {...init, signal: AbortSignal.any([init.signal, ended.signal].filter(Boolean))});
  };
  const {text, own} = await ownMessages(5);
  const {feed} = feedOf({limit: 20, fetch: breakable, retry: {initialDelay: 1}});
  const list = feed.list(own);
  await list.start();
  t.after(list.live());
  await edit(list.items[1].id, {subject: text('Before')});
  await when(list, () => list.items[1].subject === text('Before'), 'the edit before');
  connections.at(-1).abort(new TypeError('the connection broke'));
  await edit(list.items[1].id, {subject: text('After')});
  await when(list, () => list.items[1].subject === text('After'), 'the edit after');
});

test('a live list ends with an error if the feed is gone', async t => {
  const feedGone = (url, init) => (url.includes('/live?')
      ? Response.json({code: 'unknown_feed', detail: 'there is no feed "messages"'}, {status: 404, headers: {'Content-Type': 'application/problem+json'}})
      : fetch(url, init));
  const {feed} = feedOf({fetch: feedGone});
  const list = feed.list({});
  await list.start();
  t.after(list.live());
  while (list.liveError === null) {
    await new Promise(resolve => setTimeout(resolve, 5));
  }
  assert.equal(list.liveError.message, 'there is no feed "messages"');
});
