import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Feed} from '../../client/javascript/index.js';
import {IMPATIENT} from './feed-server.mjs';

const QUICK = {pollEvery: 1, streamAgainAfter: 0};
const event = (count, capped = false) => `event: fresh\ndata: ${JSON.stringify({count, capped})}\n\n`;

/** A feed that gives one of these answers to each request: a response, or a function that makes one from the signal. */
function feedWithAnswers(...answers) {
  const urls = [];
  const fetch = async (url, {signal, headers}) => {
    urls.push(`${headers.Accept} ${url}`);
    const answer = answers.shift();
    return typeof answer === 'function' ? answer(signal) : answer;
  };
  return {feed: new Feed('/api/n', {fetch, retry: IMPATIENT}), urls};
}

const stream = (chunks, {stayOpen = false} = {}) => signal => new Response(new ReadableStream({
  start(controller) {
    chunks.forEach(chunk => controller.enqueue(new TextEncoder().encode(chunk)));
    stayOpen ? signal.addEventListener('abort', () => controller.error(signal.reason)) : controller.close();
  },
}), {headers: {'Content-Type': 'text/event-stream;charset=UTF-8'}});

async function take(number, counts) {
  const found = [];
  for await (const {count} of counts) {
    found.push(count);
    if (found.length === number) break;
  }
  return found;
}

test('counts come from the event stream, also when chunks cut lines', async () => {
  const {feed, urls} = feedWithAnswers(stream([event(0).slice(0, 20), event(0).slice(20) + ':\n\n' + event(3)]));
  assert.deepEqual(await take(2, feed.fresh('abc', {status: 'open'})), [0, 3]);
  assert.deepEqual(urls, ['text/event-stream /api/n/fresh?status=open&cursor=abc']);
});

test('parameters of pages are left out', async () => {
  const {feed, urls} = feedWithAnswers(stream([event(2)]));
  const parameters = {around_id: '5', limit: 10, fields: 'id', count: 'exact', order: 'newest', 'id.gt': 3};
  assert.deepEqual(await take(1, feed.fresh('abc', parameters)), [2]);
  assert.deepEqual(urls, ['text/event-stream /api/n/fresh?order=newest&id.gt=3&cursor=abc']);
});

test('a stream that ends is opened again, and the same count is not repeated', async () => {
  const {feed, urls} = feedWithAnswers(stream([event(0), event(1)]), stream([event(1), event(2)]));
  assert.deepEqual(await take(3, feed.fresh('abc')), [0, 1, 2]);
  assert.equal(urls.length, 2);
});

test('a stream that ends with a problem fails with it', async () => {
  const problem = 'event: problem\ndata: {"status": 404, "code": "unknown_feed", "detail": "gone"}\n\n';
  const {feed, urls} = feedWithAnswers(stream([event(0), problem]));
  const counts = feed.fresh('abc');
  assert.equal((await counts.next()).value.count, 0);
  await assert.rejects(counts.next(), {name: 'FeedError', status: 404, code: 'unknown_feed', message: 'gone'});
  assert.equal(urls.length, 1);
});

test('a network failure is retried', async () => {
  const {feed} = feedWithAnswers(() => Promise.reject(new TypeError('fetch failed')), stream([event(5)]));
  assert.deepEqual(await take(1, feed.fresh('abc')), [5]);
});

test('a stream without heartbeats is opened again', async () => {
  const {feed, urls} = feedWithAnswers(stream([event(0)], {stayOpen: true}), stream([event(1)]));
  assert.deepEqual(await take(2, feed.fresh('abc', {}, {silence: 20})), [0, 1]);
  assert.equal(urls.length, 2);
});

test('a feed whose streams are rejected for now is polled, and the stream is tried again later', async () => {
  const {feed, urls} = feedWithAnswers(
      Response.json({code: 'overloaded'}, {status: 503}), Response.json({count: 1, capped: false}), stream([event(2)]));
  assert.deepEqual(await take(2, feed.fresh('abc', {}, QUICK)), [1, 2]);
  assert.deepEqual(urls.map(url => url.split(' ')[0]), ['text/event-stream', 'application/json', 'text/event-stream']);
});

test('a feed is polled if a proxy answers without a stream', async () => {
  const {feed} = feedWithAnswers(new Response('<p>', {headers: {'Content-Type': 'text/html'}}), Response.json({count: 4, capped: false}));
  assert.deepEqual(await take(1, feed.fresh('abc', {}, QUICK)), [4]);
});

test('a bookmark that is no longer valid ends the counts with the error', async () => {
  const {feed, urls} = feedWithAnswers(Response.json({code: 'cursor_expired'}, {status: 410}));
  await assert.rejects(take(1, feed.fresh('abc')), {code: 'cursor_expired'});
  assert.equal(urls.length, 1);
});

test('a signal ends an open stream', async () => {
  const ended = new AbortController();
  const {feed} = feedWithAnswers(stream([event(0)], {stayOpen: true}));
  const reading = (async () => {
    for await (const {count} of feed.fresh('abc', {}, {signal: ended.signal})) {
      assert.equal(count, 0);
      setImmediate(() => ended.abort());
    }
  })();
  await assert.rejects(reading, {name: 'AbortError'});
});

test('a timeout of the caller ends the polling at once', async () => {
  const {feed, urls} = feedWithAnswers(
      new Response('<p>', {headers: {'Content-Type': 'text/html'}}),
      signal => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))));
  const counts = feed.fresh('abc', {}, {signal: AbortSignal.timeout(10), pollEvery: 2 ** 31 - 1});
  await assert.rejects(counts.next(), {name: 'TimeoutError'});
  assert.equal(urls.length, 2);
});

test('an overloaded server is polled only after its Retry-After', async () => {
  const overloaded = Response.json({code: 'overloaded'}, {status: 503, headers: {'Retry-After': '60'}});
  const {feed, urls} = feedWithAnswers(overloaded, Response.json({count: 1, capped: false}));
  const first = feed.fresh('abc', {}, QUICK).next();
  await new Promise(resolve => setImmediate(resolve));
  assert.equal(urls.length, 1);
  feed.retryNow();
  assert.equal((await first).value.count, 1);
});

test('a stream that ends with its token is opened again with the next token', async () => {
  const tokens = [];
  const streams = [stream([event(0)]), stream([event(1)])];
  const fetch = async (url, {signal, headers}) => {
    tokens.push(headers.Authorization);
    return streams.shift()(signal);
  };
  let token = 0;
  const feed = new Feed('/api/n', {fetch, retry: IMPATIENT, headers: async () => ({Authorization: `Bearer ${++token}`})});
  assert.deepEqual(await take(2, feed.fresh('abc')), [0, 1]);
  assert.deepEqual(tokens, ['Bearer 1', 'Bearer 2']);
});
