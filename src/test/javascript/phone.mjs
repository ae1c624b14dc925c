/**
 * Uses the client on a platform from which globals have been taken away, and prints what has come of it as JSON.
 * Arguments: the platform, and the address of a feed of the numbers 1 to 9. `POST /write?id=8&text=new` edits a
 * number.
 */
import {request} from 'node:http';

const [platform, address] = process.argv.slice(2);
const write = (id, text) => send('POST', address.replace('/api/n', `/write?id=${id}&text=${text}`));

/**
 * A `fetch` that needs no globals. That of React Native responds when the response is complete, and has no body to
 * read bit by bit.
 */
function send(method, url, {headers = {}, signal} = {}) {
  return new Promise((resolve, reject) => {
    const sent = request(url, {method, headers}, async response => {
      const {statusCode: status} = response;
      const parts = response[Symbol.asyncIterator]();
      const text = async () => {
        let all = '';
        for await (const part of response) {
          all += part;
        }
        return all;
      };
      const answer = {status, ok: status < 300, headers: new Headers(response.headers), json: async () => JSON.parse(await text())};
      if (platform === 'React Native') {
        await text().then(all => resolve({...answer, json: async () => JSON.parse(all)}), () => {});
      } else {
        resolve({...answer, body: {getReader: () => ({read: () => parts.next(), cancel: async () => {}})}});
      }
    });
    sent.on('error', () => reject(new TypeError('Network request failed')));
    signal?.addEventListener('abort', () => {
      reject(Object.assign(new Error('Aborted'), {name: 'AbortError'}));
      sent.destroy();
    });
    sent.end();
  });
}

/**
 * Of the package `abort-controller`, as React Native has it: a signal without a reason, whose listeners have no
 * options.
 */
class OldAbortController {
  #listeners = new Set();

  signal = {
    aborted: false,
    addEventListener: (_, listener) => this.#listeners.add(listener),
    removeEventListener: (_, listener) => this.#listeners.delete(listener),
  };

  abort() {
    const isFirst = !this.signal.aborted;
    this.signal.aborted = true;
    isFirst && this.#listeners.forEach(listener => listener());
  }
}

// Node.js loads these when they are used first, and needs for that what is removed next.
new Response(new Headers());

const remove = (object, ...names) => names.forEach(name => delete object[name]);

// What iOS 15.0 does not have, or nobody needs here.
remove(globalThis, 'structuredClone', 'TextDecoderStream', 'TextEncoderStream', 'CompressionStream', 'navigator');
remove(AbortSignal, 'any', 'timeout', 'abort');
remove(AbortSignal.prototype, 'throwIfAborted', 'reason');
remove(Array.prototype, 'at', 'findLast', 'findLastIndex', 'toReversed', 'toSorted', 'toSpliced', 'with');
remove(Object, 'hasOwn', 'groupBy');
remove(String.prototype, 'at', 'isWellFormed', 'toWellFormed');
remove(Promise, 'withResolvers', 'any');
if (platform === 'React Native') {
  remove(globalThis, 'EventTarget', 'Event', 'CustomEvent', 'DOMException', 'ReadableStream', 'TextDecoder', 'AbortSignal',
      'crypto', 'performance', 'queueMicrotask', 'URL', 'URLSearchParams', 'MessageChannel', 'BroadcastChannel', 'Blob');
  remove(Response.prototype, 'body');
  globalThis.AbortController = OldAbortController;
}
globalThis.fetch = (url, init) => send('GET', url, init);

const {Feed} = await import('../../client/javascript/index.js');
const {persist} = await import('../../client/javascript/persist.js');

const seen = {};
const idsOf = ({items}) => items.map(item => item.id);
const feed = new Feed(address, {limit: 3});

seen.backward = [];
for await (const item of feed.items({cursor: '<2'}, {backward: true})) {
  seen.backward.push(item.id);
}

const list = feed.list({text: ['ä&b', 'half \ud83d']});
await list.start();
await list.next();
await write(8, 'refreshed');
seen.refreshed = (await list.refresh()).changed.map(item => item.text);

const values = new Map();
const storage = {getItem: name => values.get(name), setItem: (name, value) => values.set(name, value), removeItem: name => values.delete(name)};
const kept = persist(list, storage);
await kept.save();
kept.stop();
const restored = new Feed(address, {limit: 3}).list(list.parameters);
await persist(restored, storage).restored;
seen.restored = idsOf(restored);

seen.errors = [];
const note = error => seen.errors.push(error.name);
await new Feed(address, {retry: {attempts: 1, timeout: 50}}).page({hang: true}).catch(note);
const canceled = feed.list({hang: true});
const reading = canceled.start().catch(note);
canceled.cancel();
await reading;
const ended = new AbortController();
ended.abort();
await feed.page({}, {signal: ended.signal}).catch(note);

const states = (seen.states = []);
const edited = new Promise(resolve => list.subscribe(() => {
  list.liveState === states[states.length - 1] || states.push(list.liveState);
  ['polling', 'streaming'].includes(list.liveState) && write(7, 'live');
  list.items[2].text === 'live' && resolve();
}));
const stop = list.live({pollEvery: 5});
await edited;
stop();

seen.fresh = [];
const counting = new AbortController();
try {
  for await (const {count} of feed.fresh('<7', {}, {signal: counting.signal, pollEvery: 5, onState: state => counting.abort(seen.fresh.push(state))})) {
    seen.fresh.push(count);
  }
} catch (error) {
  seen.fresh.push(error.name);
}
console.log(JSON.stringify(seen));
process.exit();
