import assert from 'node:assert/strict';
import {createServer} from 'node:http';
import {test} from 'node:test';
import {Feed} from '@tidemark/client';
import {edit, feedOf, insert} from './server.mjs';

/** A proxy in front of the server, whose responses `intercept` can replace. It can break all connections. */
async function proxyOf(t) {
  const proxy = {intercept: () => null};
  const server = createServer(async (request, response) => {
    const replaced = proxy.intercept(request);
    if (replaced) {
      response.writeHead(replaced.status, replaced.headers).end(replaced.body);
      return;
    }
    const ended = new AbortController();
    response.on('close', () => ended.abort());
    try {
      const answer = await fetch(new URL(request.url, process.env.TIDEMARK_URL), {headers: {Accept: request.headers.accept}, signal: ended.signal});
      response.writeHead(answer.status, {'Content-Type': answer.headers.get('Content-Type')});
      for await (const part of answer.body) {
        response.write(part);
      }
      response.end();
    } catch {
      response.destroy();
    }
  });
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  proxy.breakConnections = () => server.closeAllConnections();
  proxy.url = `http://127.0.0.1:${server.address().port}/api/messages`;
  return proxy;
}

const problem = (status, code, detail) => ({
  status,
  headers: {'Content-Type': 'application/problem+json'},
  body: JSON.stringify({status, code, detail}),
});

/** A live list behind a proxy: of messages whose subjects begin with its prefix, because other tests write at the same time. */
async function liveList(t, count = 5) {
  const prefix = `${crypto.randomUUID()}:`;
  const text = subject => `${prefix} ${subject}`;
  for (let at = 0; at < count; at++) {
    await insert(text(`Message ${at}`));
  }
  const proxy = await proxyOf(t);
  const list = new Feed(proxy.url, {limit: 3, retry: {attempts: 2, initialDelay: 1, maxDelay: 2}}).list({'subject.prefix': prefix});
  await list.start();
  t.after(list.live({pollEvery: 20, streamAgainAfter: 50}));
  const shown = [...list.items];
  await edit(shown[0].id, {subject: text('The stream is open')});
  await when(() => list.items[0].subject === text('The stream is open'), 'the stream');
  return {proxy, list, text};
}

async function when(condition, what) {
  for (const end = Date.now() + 5000; !condition(); ) {
    assert.ok(Date.now() < end, `not within 5 s: ${what}`);
    await new Promise(resolve => setTimeout(resolve, 5));
  }
}

const isError = (error, code) => error.name === 'FeedError' && error.code === code && error.message.includes(' ');

test('a wrong name of the feed is an error with advice', async () => {
  const feed = new Feed(new URL('/api/mesages', process.env.TIDEMARK_URL).href);
  await assert.rejects(feed.list().start(), error => isError(error, 'unknown_feed') && error.message.includes('GET /api'));
});

test('a feed without delta cannot be live, and its list stays and can be refreshed', async t => {
  const feed = new Feed(new URL('/api/plain', process.env.TIDEMARK_URL).href, {limit: 3});
  const list = feed.list();
  await list.start();
  t.after(list.live());
  await when(() => list.liveError, 'the error');
  assert.ok(isError(list.liveError, 'not_supported'), list.liveError.message);
  assert.equal(list.items.length, 3);
  assert.deepEqual((await list.refresh()).removed, []);
  assert.equal(list.hasMoments, false);
});

for (const [what, status, code, detail] of [
  ['an expired token', 401, 'unauthorized', 'the token has expired'],
  ['a feed that was removed', 404, 'unknown_feed', 'there is no feed "messages"'],
  ['a filter that the feed no longer declares', 400, 'unknown_parameter', 'there is no parameter "subject.prefix" here'],
]) {
  test(`after ${what}, the list stays with an error, and goes on when it is live again`, async t => {
    const {proxy, list, text} = await liveList(t);
    const shown = [...list.items];
    proxy.intercept = () => problem(status, code, detail);
    proxy.breakConnections();
    await when(() => list.liveError, 'the error');
    assert.ok(isError(list.liveError, code), list.liveError.message);
    assert.equal(list.liveError.message, detail);
    await assert.rejects(list.next(), error => isError(error, code));
    await assert.rejects(list.refresh(), error => isError(error, code));
    assert.deepEqual(list.items, shown);
    await edit(shown[1].id, {subject: text('Edited meanwhile')});

    proxy.intercept = () => null;
    t.after(list.live());
    await when(() => list.items[1].subject === text('Edited meanwhile'), 'the edit');
    assert.equal(list.liveError, null);
    await list.next();
    assert.equal(list.items.length, 5);
  });
}

test('when a changed feed no longer accepts the cursors, the list is read again', async t => {
  const {proxy, list, text} = await liveList(t, 8);
  await list.next();
  proxy.intercept = ({url}) => (/[?&](cursor|until)=/.test(url) ? problem(400, 'cursor_mismatch', 'this cursor belongs to another list') : null);
  await assert.rejects(list.next(), error => isError(error, 'cursor_mismatch') && error.mustStartAgain);
  assert.equal(list.items.length, 6);
  const [, id] = list.items.map(item => item.id);
  proxy.breakConnections();
  await when(() => list.pages.length === 1, 'the first page');
  proxy.intercept = () => null;
  await edit(id, {subject: text('Edited afterwards')});
  await when(() => list.items[1].subject === text('Edited afterwards'), 'the edit');
  assert.equal(list.liveError, null);
});

test('HTML from a proxy is an error that says so, and a live list goes on when the server is back', async t => {
  const {proxy, list, text} = await liveList(t);
  const shown = [...list.items];
  proxy.intercept = () => ({status: 200, headers: {'Content-Type': 'text/html'}, body: '<h1>Sign in</h1>'});
  await assert.rejects(list.next(), error => isError(error, 'unexpected_response') && /text\/html/.test(error.message));
  proxy.breakConnections();
  await when(() => list.liveError, 'the error');
  assert.ok(isError(list.liveError, 'unexpected_response'));
  assert.deepEqual(list.items, shown);
  proxy.intercept = () => null;
  t.after(list.live());
  await edit(shown[2].id, {subject: text('Edited meanwhile')});
  await when(() => list.items[2].subject === text('Edited meanwhile'), 'the edit');
});

test('a response whose JSON is cut off is an error, and the list stays', async t => {
  const {proxy, list} = await liveList(t);
  const shown = [...list.items];
  proxy.intercept = () => ({status: 200, headers: {'Content-Type': 'application/json'}, body: '{"items":['});
  await assert.rejects(list.next(), error => isError(error, 'unexpected_response'));
  await assert.rejects(list.refresh(), error => isError(error, 'unexpected_response'));
  assert.deepEqual(list.items, shown);
});

test('a network that rejects requests, as a browser does without CORS, is an error with a sentence after the retries', async () => {
  const failures = [];
  const {feed} = feedOf({
    fetch: () => Promise.reject(new TypeError('Failed to fetch')),
    retry: {attempts: 2, initialDelay: 1},
    onRetry: ({error}) => failures.push(error),
  });
  await assert.rejects(feed.list().start(), error => error.code === 'unreachable' && /CORS/.test(error.message) && error.cause.message === 'Failed to fetch');
  assert.equal(failures.length, 1);
});
