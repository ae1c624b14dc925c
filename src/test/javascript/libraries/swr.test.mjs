import assert from 'node:assert/strict';
import {test} from 'node:test';
import './dom.mjs';
import {act, createElement} from 'react';
import {createRoot} from 'react-dom/client';
import {SWRConfig} from 'swr';
import useSWRInfinite from 'swr/infinite';
import useSWRSubscription from 'swr/subscription';
import {swrInfinite, swrLive} from '@tidemark/client/swr';
import {edit, feedOf, idsInOrder} from './server.mjs';

/** Renders a component with the hook, and returns an object that holds the latest result of the hook. */
async function render(args) {
  const root = createRoot(document.createElement('div'));
  const shown = {root, result: null};
  const List = () => {
    // SWR renders the component again only if a member that is read here changes.
    const {data, error, isValidating, setSize, mutate} = useSWRInfinite(...args);
    shown.result = {data, error, isValidating, setSize, mutate};
    return null;
  };
  await act(async () => root.render(createElement(SWRConfig, {value: {provider: () => new Map()}}, createElement(List))));
  await settled(shown);
  return shown;
}

/** Waits until the hook has finished reading. */
async function settled(shown) {
  for (const deadline = Date.now() + 10_000; Date.now() < deadline; ) {
    if (!shown.result.isValidating) {
      return shown.result;
    }
    await act(() => new Promise(resolve => setTimeout(resolve, 5)));
  }
  throw new Error('the hook does not settle');
}

async function change(shown, what) {
  await act(async () => what(shown.result));
  return settled(shown);
}

const ids = ({data}) => data.flatMap(page => page.items.map(item => item.id));

test('each page is read once, page one included', async () => {
  const {feed, urls} = feedOf({limit: 20});
  const all = await idsInOrder({});
  const shown = await render(swrInfinite(feed));
  for (let size = 2; size <= 4; size++) {
    await change(shown, ({setSize}) => setSize(size));
  }
  assert.deepEqual(ids(shown.result), all.slice(0, 80));
  assert.equal(urls.length, 4);
  assert.equal(new Set(urls).size, 4);
  await act(async () => shown.root.unmount());
});

test('without the options of the adapter, SWR reads page one again', async () => {
  const {feed, urls} = feedOf({limit: 20});
  const [pageKey, fetcher] = swrInfinite(feed);
  const shown = await render([pageKey, fetcher]);
  await change(shown, ({setSize}) => setSize(2));
  assert.equal(urls.length, 3, 'otherwise the options of the adapter are no longer needed');
  await act(async () => shown.root.unmount());
});

test('mutate reads all pages again, with the changes of others', async () => {
  const {feed} = feedOf({limit: 20});
  const all = await idsInOrder({});
  const shown = await render(swrInfinite(feed));
  await change(shown, ({setSize}) => setSize(2));
  await edit(all[25], {subject: 'Edited for SWR'});
  await change(shown, ({mutate}) => mutate());
  assert.equal(shown.result.data[1].items[5].subject, 'Edited for SWR');
  await act(async () => shown.root.unmount());
});

test('at the end of the list there is no further key', async () => {
  const {feed, urls} = feedOf({limit: 100});
  const parameters = {status: 'open', assignee: 'julia'};
  const expected = await idsInOrder(parameters);
  const shown = await render(swrInfinite(feed, parameters));
  await change(shown, ({setSize}) => setSize(50));
  assert.deepEqual(ids(shown.result), expected);
  assert.equal(urls.length, Math.ceil(expected.length / 100));
  await act(async () => shown.root.unmount());
});

test('an error of the server is shown after one request', async () => {
  const {feed, urls} = feedOf();
  const shown = await render(swrInfinite(feed, {order: 'loudest'}));
  assert.equal(shown.result.error.code, 'unknown_order');
  assert.equal(urls.length, 1);
  await act(async () => shown.root.unmount());
});

test('a live list is the data of a subscription', async () => {
  const {feed} = feedOf({limit: 20});
  const list = feed.list({order: 'oldest'});
  const root = createRoot(document.createElement('div'));
  let shown = {};
  const List = () => {
    shown = useSWRSubscription(...swrLive(list));
    return null;
  };
  const until = async condition => {
    for (const end = Date.now() + 5000; !condition(); ) {
      assert.ok(Date.now() < end);
      await act(() => new Promise(resolve => setTimeout(resolve, 5)));
    }
  };
  await act(async () => root.render(createElement(SWRConfig, {value: {provider: () => new Map()}}, createElement(List))));
  await until(() => shown.data?.length > 0);
  await edit(shown.data[3].id, {subject: 'Seen through the subscription'});
  await until(() => shown.data.some(item => item.subject === 'Seen through the subscription'));
  assert.equal(shown.error ?? null, null);
  await act(async () => root.unmount());
});
