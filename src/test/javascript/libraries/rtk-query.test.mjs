import assert from 'node:assert/strict';
import {test} from 'node:test';
import {configureStore} from '@reduxjs/toolkit';
import {createApi, fakeBaseQuery} from '@reduxjs/toolkit/query';
import {Feed} from '@tidemark/client';
import {listEndpoint} from '@tidemark/client/rtk-query';
import {edit, feedOf, idsInOrder, insert, remove} from './server.mjs';

const ids = ({data}) => data.pages.flatMap(page => page.items.map(item => item.id));

/** A store with the endpoint, and a query that is subscribed until the end of the test. The store checks that what it has is serializable. */
function subscribed(t, feed, parameters, options) {
  const api = createApi({
    baseQuery: fakeBaseQuery(),
    endpoints: build => ({messages: build.infiniteQuery(listEndpoint(feed, options))}),
  });
  const store = configureStore({reducer: {api: api.reducer}, middleware: defaults => defaults().concat(api.middleware)});
  const query = store.dispatch(api.endpoints.messages.initiate(parameters));
  const select = api.endpoints.messages.select(parameters);
  const unsubscribe = () => {
    query.unsubscribe();
    store.dispatch(api.util.resetApiState());
  };
  t.after(unsubscribe);
  // As the hooks of React do.
  const move = direction => () => store.dispatch(api.endpoints.messages.initiate(parameters, {direction, subscribe: false}));
  return {query, state: () => select(store.getState()), next: move('forward'), previous: move('backward'), unsubscribe};
}

/** Other tests write at the same time, so some tests have a list of their own: of messages whose subjects begin with its prefix. */
async function ownMessages(count) {
  const prefix = `${crypto.randomUUID()}:`;
  const text = subject => `${prefix} ${subject}`;
  for (let at = 0; at < count; at++) {
    await insert(text(`Message ${at}`));
  }
  return {text, own: {'subject.prefix': prefix}};
}

async function when(condition) {
  while (!condition()) {
    await new Promise(resolve => setTimeout(resolve, 5));
  }
}

test('it scrolls to the end while others insert, and has every item once', async t => {
  const {feed} = feedOf({limit: 100});
  const expected = await idsInOrder({status: 'open'});
  const {query, state, next} = subscribed(t, feed, {status: 'open'});
  await query;
  while (state().data.pages.at(-1).next) {
    await insert('Arrived during the scroll');
    await next();
  }
  assert.deepEqual(ids(state()), expected);
});

test('it scrolls both ways from the middle', async t => {
  const {feed} = feedOf({limit: 20});
  const all = await idsInOrder({});
  const list = feed.list({});
  await list.start({from_id: all[200]});
  const {query, state, next, previous} = subscribed(t, feed, {});
  await query;
  await next();
  await previous();
  assert.deepEqual(ids(state()).slice(-60), all.slice(180, 240));
  assert.equal(state().data.pages.length, 3);
});

test('a refetch reads all pages with one request, and then equals the list of the server', async t => {
  const {own, text} = await ownMessages(50);
  const {feed, urls} = feedOf({limit: 20});
  const {query, state, next} = subscribed(t, feed, own);
  await query;
  await next();
  await next();
  const before = state().data.pages.flatMap(page => page.items);
  await edit(before[30].id, {subject: text('Edited by somebody else')});
  await remove(before[10].id);
  const id = await insert(text('Arrived'));
  urls.length = 0;
  await query.refetch();
  const after = state().data.pages.flatMap(page => page.items);
  assert.equal(urls.length, 1);
  assert.match(urls[0], /since=/);
  assert.deepEqual(after.map(item => item.id), [id, ...before.map(item => item.id).filter(one => one !== before[10].id)]);
  assert.deepEqual(after, (await feed.page({...own, limit: 100})).items);
  assert.equal(after.find(item => item.id === before[31].id), before[31], 'an unchanged item is the same object');
});

test('a live query follows the writes of others, also while it reads another page, until it is removed', async t => {
  const {own, text} = await ownMessages(50);
  const {feed, urls, signals} = feedOf({limit: 20});
  const {query, state, next, unsubscribe} = subscribed(t, feed, own, {live: {policy: 'all'}});
  await query;
  await when(() => urls.some(url => url.includes('/live?')));
  const before = ids(state());
  await edit(before[3], {subject: text('Edited by somebody else')});
  await when(() => state().data.pages[0].items[3].subject === text('Edited by somebody else'));
  const reading = next();
  const id = await insert(text('Arrived'));
  await remove(before[5]);
  await reading;
  await when(() => ids(state())[0] === id && !ids(state()).includes(before[5]));
  assert.deepEqual(ids(state()), (await feed.page({...own, limit: 40})).items.map(item => item.id));
  unsubscribe();
  await when(() => signals.every((signal, at) => !urls[at].includes('/live?') || signal.aborted));
});

test('an error of the server arrives with its code after one request', async t => {
  const {feed, urls} = feedOf();
  const {query, state} = subscribed(t, feed, {stauts: 'open'});
  await query;
  const {error} = state();
  assert.deepEqual({...error, message: '', requestId: ''}, {
    name: 'FeedError', message: '', status: 400, code: 'unknown_parameter', parameter: 'stauts', requestId: '',
  });
  assert.match(error.message, /status/);
  assert.equal(urls.length, 1);
});

test('a list that cannot be live says so, and stays', async t => {
  const errors = [];
  const feed = new Feed(new URL('/api/plain', process.env.TIDEMARK_URL).href, {limit: 5});
  const {query, state} = subscribed(t, feed, {}, {live: true, onError: error => errors.push(error.code)});
  await query;
  await when(() => errors.length > 0);
  assert.deepEqual(errors, ['not_supported']);
  assert.equal(state().data.pages[0].items.length, 5);
});

test('the parameters can be computed from the argument', async t => {
  const {feed, urls} = feedOf({limit: 5});
  const {query} = subscribed(t, feed, 'closed', {parameters: status => ({status})});
  await query;
  assert.match(urls[0], /status=closed/);
});
