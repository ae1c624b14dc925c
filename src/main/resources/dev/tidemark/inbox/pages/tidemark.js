/**
 * The list client of Tidemark. It scrolls through a feed in both directions, refreshes it, and fills the gap after a long
 * absence. It is independent of how a list is displayed, and has no dependencies.
 *
 *     const lists = new FeedLists('/api/messages');
 *     const open = lists.at({status: 'open'});      // returns the same list each time, with its pages
 *     await open.start();                           // the first page
 *     await open.next();                            // the page after the last one
 *     await open.refresh();                         // newer items, before the first page
 *     for (const page of open.pages) show(page.items);
 *
 * The client is simple because a cursor is a place in the list, not a row or a number of rows. A cursor stays valid when
 * its row is deleted and when other rows are inserted before it. Therefore the client need not compare or de-duplicate items.
 */

/** Error codes after which a list must start again without its cursor. */
const RESTART_CODES = new Set(['invalid_cursor', 'cursor_mismatch', 'cursor_expired']);

/** Statuses of temporary failures: overload, an unavailable or slow database, and failures of proxies. */
const TEMPORARY = new Set([429, 502, 503, 504]);

const RETRY_DEFAULTS = {attempts: 5, first: 500, most: 15_000, timeout: 20_000};

/** A response other than a page. `code` is one of the error codes in the server's documentation. */
export class FeedError extends Error {
  constructor(status, problem = {}, retryAfter = 0) {
    super(problem.detail ?? `the server responded with status ${status}`);
    this.name = 'FeedError';
    this.status = status;
    this.code = problem.code ?? null;
    this.retryAfter = retryAfter;
  }

  /** Whether the cursor is invalid, so that the list must be read again with `start()`. */
  get mustStartAgain() {
    return RESTART_CODES.has(this.code);
  }
}

/** Whether a retry can succeed: the network failed, the request timed out, or the server is busy. */
export function isTemporary(error) {
  return error instanceof FeedError ? TEMPORARY.has(error.status) : error.name === 'TypeError' || error.name === 'TimeoutError';
}

/**
 * One list: a feed in one order with one set of filters, and the pages that have been read so far, in list order.
 *
 * A page is `{items, place, prev, next, top, last, hole, took}`. `place` contains the parameters that it was read with.
 * `prev` and `next` are null at an end of the list. If a page has a `hole`, there may be unread items between this page and
 * the following one: see `fill`.
 *
 * Every method that reads returns a promise of the page that was added, or of null if there is none. Concurrent calls of a
 * method share one request. The promise is rejected with a FeedError, with the network's error after all attempts have
 * failed, or with an AbortError after `cancel`.
 */
export class FeedList {
  #url;
  #parameters;
  #options;
  #reading = new Map();
  #cancelled = new AbortController();
  #wakeUp = new EventTarget();

  /** The pages in list order. Read-only. */
  pages = [];

  /**
   * @param url of the feed, such as `/api/messages`
   * @param parameters the order and filters, such as `{order: 'edited', status: ['open', 'pending']}`
   * @param options `limit`, `fields`; `fetch`; `patience`, the number and delays of retries, in milliseconds;
   *     `onRetry({error, attempt, delay})`, called before each retry
   */
  constructor(url, parameters = {}, options = {}) {
    this.#url = url;
    this.#parameters = parameters;
    this.#options = {fetch: (...request) => fetch(...request), onRetry: () => {}, ...options};
  }

  get parameters() {
    return this.#parameters;
  }

  get items() {
    return this.pages.flatMap(page => page.items);
  }

  get isEmpty() {
    return this.pages.every(page => page.items.length === 0);
  }

  /** Whether there was no item before the first page when it was read. False after a jump into the list. */
  get atStart() {
    return this.pages.length > 0 && this.pages[0].prev === null;
  }

  /** Whether there was no item after the last page when it was read. */
  get atEnd() {
    return this.pages.length > 0 && this.pages.at(-1).next === null;
  }

  /** The cursor before the first item, from which `watchFresh` counts new items. Null if the list is empty. */
  get top() {
    return this.pages[0]?.top ?? null;
  }

  /** The cursor after the last item, to follow new items at the end of an oldest-first list. */
  get last() {
    return this.pages.at(-1)?.last ?? null;
  }

  /**
   * Reads the first page again, or the page at a place: `{from: '2026-01-16'}`, `{around_id: 5000}`, `{cursor}`. The previous
   * pages are kept until the new page arrives. Then they are dropped, and requests that continue from them are cancelled.
   */
  start(place = {}) {
    this.cancel();
    return this.#once('start', async () => {
      const page = await this.#read(place);
      // Requests that started in the meantime continue from pages that are dropped now.
      this.cancel();
      this.pages = [page];
      return page;
    });
  }

  /** Reads the page after the last one. At the end of the list, reads the items that have been appended since. */
  next() {
    return this.#once('next', async () => {
      const end = this.pages.at(-1);
      const cursor = end?.next ?? end?.last;
      if (!cursor) {
        return this.#reading.get('start') ?? this.start();
      }
      const page = await this.#read({cursor});
      if (page.items.length === 0) {
        end.next = null;
        return null;
      }
      this.pages.push(page);
      return page;
    });
  }

  /** Reads the page before the first one, for example after a jump into the list. */
  previous() {
    return this.#once('previous', async () => {
      const start = this.pages[0];
      if (!start?.prev) {
        return null;
      }
      const page = await this.#read({cursor: start.prev});
      if (page.items.length === 0) {
        start.prev = null;
        return null;
      }
      this.pages.unshift(page);
      return page;
    });
  }

  /**
   * Reads from the top of the list to the first page. If there are more new items than fit on one page, the page that is
   * added has a hole. Not for lists whose items move, such as those sorted by last edit: use `start` instead.
   */
  refresh() {
    return this.#once('refresh', async () => {
      const until = this.top;
      if (until === null || !this.atStart) {
        return this.start();
      }
      const page = await this.#read({until});
      if (page.items.length === 0) {
        return null;
      }
      this.pages.unshift(withHole(page, until));
      return page;
    });
  }

  /** Reads one page of the hole after a page. The new page has a hole, too, unless the hole is filled. */
  fill(page) {
    return this.#once(page, async () => {
      if (!page.hole) {
        return null;
      }
      const more = await this.#read(page.hole);
      const {until} = page.hole;
      page.hole = null;
      if (more.items.length === 0) {
        return null;
      }
      this.pages.splice(this.pages.indexOf(page) + 1, 0, withHole(more, until));
      return more;
    });
  }

  /** Returns the place of a page for `start`, to return to the page even after a reload. */
  placeOf(page) {
    const {until, ...place} = page.place;
    return place;
  }

  /** Cancels all requests, for example when the user leaves a tab. The pages are kept, and reading can continue. */
  cancel() {
    this.#cancelled.abort();
    this.#cancelled = new AbortController();
    this.#reading.clear();
  }

  /** Skips the delay before the next retry, for example when the network is available again. */
  hurry() {
    this.#wakeUp.dispatchEvent(new Event('wake'));
  }

  #once(what, read) {
    if (!this.#reading.has(what)) {
      const reading = this.#reading;
      const done = read().finally(() => reading.get(what) === done && reading.delete(what));
      reading.set(what, done);
    }
    return this.#reading.get(what);
  }

  async #read(place) {
    const {limit, fields} = this.#options;
    const {signal} = this.#cancelled;
    const query = queryOf({...this.#parameters, ...place, limit, fields});
    const {body, took} = await this.#get(this.#url + (query && '?' + query), signal);
    return {
      items: body.items,
      place,
      prev: body.prev_cursor,
      next: body.next_cursor,
      top: body.cursors.top,
      last: body.cursors.last,
      hole: null,
      took,
    };
  }

  async #get(url, signal) {
    const patience = {...RETRY_DEFAULTS, ...this.#options.patience};
    for (let attempt = 1; ; attempt++) {
      try {
        return await getJson(url, this.#options.fetch, signal, patience.timeout);
      } catch (error) {
        signal.throwIfAborted();
        if (attempt >= patience.attempts || !isTemporary(error)) {
          throw error;
        }
        // A random delay, so that clients that failed together do not retry together.
        const backOff = Math.min(patience.most, patience.first * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
        const delay = Math.max(backOff, (error.retryAfter ?? 0) * 1000);
        this.#options.onRetry({error, attempt, delay});
        await this.#pause(delay, signal);
      }
    }
  }

  #pause(delay, signal) {
    return new Promise((resolve, reject) => {
      const over = new AbortController();
      const end = (act, value) => () => {
        clearTimeout(timer);
        over.abort();
        act(value?.());
      };
      const timer = setTimeout(end(resolve), delay);
      this.#wakeUp.addEventListener('wake', end(resolve), {signal: over.signal});
      signal.addEventListener('abort', end(reject, () => signal.reason), {signal: over.signal});
    });
  }
}

/** The lists of one feed. Each list is kept with its pages, so that users who return to a tab find it unchanged. */
export class FeedLists {
  #url;
  #options;
  #lists = new Map();

  constructor(url, options = {}) {
    this.#url = url;
    this.#options = options;
  }

  /** Returns the list with these parameters, in any order. */
  at(parameters) {
    const key = FeedLists.key(parameters);
    if (!this.#lists.has(key)) {
      this.#lists.set(key, new FeedList(this.#url, parameters, this.#options));
    }
    return this.#lists.get(key);
  }

  static key(parameters) {
    return queryOf(Object.fromEntries(Object.entries(parameters).sort(([one], [other]) => (one < other ? -1 : 1))));
  }
}

/**
 * Reports how many items have been added before a cursor (or after it, for a cursor at the end of the list): immediately,
 * and whenever the number changes. Uses the event stream; if that is not available, polls every few seconds and tries the
 * stream again from time to time.
 *
 * @param onCount called with `{count, capped}`
 * @param options `onRefused(error)`, called when the cursor is no longer valid, after which there are no further calls;
 *     `fetch`, `EventSource`, `pollEvery`, `streamAgainAfter`
 * @return a function that stops watching
 */
export function watchFresh(url, parameters, cursor, onCount, options = {}) {
  const {EventSource = globalThis.EventSource, pollEvery = 5_000, streamAgainAfter = 60_000, onRefused = () => {}} = options;
  const get = options.fetch ?? ((...request) => fetch(...request));
  const address = `${url}/fresh?${queryOf({...parameters, cursor})}`;
  const ended = new AbortController();
  let timer = null;
  let stream = null;

  const listen = () => {
    if (!EventSource) {
      return poll(Infinity);
    }
    stream = new EventSource(address);
    stream.addEventListener('fresh', event => onCount(JSON.parse(event.data)));
    // The browser reconnects after a network failure, but not after a response that is not an event stream.
    stream.addEventListener('error', () => stream.readyState === 2 && poll(streamAgainAfter));
  };

  const poll = async streamAgainIn => {
    let wait = pollEvery;
    try {
      const {body} = await getJson(address, get, ended.signal, RETRY_DEFAULTS.timeout);
      ended.signal.aborted || onCount(body);
    } catch (error) {
      if (error.mustStartAgain) {
        ended.signal.aborted || onRefused(error);
        return;
      }
      wait = Math.max(wait, (error.retryAfter ?? 0) * 1000);
    }
    if (!ended.signal.aborted) {
      const again = streamAgainIn <= 0 ? listen : () => poll(streamAgainIn - wait);
      timer = setTimeout(again, wait);
    }
  };

  listen();
  return () => {
    ended.abort();
    clearTimeout(timer);
    stream?.close();
  };
}

function withHole(page, until) {
  page.hole = page.next === null ? null : {cursor: page.next, until};
  return page;
}

/** Formats a query string. Arrays repeat the parameter; null and undefined are omitted. */
function queryOf(parameters) {
  const query = new URLSearchParams();
  for (const [name, values] of Object.entries(parameters)) {
    for (const value of [values].flat()) {
      if (value !== null && value !== undefined) {
        query.append(name, value);
      }
    }
  }
  return query.toString();
}

async function getJson(url, get, signal, timeout) {
  const response = await get(url, {
    headers: {Accept: 'application/json'},
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]),
  });
  const isJson = /json/.test(response.headers.get('Content-Type') ?? '');
  // A proxy can respond to a failure without content or with its own page.
  const body = !isJson ? {} : response.ok ? await response.json() : await response.json().catch(() => ({}));
  signal.throwIfAborted();
  if (!response.ok || !isJson) {
    throw new FeedError(response.status, body, Number(response.headers.get('Retry-After')) || 0);
  }
  return {body, took: databaseTime(response.headers.get('Server-Timing'))};
}

/** The time in milliseconds that the server waited for its database; NaN if unknown. */
export function databaseTime(serverTiming) {
  return Number(/\bdb;dur=([\d.]+)/.exec(serverTiming ?? '')?.[1] ?? NaN);
}
