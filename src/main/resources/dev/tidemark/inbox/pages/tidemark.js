/**
 * The list client of Tidemark: scrolls through a feed in both directions, refreshes it, and closes the hole that a long
 * absence leaves. It knows nothing of how a list is shown, and has no dependencies.
 *
 *     const lists = new FeedLists('/api/messages');
 *     const open = lists.at({status: 'open'});      // the same list each time, with what it has read
 *     await open.start();                           // the first page
 *     await open.next();                            // one page more, behind what is there
 *     await open.refresh();                         // what is newer, before what is there
 *     for (const page of open.pages) show(page.items);
 *
 * What it relies on, and what makes it so short: a cursor is a place in the list, not a row and not a number of rows.
 * It stays good when its row is deleted and when others come before it. So nothing is ever compared or de-duplicated here.
 */

/** What a list is no longer good for: it has to start again without its cursor. */
const START_AGAIN = new Set(['invalid_cursor', 'cursor_mismatch', 'cursor_expired']);

/** What passes by itself: overloaded, the database away or too slow, and whatever stands between. */
const PASSING = new Set([429, 502, 503, 504]);

const PATIENCE = {attempts: 5, first: 500, most: 15_000, timeout: 20_000};

/** An answer that is no page: one of the problems that the server's documentation lists, by its `code`. */
export class FeedError extends Error {
  constructor(status, problem = {}, retryAfter = 0) {
    super(problem.detail ?? `the server answered ${status}`);
    this.name = 'FeedError';
    this.status = status;
    this.code = problem.code ?? null;
    this.retryAfter = retryAfter;
  }

  /** Whether the cursor is to blame. `start()` helps. */
  get mustStartAgain() {
    return START_AGAIN.has(this.code);
  }
}

/** Whether trying the same again later may help: the network failed, took too long, or the server is busy. */
export function isPassing(error) {
  return error instanceof FeedError ? PASSING.has(error.status) : error.name === 'TypeError' || error.name === 'TimeoutError';
}

/**
 * One list: a feed in one order under one set of filters, and the pages of it that were read so far, from the top down.
 *
 * A page is `{items, place, prev, next, top, last, hole, took}`. `place` are the parameters that it was read with.
 * `prev` and `next` are null where the list ended when it was read. A page with a `hole` is one behind which items may
 * stand that have not been read yet, before the page that follows: see `fill`.
 *
 * Every method that reads returns a promise of the page it added, or of null where there was none. Asked twice at once,
 * it reads once. It is rejected with a FeedError, with the network's error once all attempts failed, or with an
 * AbortError after `cancel`.
 */
export class FeedList {
  #url;
  #parameters;
  #options;
  #reading = new Map();
  #cancelled = new AbortController();
  #wake = new EventTarget();

  /** The pages in the list's order. To be read only. */
  pages = [];

  /**
   * @param url of the feed, such as `/api/messages`
   * @param parameters the order and filters, such as `{order: 'edited', status: ['open', 'pending']}`
   * @param options `limit`, `fields`; `fetch`; `patience`, how often and for how many milliseconds to try again;
   *     `onRetry({error, attempt, delay})`, called before each further attempt
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

  /** Whether nothing stood before the first page when it was read. False after a jump into the middle. */
  get atStart() {
    return this.pages.length > 0 && this.pages[0].prev === null;
  }

  /** Whether nothing stood behind the last page when it was read. */
  get atEnd() {
    return this.pages.length > 0 && this.pages.at(-1).next === null;
  }

  /** The bookmark before the first item: what `watchFresh` counts new items from. Null for an empty list. */
  get top() {
    return this.pages[0]?.top ?? null;
  }

  /** The bookmark behind the last item, from which the tail of an oldest-first list is followed. */
  get last() {
    return this.pages.at(-1)?.last ?? null;
  }

  /**
   * Reads the first page anew, or the one at a place: `{from: '2026-01-16'}`, `{around_id: 5000}`, `{cursor}`. Whatever was
   * there before is kept until the page has come, and then dropped, with all that was still being read of it.
   */
  start(place = {}) {
    this.cancel();
    return this.#once('start', async () => {
      const page = await this.#read(place);
      // What was asked for meanwhile would go on from the pages that are dropped now.
      this.cancel();
      this.pages = [page];
      return page;
    });
  }

  /** One page more behind the last one. At the end of the list: what has come behind it since. */
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

  /** One page more before the first one, as after a jump into the middle. */
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
   * Reads from the top down to what is there already. Where more has come than one page holds, the page that is added
   * has a hole behind it. Not for lists whose items move, such as those by last edit: `start` those again.
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
      this.pages.unshift(holed(page, until));
      return page;
    });
  }

  /** Reads one page of the hole behind a page. It may have a hole of its own; without one, the two sides have met. */
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
      this.pages.splice(this.pages.indexOf(page) + 1, 0, holed(more, until));
      return more;
    });
  }

  /** What to hand to `start` to come back to a page, also after a reload: how it was read. */
  placeOf(page) {
    const {until, ...place} = page.place;
    return place;
  }

  /** Ends all that is under way, as when somebody leaves a tab. The list stays as it is and can be read on. */
  cancel() {
    this.#cancelled.abort();
    this.#cancelled = new AbortController();
    this.#reading.clear();
  }

  /** Does not wait any longer before the next attempt, as when the network is back. */
  hurry() {
    this.#wake.dispatchEvent(new Event('wake'));
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
    const patience = {...PATIENCE, ...this.#options.patience};
    for (let attempt = 1; ; attempt++) {
      try {
        return await getJson(url, this.#options.fetch, signal, patience.timeout);
      } catch (error) {
        signal.throwIfAborted();
        if (attempt >= patience.attempts || !isPassing(error)) {
          throw error;
        }
        // Clients that failed together should not come back together.
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
      this.#wake.addEventListener('wake', end(resolve), {signal: over.signal});
      signal.addEventListener('abort', end(reject, () => signal.reason), {signal: over.signal});
    });
  }
}

/** The lists of one feed, each kept with what it has read: so that who comes back to a tab finds it as it was. */
export class FeedLists {
  #url;
  #options;
  #lists = new Map();

  constructor(url, options = {}) {
    this.#url = url;
    this.#options = options;
  }

  /** The list with these parameters, in whichever sequence they are given. */
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
 * Tells how many items have come before (or, with a bookmark of the end, behind) a bookmark: at once, and whenever the
 * number changes. It listens to the event stream; where there is none to be had, it asks every few seconds, and tries the
 * stream again from time to time.
 *
 * @param onCount called with `{count, capped}`
 * @param options `onRefused(error)`, called when the bookmark is no longer good, after which nothing more is told; `fetch`,
 *     `EventSource`, `pollEvery`, `streamAgainAfter`
 * @return a function that ends it
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
    // The browser reconnects by itself after a failure of the network, and gives up on any answer that is no stream.
    stream.addEventListener('error', () => stream.readyState === 2 && poll(streamAgainAfter));
  };

  const poll = async streamAgainIn => {
    let wait = pollEvery;
    try {
      const {body} = await getJson(address, get, ended.signal, PATIENCE.timeout);
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

function holed(page, until) {
  page.hole = page.next === null ? null : {cursor: page.next, until};
  return page;
}

/** Parameters as a query string: a list repeats its name, and what is null or undefined is left out. */
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
  // Whatever stands between may answer a failure without content, or its own page in place of ours.
  const body = !isJson ? {} : response.ok ? await response.json() : await response.json().catch(() => ({}));
  signal.throwIfAborted();
  if (!response.ok || !isJson) {
    throw new FeedError(response.status, body, Number(response.headers.get('Retry-After')) || 0);
  }
  return {body, took: databaseTime(response.headers.get('Server-Timing'))};
}

/** The milliseconds that the server waited for its database, or NaN where it does not tell. */
export function databaseTime(serverTiming) {
  return Number(/\bdb;dur=([\d.]+)/.exec(serverTiming ?? '')?.[1] ?? NaN);
}
