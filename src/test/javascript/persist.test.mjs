import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Feed} from '../../client/javascript/index.js';
import {persist} from '../../client/javascript/persist.js';
import {FeedServer, IMPATIENT} from './feed-server.mjs';

const feedOf = server => new Feed('/api/n', {fetch: server.fetch, retry: IMPATIENT});
const ids = list => list.items.map(item => item.id);

/** A storage like those of a browser. With `delay`, its methods return promises, like an adapter of IndexedDB. */
class MemoryStorage {
  values = new Map();
  #wait;

  constructor({delay = false} = {}) {
    this.#wait = value => (delay ? new Promise(resolve => setTimeout(resolve, 1, value)) : value);
  }

  getItem(name) {
    return this.#wait(this.values.get(name) ?? null);
  }

  setItem(name, value) {
    this.values.set(name, value);
    return this.#wait();
  }

  removeItem(name) {
    this.values.delete(name);
    return this.#wait();
  }
}

/** A server with moments whose list was read up to four pages of three, and saved at the item 5. */
async function saved(storage, options = {}) {
  const server = new FeedServer(...Array.from({length: 20}, (_, at) => at + 1));
  server.delta = true;
  const list = feedOf(server).list();
  await list.start();
  while (list.pages.length < 4) {
    await list.next();
  }
  const kept = persist(list, storage, {place: () => ({item: {id: 15}, offset: -7}), ...options});
  await kept.restored;
  await kept.save();
  kept.stop();
  return {server, list};
}

async function when(condition, what) {
  for (const end = Date.now() + 3000; !condition(); ) {
    assert.ok(Date.now() < end, `not within 3 s: ${what}`);
    await new Promise(resolve => setTimeout(resolve, 5));
  }
}

for (const delay of [false, true]) {
  test(`a list comes back with its place and its moment from a storage ${delay ? 'with promises' : 'without promises'}`, async () => {
    const storage = new MemoryStorage({delay});
    const {server, list} = await saved(storage);
    server.write(14, 'edited');
    server.write(21, 'new');
    server.remove(12);
    server.calls = [];

    const again = feedOf(server).list();
    const {place} = await persist(again, storage).restored;
    assert.deepEqual(again.pages, list.pages);
    assert.deepEqual(place, {item: {id: 15}, offset: -7});
    assert.equal(again.items.includes(place.item), true);
    assert.deepEqual(server.calls, []);

    const {added, changed, removed} = await again.refresh();
    assert.deepEqual({added, changed, removed}, {added: [{id: 21, text: 'new'}], changed: [{id: 14, text: 'edited'}], removed: [{id: 12}]});
    assert.deepEqual(again.items, server.list.slice(0, again.items.length));
    assert.equal(server.calls.length, 1);
    assert.match(server.calls[0], /since=/);
  });
}

test('a restored list shows what was edited outside the window of the stream before it was saved', async t => {
  const storage = new MemoryStorage();
  const {server} = await saved(storage);
  server.maxLimit = 7;
  const list = feedOf(server).list();
  await persist(list, storage).restored;
  const stop = list.live();
  t.after(stop);
  await when(() => server.calls.some(url => url.includes('/live?') && url.includes('until=%3E18')), 'the stream of the first pages');
  server.write(10, 'outside the window');
  server.write(19, 'inside the window');
  server.push();
  await when(() => list.items[1].text, 'the edit inside the window');
  stop();
  assert.equal(list.items[10].text, undefined);
  const kept = persist(list, storage);
  await kept.save();
  kept.stop();

  server.maxLimit = 1000;
  for (const update of [again => t.after(again.live()), again => again.refresh()]) {
    const again = feedOf(server).list();
    await persist(again, storage).restored;
    update(again);
    await when(() => again.items[10].text === 'outside the window', 'the edit outside the window');
  }
});

test('a list that has been read is not replaced', async () => {
  const storage = new MemoryStorage();
  const {server} = await saved(storage);
  const list = feedOf(server).list();
  await list.start();
  assert.equal(await persist(list, storage).restored, null);
  assert.equal(list.pages.length, 1);
});

test('only the pages around the place are saved, and the list goes on at both ends', async () => {
  const storage = new MemoryStorage();
  const {server} = await saved(storage, {maxItems: 7});
  const list = feedOf(server).list();
  await persist(list, storage).restored;
  assert.deepEqual(ids(list), [17, 16, 15, 14, 13, 12]);
  assert.equal(list.atStart, false);
  assert.equal(list.atEnd, false);
  await list.previous();
  await list.next();
  assert.deepEqual(ids(list), [20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9]);
  assert.equal(list.atStart, true);
});

test('a change is saved without being asked for', async () => {
  const storage = new MemoryStorage();
  const {server} = await saved(storage);
  const list = feedOf(server).list();
  const kept = persist(list, storage);
  await kept.restored;
  const before = [...storage.values.values()][0];
  await list.next();
  while ([...storage.values.values()][0] === before) {
    await new Promise(resolve => setTimeout(resolve, 5));
  }
  kept.stop();
  const again = feedOf(server).list();
  await persist(again, storage).restored;
  assert.equal(again.pages.length, 5);
});

test('what is not a saved list is reported, and the list starts as usual', async () => {
  const storage = new MemoryStorage();
  const {server} = await saved(storage);
  const [name] = storage.values.keys();
  for (const [value, expected] of [['{"form":', 'SyntaxError'], ['{"form":1}', 'TypeError'], ['{"form":0,"pages":[]}', null], ['7', null]]) {
    storage.values.set(name, value);
    const errors = [];
    const list = feedOf(server).list();
    assert.equal(await persist(list, storage, {onError: error => errors.push(error.name)}).restored, null);
    assert.deepEqual(errors, expected ? [expected] : []);
    assert.equal(list.pages.length, 0);
    await list.start();
    assert.deepEqual(ids(list), [20, 19, 18]);
  }
});

test('if the storage is full, the list stays, and no old one comes back', async () => {
  const storage = new MemoryStorage();
  const {server} = await saved(storage);
  const list = feedOf(server).list();
  const errors = [];
  const kept = persist(list, storage, {onError: error => errors.push(error.message)});
  await kept.restored;
  storage.setItem = () => {
    throw new Error('the storage is full');
  };
  await kept.save();
  assert.deepEqual(errors, ['the storage is full']);
  assert.equal(storage.values.size, 0);
  assert.equal(list.pages.length, 4);
});

test('after "forget", nothing is stored', async () => {
  const storage = new MemoryStorage();
  const {server} = await saved(storage);
  const list = feedOf(server).list();
  const kept = persist(list, storage);
  await kept.restored;
  await kept.forget();
  await kept.save();
  assert.equal(storage.values.size, 0);
});

test('lists with other parameters or fields have other names', async () => {
  const storage = new MemoryStorage();
  const {server} = await saved(storage);
  const feed = new Feed('/api/n', {fetch: server.fetch, fields: ['id']});
  assert.equal(await persist(feed.list(), storage).restored, null);
  assert.equal(await persist(feedOf(server).list({order: 'oldest'}), storage).restored, null);
});

test('a storage without the three methods is rejected', () => {
  assert.throws(() => persist(feedOf(new FeedServer(1)).list(), {}), /getItem/);
});
