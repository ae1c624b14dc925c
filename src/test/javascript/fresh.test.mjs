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

test('behind a proxy that buffers the stream, the number is polled, and shown by a stream as soon as the proxy lets one pass', async t => {
  t.mock.timers.enable({apis: ['setTimeout', 'setInterval', 'Date']});
  const states = [];
  let polls = 0;
  let open;
  const streams = [
    stream([event(0)], {stayOpen: true}),
    signal => new Promise(resolve => (open = () => resolve(stream([event(2)], {stayOpen: true})(signal)))),
  ];
  const fetch = async (_, {signal, headers}) =>
    headers.Accept === 'text/event-stream' ? streams.shift()(signal) : Response.json({count: Math.min(1, polls++), capped: false});
  const counts = new Feed('/api/n', {fetch}).fresh('abc', {}, {onState: state => states.push(state)});
  assert.equal((await counts.next()).value.count, 0);

  const polled = counts.next();
  await pass(t, 39_000);
  assert.equal(polls, 0);
  await pass(t, 6_000);
  assert.notEqual(polls, 0, 'within 45 s');
  await pass(t, 6_000);
  assert.equal((await polled).value.count, 1);
  const streamed = counts.next();
  await pass(t, 60_000);
  const before = polls;
  await pass(t, 25_000);
  assert.equal(polls, before + 5, 'the number is polled while the next stream is silent');
  open();
  assert.equal((await streamed).value.count, 2);
  await counts.return();
  assert.deepEqual([...new Set(states)], ['streaming', 'polling']);
});

test('a stream that falls silent after heartbeats is opened again at once', async t => {
  t.mock.timers.enable({apis: ['setTimeout', 'setInterval', 'Date']});
  let controller;
  const beating = signal => new Response(new ReadableStream({
    start(created) {
      controller = created;
      signal.addEventListener('abort', () => created.error(signal.reason));
    },
  }), {headers: {'Content-Type': 'text/event-stream'}});
  const states = [];
  const {feed, urls} = feedWithAnswers(beating, stream([event(1)]));
  const next = feed.fresh('abc', {}, {onState: state => states.push(state)}).next();
  for (let beat = 0; beat < 10; beat++) {
    await pass(t, 15_000);
    controller.enqueue(new TextEncoder().encode(':\n\n'));
  }
  await pass(t, 47_000);
  assert.equal((await next).value.count, 1);
  assert.deepEqual(urls, Array(2).fill('text/event-stream /api/n/fresh?cursor=abc'));
  assert.deepEqual(states, ['connecting']);
});

test('a stream that falls silent after its first heartbeats is opened again, too', async t => {
  t.mock.timers.enable({apis: ['setTimeout', 'setInterval', 'Date']});
  let controller;
  const beating = signal => new Response(new ReadableStream({
    start(created) {
      controller = created;
      signal.addEventListener('abort', () => created.error(signal.reason));
    },
  }), {headers: {'Content-Type': 'text/event-stream'}});
  const {feed, urls} = feedWithAnswers(beating, stream([event(1)]));
  const next = feed.fresh('abc').next();
  for (let beat = 0; beat < 2; beat++) {
    await pass(t, 15_000);
    controller.enqueue(new TextEncoder().encode(':\n\n'));
  }
  await pass(t, 47_000);
  assert.equal((await next).value.count, 1);
  assert.deepEqual(urls, Array(2).fill('text/event-stream /api/n/fresh?cursor=abc'));
});

test('a silent stream is let go although the fetch does not abort its body', async t => {
  t.mock.timers.enable({apis: ['setTimeout', 'setInterval', 'Date']});
  const canceled = [];
  const deaf = () => new Response(new ReadableStream({
    start: controller => controller.enqueue(new TextEncoder().encode(event(0))),
    cancel: () => canceled.push(true),
  }), {headers: {'Content-Type': 'text/event-stream'}});
  const states = [];
  const {feed} = feedWithAnswers(deaf, Response.json({count: 1, capped: false}));
  const counts = feed.fresh('abc', {}, {onState: state => states.push(state)});
  assert.equal((await counts.next()).value.count, 0);
  const polled = counts.next();
  await pass(t, 45_000);
  assert.deepEqual(canceled, [true]);
  assert.equal((await polled).value.count, 1);
  const end = counts.next();
  await pass(t, 1_000);
  assert.deepEqual(states, ['streaming', 'polling']);
  end.catch(() => {});
});

test('a network failure is one whatever the error of the fetch is called, also in the middle of a stream', async () => {
  const failed = () => Promise.reject(new Error('fetch failed'));
  const broken = () => new Response(new ReadableStream({
    pull(controller) {
      this.sent ? controller.error(new Error('the connection was lost')) : controller.enqueue(new TextEncoder().encode(event(0)));
      this.sent = true;
    },
  }), {headers: {'Content-Type': 'text/event-stream'}});
  const {feed} = feedWithAnswers(failed, broken, stream([event(1)]));
  assert.deepEqual(await take(2, feed.fresh('abc')), [0, 1]);
});

test('a request that fails is no reason to poll, also when the platform is online again', async t => {
  const events = new EventTarget();
  for (const name of ['addEventListener', 'removeEventListener']) {
    globalThis[name] = events[name].bind(events);
    t.after(() => delete globalThis[name]);
  }
  const goOnline = () => {
    setImmediate(() => events.dispatchEvent(new Event('online')));
    return Promise.reject(new TypeError('fetch failed'));
  };
  const {feed, urls} = feedWithAnswers(goOnline, stream([event(1)], {stayOpen: true}));
  const counts = feed.fresh('abc');
  assert.equal((await counts.next()).value.count, 1);
  assert.deepEqual(urls.map(url => url.split(' ')[0]), Array(2).fill('text/event-stream'));
  await counts.return();
});

/**
 * A feed whose streams and polls fail as these functions say. A stream sends the number -1, and a poll that of the requests so
 * far.
 */
function feedOfNetwork(failsStream, failsPoll) {
  const requests = [];
  const fetch = async (url, {signal, headers}) => {
    const isStream = headers.Accept === 'text/event-stream';
    requests.push(isStream ? 'stream' : 'poll');
    if (isStream ? failsStream(requests) : failsPoll(requests)) {
      throw new TypeError('fetch failed');
    }
    return isStream ? stream([event(-1)], {stayOpen: true})(signal) : Response.json({count: requests.length, capped: false});
  };
  return {feed: new Feed('/api/n', {fetch, retry: IMPATIENT}), requests};
}

test('where only streams fail before their first byte, the number is polled', async () => {
  const {feed, requests} = feedOfNetwork(() => true, () => false);
  assert.deepEqual(await take(1, feed.fresh('abc')), [5]);
  assert.deepEqual(requests, ['stream', 'stream', 'stream', 'stream', 'poll']);
});

for (const [what, polls] of [['fails', 3], ['succeeds only when it is retried', 1]]) {
  test(`after an absence of the network in which a poll ${what}, the stream is opened at once`, async () => {
    const pollsOf = requests => requests.filter(request => request === 'poll').length;
    const {feed} = feedOfNetwork(requests => pollsOf(requests) < polls, requests => pollsOf(requests) <= polls);
    const found = [];
    for await (const {count} of feed.fresh('abc', {}, {pollEvery: 1})) {
      found.push(count);
      if (count < 0 || found.length === 20) break;
    }
    assert.deepEqual(found.slice(-1), [-1]);
  });
}

test('a stream is opened again as soon as a computer that has slept wakes up', async t => {
  t.mock.timers.enable({apis: ['setTimeout', 'setInterval', 'Date']});
  const {feed, urls} = feedWithAnswers(stream([event(0) + ':\n\n'], {stayOpen: true}), stream([event(1)]));
  const counts = feed.fresh('abc');
  await counts.next();
  const next = counts.next();
  t.mock.timers.setTime(8 * 3_600_000);
  await pass(t, 3_000);
  assert.equal((await next).value.count, 1);
  assert.equal(urls.length, 2);
});

test('where streams end without an event, the number is polled', async () => {
  const {feed, urls} = feedWithAnswers(stream([]), stream([]), stream([]), stream([]), Response.json({count: 3, capped: false}));
  assert.deepEqual(await take(1, feed.fresh('abc')), [3]);
  assert.equal(urls.length, 5);
});

test('where the body of a response cannot be read bit by bit, the number is polled', async () => {
  const bodiless = {ok: true, status: 200, headers: new Headers({'Content-Type': 'text/event-stream'}), body: null};
  const states = [];
  const {feed} = feedWithAnswers(bodiless, Response.json({count: 3, capped: false}), Response.json({count: 4, capped: false}));
  assert.deepEqual(await take(2, feed.fresh('abc', {}, {pollEvery: 1, onState: state => states.push(state)})), [3, 4]);
  assert.deepEqual(states, ['polling']);
});

test('a state says that a number may be old while neither streams nor polls get through', async () => {
  const states = [];
  const rejected = () => Promise.reject(new TypeError('fetch failed'));
  const {feed} = feedWithAnswers(stream([event(0)]), rejected, stream([event(1)]));
  assert.deepEqual(await take(2, feed.fresh('abc', {}, {onState: state => states.push(state)})), [0, 1]);
  assert.deepEqual(states, ['streaming', 'connecting', 'connecting']);
});

/** Lets time pass on the mocked clock, and what happens meanwhile. */
async function pass(t, milliseconds) {
  for (let left = milliseconds; left > 0; left -= 500) {
    for (let turn = 0; turn < 5; turn++) {
      await new Promise(resolve => setImmediate(resolve));
    }
    t.mock.timers.tick(500);
  }
}

/** A web page, of which the client sees whether it is visible. */
class WebPage extends EventTarget {
  visibilityState = 'visible';

  become(state) {
    this.visibilityState = state;
    this.dispatchEvent(new Event('visibilitychange'));
  }
}

test('a hidden page lets its stream go, and opens another one when it is visible', async t => {
  const page = (globalThis.document = new WebPage());
  t.after(() => delete globalThis.document);
  const signals = [];
  const streams = [stream([event(0)], {stayOpen: true}), stream([event(1)], {stayOpen: true})];
  const feed = new Feed('/api/n', {retry: IMPATIENT, fetch: async (url, {signal}) => {
    signals.push(signal);
    return streams.shift()(signal);
  }});
  const states = [];
  const counts = feed.fresh('abc', {}, {onState: state => states.push(state)});
  assert.equal((await counts.next()).value.count, 0);
  const next = counts.next();
  page.become('hidden');
  assert.equal(signals[0].aborted, true);
  await new Promise(resolve => setTimeout(resolve, 20));
  assert.equal(signals.length, 1);
  page.become('visible');
  assert.equal((await next).value.count, 1);
  assert.deepEqual(states, ['streaming', 'hidden', 'connecting']);
  await counts.return();
  assert.equal(signals[1].aborted, true);
});

test('a page that is hidden from the start opens no stream, unless it wants one', async t => {
  const page = (globalThis.document = new WebPage());
  t.after(() => delete globalThis.document);
  page.become('hidden');
  const {feed, urls} = feedWithAnswers(stream([event(7)], {stayOpen: true}));
  const ended = new AbortController();
  const hidden = feed.fresh('abc', {}, {signal: ended.signal, onState: state => ended.abort(state)}).next();
  await assert.rejects(hidden, reason => reason === 'hidden');
  assert.deepEqual(urls, []);
  assert.deepEqual(await take(1, feed.fresh('abc', {}, {openWhenHidden: true})), [7]);
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

test('while an overloaded server is left alone after a stream, the state says so', async () => {
  const problem = 'event: problem\ndata: {"status": 503, "code": "overloaded"}\n\n';
  const states = [];
  const {feed} = feedWithAnswers(stream([event(0), event(1), problem]), Response.json({count: 2, capped: false}), Response.json({count: 3, capped: false}));
  assert.deepEqual(await take(4, feed.fresh('abc', {}, {pollEvery: 1, onState: state => states.push(state)})), [0, 1, 2, 3]);
  assert.deepEqual(states, ['streaming', 'streaming', 'connecting', 'polling']);
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
