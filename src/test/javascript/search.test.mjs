import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Feed} from '../../client/javascript/index.js';
import {infiniteQueryOptions} from '../../client/javascript/tanstack-query.js';
import {FeedServer, IMPATIENT} from './feed-server.mjs';

const numbers = count => Array.from({length: count}, (_, at) => at + 1);

/** Of a hundred rows, each of which is a number, every 40th matches, and a page looks at five. */
function search(every = 40, count = 100) {
  const server = new FeedServer(...numbers(count));
  server.matches = row => row % every === 0;
  server.scan = 5;
  const feed = new Feed('/api/n', {fetch: server.fetch, retry: IMPATIENT});
  return {server, feed, list: feed.list({q: 'text'})};
}

const ids = list => list.items.map(item => item.id);

test('a list goes on over partial pages without items, and says that it is searching', async () => {
  const {list, server} = search();
  const states = [];
  list.subscribe(() => states.at(-1) === list.searching || states.push(list.searching));
  const first = await list.start();
  assert.equal(first.partial, true);
  assert.equal(list.isEmpty, true);
  assert.equal(list.atEnd, false);
  await list.next();
  assert.deepEqual(ids(list), [80]);
  assert.deepEqual(states, [false, true, false]);
  assert.equal(server.calls.length, 5);
  assert.equal(list.pages.length, 1);
  assert.equal(list.atStart, true);
  await list.next();
  assert.deepEqual(ids(list), [80, 40]);
});

test('after ten pages without items, the caller decides whether to search further', async () => {
  const {list, server} = search(1000, 200);
  await list.start();
  assert.equal(await list.next(), null);
  assert.equal(server.calls.length, 11);
  assert.equal(list.atEnd, false);
  assert.equal(list.searching, false);
  while (!list.atEnd) {
    await list.next();
  }
  assert.equal(list.isEmpty, true);
  assert.equal(server.calls.length, 41);
});

test('an error while searching loses nothing of what has been searched', async () => {
  const {list, server} = search();
  await list.start();
  server.failures = [null, {status: 400, code: 'not_supported'}];
  await assert.rejects(list.next());
  assert.equal(list.searching, false);
  const before = server.calls.length;
  await list.next();
  assert.deepEqual(ids(list), [80]);
  assert.equal(server.calls.length, before + 3);
});

test('from the middle, a search pages both ways', async () => {
  const {list} = search();
  await list.start({cursor: '>61'});
  await list.previous();
  assert.deepEqual(ids(list), [80]);
  await list.next();
  assert.deepEqual(ids(list), [80, 40]);
  while (!list.atStart) {
    await list.previous();
  }
  assert.deepEqual(ids(list), [80, 40]);
});

for (const delta of [false, true]) {
  test(`a refresh of a search shows what is new, moved, and gone, ${delta ? 'with' : 'without'} moments`, async () => {
    const {list, server} = search();
    server.delta = delta;
    await list.start();
    await list.next();
    await list.next();
    server.write(120, 'new');
    server.remove(40);
    const {added, removed} = await list.refresh();
    assert.deepEqual(added.map(item => item.id), [120]);
    assert.deepEqual(removed.map(item => item.id), [40]);
    assert.deepEqual(ids(list), [120, 80]);
    while (!list.atEnd) {
      await list.next();
    }
    assert.deepEqual(ids(list), [120, 80]);
  });
}

test('the pages and items of a feed come to the end over partial pages', async () => {
  const {feed} = search();
  const found = [];
  for await (const item of feed.items({q: 'text'})) {
    found.push(item.id);
  }
  assert.deepEqual(found, [80, 40]);
});

test('TanStack Query takes a partial page as a page', async () => {
  const {feed} = search();
  const options = infiniteQueryOptions(feed, {q: 'text'});
  const page = await options.queryFn({pageParam: null});
  assert.deepEqual(page.items, []);
  assert.equal(options.getNextPageParam(page), '>96');
});

for (const delta of [false, true]) {
  const moments = delta ? 'with moments' : 'without moments';

  test(`after a refresh of a search, the top is that of the first item that it finds, ${moments}`, async () => {
    const {list, server} = search();
    server.delta = delta;
    await list.start();
    await list.next();
    await list.refresh();
    assert.equal(list.top, '<80');
    server.matches = row => row === 88 || row % 40 === 0;
    server.write(88, 'new');
    await list.refresh();
    assert.deepEqual(ids(list), [88, 80]);
    assert.equal(list.top, '<88');
  });

  test(`a refresh of a search that has found nothing keeps how far it is, ${moments}`, async () => {
    const {list, server} = search(1000, 200);
    server.delta = delta;
    await list.start();
    await list.next();
    const {next} = list.pages[0];
    await list.refresh();
    assert.equal(list.pages[0].next, next);
    assert.equal(list.top, null);
    server.matches = row => [190, 100].includes(row);
    server.write(190, 'new');
    const {added} = await list.refresh();
    assert.deepEqual(added.map(item => item.id), [190]);
    assert.equal(list.pages[0].next, next);
    await list.next();
    assert.deepEqual(ids(list), [190, 100]);
  });

  test(`after a refresh, a search that was read to its end goes on from there, ${moments}`, async () => {
    const {list, server} = search();
    server.delta = delta;
    while (!list.atEnd) {
      await list.next();
    }
    server.remove(40);
    await list.refresh();
    const before = server.calls.length;
    await list.next();
    assert.equal(list.atEnd, true);
    assert.equal(server.calls.length, before + 1);
    assert.deepEqual(ids(list), [80]);
  });

  test(`a refresh shows what is new between the last item and the end of its partial page, ${moments}`, async () => {
    const {list, server} = search();
    server.delta = delta;
    await list.start();
    await list.next();
    server.matches = row => row === 78 || row % 40 === 0;
    server.write(78, 'new');
    await list.refresh();
    assert.deepEqual(ids(list), [80, 78]);
    await list.next();
    assert.deepEqual(ids(list), [80, 78, 40]);
  });
}

for (const delta of [false, true]) {
  const moments = delta ? 'with moments' : 'without moments';

  test(`a refresh shows what is new between the last item of a full page and where the search goes on, ${moments}`, async () => {
    const {server, feed} = search(2);
    server.delta = delta;
    server.matches = row => [100, 98, 80].includes(row);
    const list = feed.list({q: 'text', limit: 2});
    const first = await list.start();
    assert.equal(first.partial, false);
    assert.equal(first.next, '>96');
    server.matches = row => [100, 98, 97, 80].includes(row);
    server.write(97, 'new');
    await list.refresh();
    assert.deepEqual(ids(list), [100, 98, 97]);
    while (!list.atEnd) {
      await list.next();
    }
    assert.deepEqual(ids(list), [100, 98, 97, 80]);
  });

  test(`a refresh shows what is new between the last item and the former end of the search, ${moments}`, async () => {
    const {list, server} = search();
    server.delta = delta;
    server.matches = row => [80, 3].includes(row);
    while (!list.atEnd) {
      await list.next();
    }
    server.remove(100);
    await list.refresh();
    server.matches = row => [80, 3, 2].includes(row);
    server.write(2, 'new');
    await list.refresh();
    assert.deepEqual(ids(list), [80, 3, 2]);
  });

  test(`a refresh shows what is new in the part of a hole that was searched, ${moments}`, async () => {
    const {list, server} = search();
    server.delta = delta;
    server.maxLimit = 2;
    server.matches = row => row === 100;
    await list.start();
    const matching = [100, 110, 200, 199, 198];
    server.matches = row => matching.includes(row);
    numbers(100).forEach(row => server.write(100 + row, 'new'));
    await list.refresh();
    const second = await list.fill(list.pages[0]);
    assert.deepEqual(ids(list), [200, 199, 198, 100]);
    assert.equal(await list.fill(second), null);
    matching.push(180);
    server.write(180, 'new');
    await list.refresh();
    assert.deepEqual(ids(list), [200, 199, 198, 180, 100]);
    while (list.pages.some(page => page.hole)) {
      await list.fill(list.pages.find(page => page.hole));
    }
    assert.deepEqual(ids(list), [200, 199, 198, 180, 110, 100]);
  });

  test(`a hole in a search begins where its upper page ends, ${moments}`, async () => {
    const {list, server} = search();
    server.delta = delta;
    server.maxLimit = 2;
    server.matches = row => row === 100;
    await list.start();
    const newest = [200, 198, 190];
    server.matches = row => row === 100 || newest.includes(row);
    numbers(100).forEach(row => server.write(100 + row, 'new'));
    await list.refresh();
    assert.deepEqual(ids(list), [200, 198, 100]);
    assert.notEqual(list.pages[0].hole, null);
    newest.push(197);
    server.write(197, 'new');
    await list.refresh();
    while (list.pages.some(page => page.hole)) {
      await list.fill(list.pages.find(page => page.hole));
    }
    assert.deepEqual(ids(list), [200, 198, 197, 190, 100]);
  });
}

for (const delta of [false, true]) {
  const moments = delta ? 'with moments' : 'without moments';

  test(`refreshes keep how far a search was read backward, and show what is new there, ${moments}`, async () => {
    const {list, server} = search(1000, 200);
    server.delta = delta;
    server.matches = row => [21, 180].includes(row);
    await list.start({cursor: '>25'});
    assert.deepEqual(ids(list), [21]);
    assert.equal(await list.previous(), null);
    const {prev} = list.pages[0];
    await list.refresh();
    await list.refresh();
    assert.equal(list.pages[0].prev, prev);
    server.matches = row => [21, 50, 180].includes(row);
    server.write(50, 'new');
    const {added} = await list.refresh();
    assert.deepEqual(added.map(item => item.id), [50]);
    assert.equal(list.pages[0].prev, prev);
    while (!list.atStart) {
      await list.previous();
    }
    assert.deepEqual(ids(list), [180, 50, 21]);
    assert.equal((await list.refresh()).added.length, 0);
    assert.equal(list.top, '<180');
  });

  test(`a refresh shows what is new between the first item and where a search goes on backward, ${moments}`, async () => {
    const {list, server} = search();
    server.delta = delta;
    await list.start({cursor: '>62'});
    await list.previous();
    assert.deepEqual(ids(list), [80]);
    assert.equal(list.pages[0].prev, '<81');
    server.matches = row => row === 81 || row % 40 === 0;
    server.write(81, 'new');
    await list.refresh();
    assert.deepEqual(ids(list), [81, 80]);
  });
}

test('the window of a search ends where the search is', {timeout: 5_000}, async t => {
  const {list, server} = search();
  server.delta = true;
  await list.start();
  t.after(list.live());
  while (list.liveState !== 'streaming') {
    await new Promise(resolve => setTimeout(resolve, 10));
  }
  assert.match(server.calls.at(-1), /live\?.*until=%3E96/);
  server.write(120, 'new');
  server.push();
  while (list.isEmpty) {
    await new Promise(resolve => setTimeout(resolve, 10));
  }
  assert.deepEqual(ids(list), [120]);
  await list.next();
  assert.deepEqual(ids(list), [120, 80]);
});

test('the window of a search also grows with ten pages that are empty', {timeout: 5_000}, async t => {
  const {list, server} = search(1000, 200);
  server.delta = true;
  await list.start();
  t.after(list.live());
  while (!t.signal.aborted && list.liveState !== 'streaming') {
    await new Promise(resolve => setTimeout(resolve, 10));
  }
  assert.match(server.calls.at(-1), /live\?.*until=%3E196/);
  await list.next();
  while (!t.signal.aborted && !server.calls.at(-1).includes('/live?')) {
    await new Promise(resolve => setTimeout(resolve, 10));
  }
  assert.match(server.calls.at(-1), /until=%3E146/);
});

test('the window of a search from the middle begins where the search goes on backward', {timeout: 5_000}, async t => {
  const {list, server} = search();
  server.delta = true;
  await list.start({cursor: '>62'});
  await list.previous();
  t.after(list.live({policy: 'all'}));
  while (!t.signal.aborted && list.liveState !== 'streaming') {
    await new Promise(resolve => setTimeout(resolve, 10));
  }
  server.matches = row => row === 81 || row % 40 === 0;
  server.write(81, 'new');
  server.push();
  while (!t.signal.aborted && list.items.length === 1) {
    await new Promise(resolve => setTimeout(resolve, 10));
  }
  assert.deepEqual(ids(list), [81, 80]);
});
