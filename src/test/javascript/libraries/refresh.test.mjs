import assert from 'node:assert/strict';
import {test} from 'node:test';
import {edit, feedOf, idsInOrder, insert, remove} from './server.mjs';

async function loaded(feed, parameters, pages) {
  const list = feed.list(parameters);
  await list.start();
  while (list.pages.length < pages) {
    await list.next();
  }
  return list;
}

/** The first items of the list, read page by page. */
async function read(feed, parameters, number) {
  const items = [];
  for await (const item of feed.items(parameters)) {
    if (items.length === number) break;
    items.push(item);
  }
  return items;
}

for (const parameters of [{}, {order: 'edited'}, {status: ['open', 'pending']}]) {
  test(`after a refresh, a kept list equals that of the server: ${JSON.stringify(parameters)}`, async () => {
    const {feed} = feedOf({limit: 50});
    const list = await loaded(feed, parameters, 4);
    assert.equal(list.hasMoments, true);
    for (let round = 0; round < 3; round++) {
      const ids = list.items.map(item => item.id);
      await insert(`Round ${round}`);
      await edit(ids[7 * round + 1], {subject: `Edited in round ${round}`});
      await edit(ids[20 + round], {status: 'closed'});
      await remove(ids[60 + round]);
      await list.refresh();
      assert.deepEqual(list.items, await read(feed, parameters, list.items.length), `round ${round}`);
    }
  });
}

test('a list that was read to its end shows what was appended after a refresh', async () => {
  const {feed} = feedOf({limit: 50});
  const {items} = await feed.page({limit: 80});
  const parameters = {order: 'oldest', 'created_at.gte': items.at(-1).created_at};
  const list = await loaded(feed, parameters, 2);
  assert.equal(list.atEnd, true);
  const id = await insert('Appended');
  await edit(items[40].id, {subject: 'Edited before the end'});
  const {added} = await list.refresh();
  assert.deepEqual(added.map(item => item.id), [id]);
  assert.deepEqual(list.items, await read(feed, parameters, 200));
});

test('a refresh sends less than a tenth of what reading again sends', async t => {
  const {feed, urls} = feedOf({limit: 100});
  const list = await loaded(feed, {}, 3);
  await list.refresh();
  for (const {id} of list.items.slice(100, 105)) {
    await edit(id, {subject: 'One of five'});
  }
  urls.length = 0;
  await list.refresh();
  assert.equal(urls.length, 1);
  const [delta] = await sizesOf(urls);
  const again = (await sizesOf(list.pages.map(page => `${feed.url}?${new URLSearchParams({...page.parameters, limit: 100})}`)))
      .reduce((sum, size) => sum + size);
  t.diagnostic(`${delta} bytes instead of ${again}`);
  assert.ok(delta < again / 10, `${delta} bytes instead of ${again}`);
});

const sizesOf = urls => Promise.all(urls.map(async url => (await (await fetch(url)).arrayBuffer()).byteLength));

test('a refresh and a live window reach as far as a search was read', {timeout: 60_000}, async t => {
  const {feed, urls} = feedOf({limit: 5});
  const ids = await idsInOrder({});
  for (const at of [1200, 2300]) {
    await edit(ids[at], {subject: 'A numbat'});
  }
  const parameters = {q: 'numbat'};
  const list = feed.list(parameters);
  await list.start();
  assert.equal(list.isEmpty, true);
  const {next} = list.pages[0];
  await list.refresh();
  assert.equal(list.pages[0].next, next);
  await list.next();
  assert.deepEqual(list.items.map(item => item.id), [ids[1200]]);
  await edit(ids[500], {subject: 'Another numbat'});
  await list.refresh();
  assert.deepEqual(list.items.map(item => item.id), [ids[500], ids[1200]]);
  assert.equal(list.top, (await feed.page(parameters)).cursors.top);

  t.after(list.live({policy: 'all'}));
  await edit(ids[1201], {subject: 'A third numbat'});
  while (list.items.length < 3) {
    await new Promise(resolve => setTimeout(resolve, 20));
  }
  await list.next();
  assert.deepEqual(list.items.map(item => item.id), [500, 1200, 1201, 2300].map(at => ids[at]));
  while (!list.atEnd) {
    await list.next();
  }
  await list.refresh();
  const before = urls.length;
  await list.next();
  assert.equal(list.atEnd, true);
  assert.equal(urls.slice(before).filter(url => !url.includes('/live')).length, 1);
  assert.deepEqual(list.items, await read(feed, parameters, 5));
});
