import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Feed, FeedError, listKey} from '../../client/javascript/index.js';
import {FeedServer, IMPATIENT} from './feed-server.mjs';

const feedOf = (server, options = {}) => new Feed('/api/n', {fetch: server.fetch, retry: IMPATIENT, ...options});
const problem = (status, code, headers) => ({status, code, headers});

async function collect(iterable) {
  const found = [];
  for await (const one of iterable) {
    found.push(one);
  }
  return found;
}

test('items are read page by page to the end of the list', async () => {
  const server = new FeedServer(1, 2, 3, 4, 5, 6, 7);
  assert.deepEqual((await collect(feedOf(server).items())).map(item => item.id), [7, 6, 5, 4, 3, 2, 1]);
  assert.equal(server.calls.length, 3);
});

test('a feed can be made before a polyfill has added what it needs', t => {
  const {Response} = globalThis;
  t.after(() => (globalThis.Response = Response));
  delete globalThis.Response;
  assert.equal(new Feed('https://example.org/api/n').url, 'https://example.org/api/n');
});

test('a loop that ends early requests no further page', async () => {
  const server = new FeedServer(1, 2, 3, 4, 5);
  for await (const item of feedOf(server).items()) {
    if (item.id === 4) break;
  }
  assert.equal(server.calls.length, 1);
});

test('pages keep the filters and drop the jump', async () => {
  const server = new FeedServer(1, 2, 3, 4);
  const feed = feedOf(server, {limit: 2, fields: ['id', 'subject']});
  await collect(feed.pages({status: ['open', 'pending'], from: 4}));
  assert.deepEqual(server.calls, [
    '/api/n?limit=2&fields=id%2Csubject&status=open&status=pending&from=4',
    '/api/n?limit=2&fields=id%2Csubject&status=open&status=pending&cursor=%3E3',
  ]);
});

test('backward, items come in reverse up to the start of the list', async () => {
  const server = new FeedServer(1, 2, 3, 4, 5, 6);
  assert.deepEqual((await collect(feedOf(server).items({cursor: '<2'}, {backward: true}))).map(item => item.id), [3, 4, 5, 6]);
});

test('an empty list has one page and no items', async () => {
  assert.equal((await collect(feedOf(new FeedServer()).pages())).length, 1);
  assert.deepEqual(await collect(feedOf(new FeedServer()).items()), []);
});

test('a signal ends a running request and a delay before a retry', async () => {
  const hanging = new FeedServer(1);
  hanging.failures = ['hang'];
  const ended = new AbortController();
  const reading = collect(feedOf(hanging).items({}, {signal: ended.signal}));
  ended.abort();
  await assert.rejects(reading, {name: 'AbortError'});

  const busy = new FeedServer(1);
  busy.failures = [problem(503, 'overloaded', {'Retry-After': '60'})];
  const other = new AbortController();
  const feed = feedOf(busy, {onRetry: () => queueMicrotask(() => queueMicrotask(() => other.abort()))});
  await assert.rejects(collect(feed.items({}, {signal: other.signal})), {name: 'AbortError'});
  assert.equal(busy.calls.length, 1);
});

test('a signal ends a loop within a page', async () => {
  const found = [];
  const ended = new AbortController();
  const reading = (async () => {
    for await (const item of feedOf(new FeedServer(1, 2, 3)).items({}, {signal: ended.signal})) {
      found.push(item.id);
      ended.abort();
    }
  })();
  await assert.rejects(reading, {name: 'AbortError'});
  assert.deepEqual(found, [3]);
});

test('an aborted signal sends no request', async () => {
  const server = new FeedServer(1);
  await assert.rejects(feedOf(server).page({}, {signal: AbortSignal.abort()}), {name: 'AbortError'});
  assert.equal(server.calls.length, 0);
});

test('a transient failure is retried and reported', async () => {
  const server = new FeedServer(1);
  server.failures = ['network', problem(503, 'overloaded')];
  const told = [];
  await feedOf(server, {onRetry: ({attempt, error}) => told.push([attempt, error.name])}).page();
  assert.deepEqual(told, [[1, 'FeedError'], [2, 'FeedError']]);
});

test('after the last attempt it fails with the last error', async () => {
  const server = new FeedServer(1);
  server.failures = ['network', 'network', problem(503, 'overloaded')];
  const feed = feedOf(server);
  await assert.rejects(feed.page(), {code: 'overloaded'});
  assert.equal((await feed.page()).items.length, 1);
});

test('a request that takes too long is retried', async () => {
  const server = new FeedServer(1);
  server.failures = ['hang'];
  assert.equal((await feedOf(server, {retry: {...IMPATIENT, timeout: 20}}).page()).items.length, 1);
});

for (const [status, code] of [[400, 'invalid_cursor'], [401, 'unauthorized'], [404, 'unknown_feed'], [410, 'cursor_expired'], [500, 'internal']]) {
  test(`${code} is not retried`, async () => {
    const server = new FeedServer(1);
    server.failures = [problem(status, code)];
    await assert.rejects(feedOf(server).page({cursor: '>5'}), error => error instanceof FeedError && error.code === code);
    assert.equal(server.calls.length, 1);
  });
}

test('an error says whether the list must be read again from the start', () => {
  assert.equal(new FeedError(410, {code: 'cursor_expired'}).mustStartAgain, true);
  assert.equal(new FeedError(400, {code: 'invalid_limit'}).mustStartAgain, false);
});

for (const [form, value] of [['seconds', () => '60'], ['a date', () => new Date(Date.now() + 60_500).toUTCString()]]) {
  test(`it waits as long as a Retry-After in ${form} says, unless the caller asks to retry now`, async () => {
    const server = new FeedServer(1);
    server.failures = [problem(503, 'unavailable', {'Retry-After': value()})];
    let waited = 0;
    const feed = feedOf(server, {onRetry: ({delay}) => {
      waited = delay;
      queueMicrotask(() => queueMicrotask(() => feed.retryNow()));
    }});
    assert.equal((await feed.page()).items.length, 1);
    assert.ok(waited > 58_000 && waited <= 60_500, `${waited} ms`);
  });
}

test('a Retry-After beyond the longest delay fails at once and can be read', async () => {
  const server = new FeedServer(1);
  server.failures = [problem(503, 'unavailable', {'Retry-After': '3600'})];
  await assert.rejects(feedOf(server).page(), {retryAfter: 3600});
  assert.equal(server.calls.length, 1);
});

test('delays grow, are random, and are limited', async () => {
  const delays = [];
  for (let run = 0; run < 20; run++) {
    const server = new FeedServer(1);
    server.failures = ['network', 'network', 'network'];
    const feed = feedOf(server, {retry: {initialDelay: 1000, maxDelay: 2000}, onRetry: ({attempt, delay}) => {
      (delays[attempt] ??= []).push(delay);
      queueMicrotask(() => queueMicrotask(() => feed.retryNow()));
    }});
    await feed.page();
  }
  for (const [attempt, most] of [[1, 1000], [2, 2000], [3, 2000]]) {
    assert.ok(delays[attempt].every(delay => delay >= most / 2 && delay <= most), `attempt ${attempt}: ${delays[attempt]}`);
    assert.ok(new Set(delays[attempt]).size > 1);
  }
});

test('the function for headers is called again for each attempt', async () => {
  const server = new FeedServer(1);
  server.failures = ['network'];
  let token = 0;
  await feedOf(server, {headers: async () => ({Authorization: `Bearer ${++token}`})}).page();
  assert.deepEqual(server.headers, {Authorization: 'Bearer 2', Accept: 'application/json'});
});

test('an address that cannot be requested is rejected at once', () => {
  assert.throws(() => new Feed('http://'), TypeError);
  assert.throws(() => new Feed('/api/n'), TypeError, 'without a page there is no base for a path');
});

for (const url of ['http://localhost/api/n?status=open', 'http://localhost/api/n#top']) {
  test(`the address ${url} is rejected, because parameters are added to it`, () => {
    assert.throws(() => new Feed(url), {name: 'TypeError', message: /^the address of a feed ends with its path/});
  });
}

for (const headers of [{Authorization: 'Bearer a\nb'}, {'not a name': 'x'}]) {
  test(`the invalid headers ${JSON.stringify(headers)} fail without a retry`, async () => {
    const server = new FeedServer(1);
    await assert.rejects(feedOf(server, {headers}).page(), /^Error: the request cannot be sent: /);
    await assert.rejects(feedOf(server, {headers}).fresh('>1').next(), /^Error: the request cannot be sent: /);
    assert.equal(server.calls.length, 0);
  });
}

test('a failure with unreadable content keeps its status', async () => {
  const fetch = async () => new Response('', {status: 500, headers: {'Content-Type': 'application/json'}});
  await assert.rejects(new Feed('/api/n', {fetch}).page(), {name: 'FeedError', status: 500, code: null});
});

test('a response that is not a page, such as a login page of a network, is a failure', async () => {
  const fetch = async () => new Response('<p>Log in', {headers: {'Content-Type': 'text/html'}});
  await assert.rejects(new Feed('/api/n', {fetch}).page(), {name: 'FeedError', status: 200});
});

test('parameters in another sequence give the same list', () => {
  const feed = feedOf(new FeedServer());
  assert.equal(feed.list({status: ['a', 'b'], order: 'x'}), feed.list({order: 'x', status: ['a', 'b'], assignee: null}));
  assert.notEqual(feed.list({status: 'a'}), feed.list({status: 'b'}));
  assert.equal(listKey({b: 1, a: [2, 3]}), 'a=2&a=3&b=1');
});

test('a timeout of the caller ends the request without a retry', async () => {
  const server = new FeedServer(1);
  server.failures = ['hang'];
  let retries = 0;
  const feed = feedOf(server, {onRetry: () => retries++});
  await assert.rejects(feed.page({}, {signal: AbortSignal.timeout(10)}), {name: 'TimeoutError'});
  assert.equal(server.calls.length, 1);
  assert.equal(retries, 0);
});

test('headers can be a Headers object', async () => {
  const server = new FeedServer(1);
  await feedOf(server, {headers: new Headers({Authorization: 'Bearer 1'})}).page();
  assert.equal(new Headers(server.headers).get('Authorization'), 'Bearer 1');
  assert.equal(new Headers(server.headers).get('Accept'), 'application/json');
});

test('a network failure is one whatever the error of the fetch is called, also in the middle of a body', async () => {
  const broken = () => new Response(new ReadableStream({start: controller => controller.error(new Error('the connection was lost'))}),
      {headers: {'Content-Type': 'application/json'}});
  const answers = [() => Promise.reject(new Error('fetch failed')), broken, () => Response.json({items: []})];
  const codes = [];
  const feed = new Feed('/api/n', {fetch: async () => answers.shift()(), retry: IMPATIENT, onRetry: ({error}) => codes.push(error.code)});
  assert.deepEqual(await feed.page(), {items: []});
  assert.deepEqual(codes, ['unreachable', 'unreachable']);
});

for (const name of ['AbortError', 'TimeoutError']) {
  test(`a fetch with an end of its own rejects with its ${name}`, async () => {
    const error = Object.assign(new Error('ended'), {name});
    const feed = new Feed('/api/n', {fetch: () => Promise.reject(error), retry: {attempts: 1}});
    await assert.rejects(feed.page(), thrown => thrown === error);
  });
}
