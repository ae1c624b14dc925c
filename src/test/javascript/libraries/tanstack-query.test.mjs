import assert from 'node:assert/strict';
import {test} from 'node:test';
import {InfiniteQueryObserver, QueryClient, QueryObserver} from '@tanstack/react-query';
import {followList, infiniteQueryOptions, listQueryOptions} from '@tidemark/client/tanstack-query';
import {edit, feedOf, idsInOrder, insert} from './server.mjs';

const ids = result => result.data.pages.flatMap(page => page.items.map(item => item.id));

function observe(feed, parameters, options) {
  const client = new QueryClient();
  const observer = new InfiniteQueryObserver(client, infiniteQueryOptions(feed, parameters, options));
  return {client, observer, stop: observer.subscribe(() => {})};
}

/** Waits for the first result of the observer, and returns it. */
async function first(observer) {
  await observer.fetchOptimistic(observer.options);
  return observer.getOptimisticResult(observer.options);
}

test('it scrolls to the end while others insert, and shows every item once', async () => {
  const {feed} = feedOf({limit: 100});
  const expected = await idsInOrder({'status': 'open'});
  const {observer, stop} = observe(feed, {status: 'open'});
  let result = await first(observer);
  while (result.hasNextPage) {
    await insert('Arrived during the scroll');
    result = await observer.fetchNextPage();
  }
  stop();
  assert.deepEqual(ids(result), expected);
});

test('it scrolls both ways from the middle within maxPages', async () => {
  const {feed} = feedOf({limit: 20});
  const all = await idsInOrder({});
  const {observer, stop} = observe(feed, {from_id: all[200]}, {maxPages: 3});
  let result = await first(observer);
  assert.equal(result.hasPreviousPage, true);
  for (let step = 0; step < 4; step++) {
    result = await observer.fetchNextPage();
  }
  assert.deepEqual(ids(result), all.slice(240, 300), 'the last three of five pages');
  for (let step = 0; step < 4; step++) {
    result = await observer.fetchPreviousPage();
  }
  assert.deepEqual(ids(result), all.slice(160, 220), 'the first three pages');
  stop();
});

test('a refetch within maxPages reads the same places again, with the changes of others', async () => {
  const {feed} = feedOf({limit: 20});
  const all = await idsInOrder({});
  const {observer, stop} = observe(feed, {from_id: all[100]}, {maxPages: 2});
  await first(observer);
  await observer.fetchNextPage();
  await observer.fetchNextPage();
  await edit(all[130], {subject: 'Edited by somebody else'});
  const result = await observer.refetch();
  stop();
  assert.deepEqual(ids(result), all.slice(120, 160));
  assert.equal(result.data.pages[0].items[10].subject, 'Edited by somebody else');
});

test('at the start of the list there is no previous page, and at the end no next one', async () => {
  const {feed} = feedOf({limit: 100});
  const {observer, stop} = observe(feed, {status: 'open', assignee: 'julia', order: 'oldest'});
  let result = await first(observer);
  assert.equal(result.hasPreviousPage, false);
  while (result.hasNextPage) {
    result = await observer.fetchNextPage();
  }
  stop();
  assert.deepEqual(ids(result), await idsInOrder({status: 'open', assignee: 'julia', order: 'oldest'}));
});

test('an error of the server arrives as a FeedError after one request', async () => {
  const {feed, urls} = feedOf();
  const {observer, stop} = observe(feed, {stauts: 'open'});
  await assert.rejects(first(observer), {name: 'FeedError', code: 'unknown_parameter', parameter: 'stauts'});
  stop();
  assert.equal(urls.length, 1);
});

test('a query that is canceled ends its request', async () => {
  const {feed, signals} = feedOf();
  const {client, observer, stop} = observe(feed, {});
  await first(observer);
  const reading = observer.fetchNextPage();
  await client.cancelQueries();
  await reading;
  stop();
  assert.equal(signals.at(-1).aborted, true);
});

test('a query of a list follows the list while others write', async t => {
  const {feed} = feedOf({limit: 20});
  // Other tests insert new messages at the same time.
  const list = feed.list({order: 'oldest'});
  const client = new QueryClient();
  const observer = new QueryObserver(client, listQueryOptions(list));
  const {data: before} = await observer.refetch();
  assert.equal(before.length, 20);
  t.after(followList(client, list));
  await list.next();
  const seen = new Promise(resolve => {
    t.after(observer.subscribe(({data}) => data.some(item => item.subject === 'Seen through the query') && resolve()));
  });
  await edit(before[3].id, {subject: 'Seen through the query'});
  await seen;
  assert.ok(observer.getCurrentResult().data.length > 30);
});
