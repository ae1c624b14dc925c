import assert from 'node:assert/strict';
import {test} from 'node:test';
import {persist} from '@tidemark/client/persist';
import {edit, feedOf, insert, remove} from './server.mjs';

/** Other tests write at the same time, so each test has a list of its own: of messages whose subjects begin with its prefix. */
async function ownMessages(count) {
  const prefix = `${crypto.randomUUID()}:`;
  const text = subject => `${prefix} ${subject}`;
  for (let at = 0; at < count; at++) {
    await insert(text(`Message ${at}`));
  }
  return {text, own: {'subject.prefix': prefix}};
}

/** A storage with promises, like an adapter of IndexedDB. */
function storage() {
  const values = new Map();
  return {
    getItem: async name => values.get(name) ?? null,
    setItem: async (name, value) => void values.set(name, value),
    removeItem: async name => void values.delete(name),
  };
}

async function opened(urls, part) {
  while (!urls.some(url => url.includes(part))) {
    await new Promise(resolve => setTimeout(resolve, 5));
  }
}

async function when(list, condition) {
  while (!condition()) {
    if (list.liveError) throw list.liveError;
    await new Promise(resolve => setTimeout(resolve, 5));
  }
}

/** Reads three pages of own messages, saves the list at its 25th item, and has others write while it is away. */
async function saved({live = null} = {}) {
  const {own, text} = await ownMessages(70);
  const {feed, urls} = feedOf({limit: 20});
  const list = feed.list(own);
  await list.start();
  await list.next();
  await list.next();
  const before = [...list.items];
  const kept = persist(list, storedIn, {place: () => ({item: list.items[24], offset: 5})});
  await kept.restored;
  if (live) {
    const stop = list.live({deleted: 'mark'});
    await opened(urls, '/live?');
    await live({list, before, text});
    stop();
  }
  await kept.save();
  kept.stop();
  return {own, text, before};
}

const storedIn = storage();

async function stored(feed, parameters, number) {
  const items = [];
  for await (const item of feed.items(parameters)) {
    if (items.length === number) break;
    items.push(item);
  }
  return items;
}

test('a restored list equals that of the server after one delta refresh', async () => {
  const {own, text, before} = await saved();
  await edit(before[30].id, {subject: text('Edited while it was away')});
  await remove(before[10].id);
  const id = await insert(text('Arrived while it was away'));

  const {feed, urls} = feedOf({limit: 20});
  const list = feed.list(own);
  const {place} = await persist(list, storedIn).restored;
  assert.deepEqual(list.items, before);
  assert.deepEqual(place, {item: before[24], offset: 5});
  const {added, changed, removed} = await list.refresh();
  assert.deepEqual([added, changed, removed].map(items => items.map(item => item.id)), [[id], [before[30].id], [before[10].id]]);
  assert.deepEqual(list.items, await stored(feed, own, list.items.length));
  assert.equal(urls.filter(url => url.includes('since=')).length, urls.findIndex(url => !url.includes('since=')), 'only requests with a moment before the comparison');
});

test('a live list goes on from the moment at which it was saved, also with items that were waiting or deleted', async t => {
  let waiting;
  const {own, text, before} = await saved({
    live: async ({list, before: shown, text: own}) => {
      waiting = await insert(own('Waits'));
      await remove(shown[5].id);
      await when(list, () => list.waiting.count === 1 && list.isDeleted(list.items[5]));
    },
  });
  await edit(before[30].id, {subject: text('Edited while it was away')});

  const {feed} = feedOf({limit: 20});
  const list = feed.list(own);
  await persist(list, storedIn).restored;
  assert.deepEqual(list.items, before.filter((_, at) => at !== 5));
  t.after(list.live());
  await when(list, () => list.waiting.count === 1 && list.items[29].subject === text('Edited while it was away'));
  await list.showNew();
  assert.equal(list.items[0].id, waiting);
  assert.deepEqual(list.items, await stored(feed, own, list.items.length));
});
