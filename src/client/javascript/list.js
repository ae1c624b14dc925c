import {Live} from './live.js';
import {keyOf} from './parameters.js';
import {lastOf, throwIfAborted} from './platform.js';
import {prepareRefresh} from './refresh.js';

/** How many partial pages without items are read at once, until the caller reads on. */
const MAX_EMPTY_PAGES = 10;

/**
 * One list: a feed in one order with one set of filters, and the pages that have been read so far, in the list's order.
 *
 * A page is `{items, parameters, prev, next, top, last, hole, moment, partial}`. `parameters` contains the parameters that the page
 * was read with, without those of the list.
 * `prev` is null at the start of the list, and `next` at its end. If a page has a `hole`, there may be unread items between this page
 * and the following one: see `fill`.
 *
 * The methods that read one page return a promise of that page, or of null if there is none. Concurrent calls of the
 * same method share one request, except calls of `start`, and calls of `fill` for different pages. If the read fails,
 * the promise is rejected with a FeedError or with the error of the timeout; after `cancel`, with an AbortError.
 *
 * If the list is a search, the server looks at a limited number of rows for each page. `next`, `previous`, and `fill` go on by
 * themselves over up to ten pages without items. If they then return null although `atEnd` is false, call them again to search
 * further.
 *
 * A cursor is a position in the list, not a row or an offset. It stays valid when the row at this position is deleted,
 * and when other rows are inserted before it. An item that moves while the list is read is shown at most once.
 */
export class FeedList {
  #feed;
  #parameters;
  #pendingReads = new Map();
  #seen = new Set();
  #items = null;
  #listeners = new Set();
  #cancellation = new AbortController();
  /** All items were read at this moment or later. */
  #moment = null;
  #live = null;
  /** The options of each caller of `live` that has not stopped. */
  #users = new Set();

  /** The pages in the list's order. Read-only. */
  pages = [];

  /** Whether pages without items are being passed over in a search. Listeners are called when it changes. */
  searching = false;

  /** The error that ended `live`, or null. */
  liveError = null;

  /**
   * How the list is kept live, or null: 'connecting' if it may be out of date, 'streaming', 'polling', or 'hidden',
   * which it is with the web page. Listeners are called when it changes.
   */
  liveState = null;

  /** @param parameters the order and filters, such as `{order: 'edited', status: ['open', 'pending']}` */
  constructor(feed, parameters = {}) {
    this.#feed = feed;
    this.#parameters = parameters;
  }

  get feed() {
    return this.#feed;
  }

  get parameters() {
    return this.#parameters;
  }

  /** The items of all pages, in the same array until the list changes. */
  get items() {
    return (this.#items ??= this.pages.flatMap(page => page.items));
  }

  get isEmpty() {
    return this.pages.every(page => page.items.length === 0);
  }

  /** Whether pages have been read, and the first one began at the start of the list. */
  get atStart() {
    return this.pages.length > 0 && this.pages[0].prev === null;
  }

  /** Whether pages have been read, and the last one reached the end of the list. */
  get atEnd() {
    return this.pages.length > 0 && lastOf(this.pages).next === null;
  }

  /**
   * Whether pages have been read and `refresh` reads only what may have changed in them, because the feed is declared
   * with `delta`.
   */
  get hasMoments() {
    return this.pages.length > 0 && this.pages.every(page => page.moment);
  }

  /**
   * The cursor before the first item, from which `Feed.fresh` counts new items. In a search that was started elsewhere
   * than at its start, it is before the first row that was looked at. Null only if no page has been read, or if the
   * list was empty.
   */
  get top() {
    return this.pages[0]?.top ?? null;
  }

  /**
   * The cursor after the last item, to follow new items at the end of an oldest-first list. In a search, it is after the
   * last row that was looked at. Null only if no page has been read, or if the list was empty.
   */
  get last() {
    return lastOf(this.pages)?.last ?? null;
  }

  /**
   * Calls a function after each change to the pages and of `liveState`. Returns a function that unsubscribes it. In
   * React: `useSyncExternalStore(list.subscribe, () => list.items)`.
   */
  subscribe = listener => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  /**
   * Reads the first page, or the page at a position: `{from: '2026-01-16T10:00:00Z'}`, `{around_id: 5000}`, `{cursor}`.
   * Earlier pages are kept until the new page arrives. Then they are dropped, and requests that continue from them are
   * canceled.
   */
  start(position = {}) {
    this.cancel();
    return this.#once('start', async () => {
      const page = await this.#read(position);
      // Requests that started in the meantime continue from pages that are dropped now.
      this.cancel();
      this.#replace([page], page.moment);
      return page;
    });
  }

  /**
   * Reads the page after the last one, or the first page if no page has been read yet or the list was empty. At the end
   * of the list, reads the items that have been appended since the last page was read.
   */
  next() {
    return this.#once('next', async () => {
      const end = lastOf(this.pages);
      const cursor = end?.next ?? (end?.top && end.last);
      if (!cursor) {
        return this.#pendingReads.get('start') ?? this.start();
      }
      return this.#grow({cursor}, {
        add: page => this.#append(page, end),
        goOn: ({next}) => ({cursor: (end.next = end.last = next)}),
        end: () => (end.next = null),
      });
    });
  }

  /** Reads the page before the first one, for example after a jump into the list. */
  previous() {
    return this.#once('previous', async () => {
      const start = this.pages[0];
      if (!start?.prev) {
        return null;
      }
      return this.#grow({cursor: start.prev}, {
        add: page => this.pages.unshift(page),
        // In lists other than searches, pages are not partial, so `Feed.fresh` still counts from the first item.
        goOn: ({prev}) => ({cursor: (start.prev = start.top = prev)}),
        end: () => (start.prev = null),
      });
    });
  }

  /**
   * Brings the list up to date, and returns what is different: `{added, changed, removed}`. `added` has only items that
   * had never been in the list before. Items and pages that stay the same remain the same objects. A failure leaves the list
   * as it is.
   *
   * All pages are up to date afterwards, at any position in the list. If the feed is declared with `delta`, the server
   * sends only the items that may have changed. Otherwise, all items of the list are read again, and items without a key
   * count as removed and added when they change.
   *
   * If there are too many new items for one page, the page that is added at the top has a hole.
   */
  refresh() {
    return this.#once('refresh', async () => {
      const before = new Map(this.items.map(item => [this.#identityOf(item), item]));
      // Items that `next` or `previous` reads during a refresh do not count as added. If the list is started
      // again, all items that were not in it before count as added.
      let seen = this.#seen;
      if (this.last !== null) {
        await this.#refreshAll();
      } else {
        seen = new Set(this.#seen);
        await this.start();
      }
      return this.#changesSince(before, seen);
    });
  }

  /**
   * Reads one page of the unread items after a page. If there are more unread items, the new page has a hole, too.
   * Returns null if there are no unread items.
   */
  fill(page) {
    return this.#once(page, async () => {
      if (!page.hole) {
        return null;
      }
      return this.#grow(page.hole, {
        add: more => {
          // A refresh can have changed where the hole ends.
          this.pages.splice(this.pages.indexOf(page) + 1, 0, withHole(more, page.hole.until));
          page.hole = null;
        },
        goOn: ({next}) => (page.hole = {cursor: (page.last = next), until: page.hole.until}),
        end: () => (page.hole = null),
      });
    });
  }

  /**
   * Keeps the pages true with an event stream, until the returned function is called. In React: `useEffect(() =>
   * list.live(), [list])`. Listeners are called with `{added, changed, removed, deleted}`. Several callers share one stream,
   * with the options of the last one that has not stopped. An error ends it for all of them.
   *
   * The policy decides about each item that is new or has moved. With `'inside'`, it is shown at once, unless its place is
   * above the first item: then it waits for `showNew`. With `'all'`, every item is shown at once. A function
   * `(item, {above})` returns whether to show the item at once. An item that has moved keeps its old place while it waits.
   * With `deleted: 'mark'`, deleted items stay in the list until `showNew`, and `isDeleted` returns true for them.
   *
   * If there are no streams, polls: see `liveState`. If that fails permanently, ends with `liveError`.
   *
   * @param options `policy`, `deleted`, and the times of `Feed.fresh`
   */
  live(options = {}) {
    const user = {...options};
    this.#startLive(user);
    this.#users.add(user);
    return () => {
      const wasLast = lastOf([...this.#users]) === user;
      this.#users.delete(user);
      const last = lastOf([...this.#users]);
      if (!last) {
        this.#live.stop();
        this.#setLiveState(null);
      } else if (wasLast) {
        this.#startLive(last);
      }
    };
  }

  /** The number of items that wait for `showNew`: `{count, capped}`. `capped` if there can be more. */
  get waiting() {
    return this.#live?.waiting ?? {count: 0, capped: false};
  }

  /** Shows the items that wait, and removes the deleted items that were kept. */
  async showNew() {
    if (this.#live?.showNew() === false) {
      await this.start();
    }
  }

  /** Whether the item has been deleted, and stays in the list only until `showNew`. */
  isDeleted(item) {
    return this.#live?.isDeleted(item) ?? false;
  }

  /** Returns `{pages, moment}`, a copy to be kept as JSON, for `hydrate`. */
  dehydrate() {
    const pages = this.pages.map(page => ({...page, items: page.items.filter(item => !this.#live?.isKept(item))}));
    return {pages, moment: this.#moment};
  }

  /**
   * Restores a copy, and returns true, unless pages have been read. Afterwards, `live` or `refresh` brings the list up
   * to date.
   */
  hydrate({pages, moment}) {
    if (this.pages.length > 0) {
      return false;
    }
    this.#replace(pages, moment);
    return true;
  }

  /** Returns what to pass to `start` to return to a page, even after a reload. */
  startOf(page) {
    const {until, ...position} = page.parameters;
    return position;
  }

  /** Cancels all requests, for example when the user leaves a tab. The pages are kept, and reading can continue. */
  cancel() {
    this.#cancellation.abort();
    this.#cancellation = new AbortController();
    this.#pendingReads.clear();
  }

  #replace(pages, moment) {
    this.pages = pages.map(page => this.#markSeen(page));
    this.#moment = moment;
    this.#live?.reconnect({forget: true});
    this.#publishChange();
  }

  /**
   * Reads a page, and adds it, unless it is empty. Passes over partial pages that are empty: `goOn` keeps where the search goes
   * on, and returns the parameters for it.
   */
  async #grow(parameters, {add, goOn, end}) {
    let read = await this.#read(parameters);
    try {
      for (let empty = 1; read.items.length === 0 && read.partial; empty++) {
        const further = goOn(read);
        if (empty === MAX_EMPTY_PAGES) {
          end = () => {};
          break;
        }
        this.#setSearching(true);
        read = await this.#read(further);
      }
    } finally {
      this.#setSearching(false);
    }
    const page = read.items.length === 0 ? null : this.#markSeen(read);
    page ? add(page) : end();
    page && this.#dropRepeated();
    this.#live?.reconnect();
    this.#publishChange();
    return page;
  }

  /** Adds a page at the end. If nothing had been found before it, it becomes the first page. */
  #append(page, end) {
    if (end.top === null && this.pages.length === 1) {
      this.pages = [Object.assign(page, {parameters: end.parameters, prev: end.prev})];
    } else {
      this.pages.push(page);
    }
  }

  #setSearching(searching) {
    if (this.searching !== searching) {
      this.searching = searching;
      this.#callListeners();
    }
  }

  #once(key, read) {
    if (!this.#pendingReads.has(key)) {
      const pending = this.#pendingReads;
      const done = read().finally(() => pending.get(key) === done && pending.delete(key));
      pending.set(key, done);
    }
    return this.#pendingReads.get(key);
  }

  async #refreshAll() {
    const {signal} = this.#cancellation;
    const apply = await prepareRefresh([...this.pages], {
      read: parameters => this.#feed.page({...this.#parameters, ...parameters}, {signal}),
      // Without moments, the server sends no keys, and an item without a key is compared as a whole.
      keyOf: item => keyOf(item, this.#feed) ?? (this.hasMoments ? throwMissing(this.#feed.key) : item),
      isKept: item => this.#live?.isKept(item),
    });
    throwIfAborted(signal);
    const newest = apply();
    newest && this.pages.unshift(newest);
    this.pages.forEach(({hole}, at) => hole && (hole.until = this.pages[at + 1].top));
    this.#dropRepeated();
    const moments = new Set(this.pages.map(page => page.moment));
    if (moments.size === 1 && this.#pendingReads.size === 1) {
      this.#moment = this.pages[0].moment;
    }
    this.#live?.reconnect({forget: true});
    this.#publishChange();
  }

  #startLive(options) {
    this.liveError = null;
    this.#live = new Live({
      pages: () => this.pages,
      moment: () => this.#moment,
      events: (window, streamOptions) => this.#feed.live({...this.#parameters, limit: null, ...window}, streamOptions),
      read: (parameters, signal) => this.#feed.page({...this.#parameters, ...parameters}, {signal}),
      keyOf: item => keyOf(item, this.#feed) ?? throwMissing(this.#feed.key),
      publish: (changes, moment) => {
        // The pages that are being read can be older.
        this.#moment = (this.#pendingReads.size > 0 ? null : moment) ?? this.#moment;
        changes?.added.forEach(item => this.#seen.add(this.#identityOf(item)));
        // An item that has moved up from below the window is still on its old page.
        changes && !moment && this.#dropRepeated();
        changes && this.#publishChange(changes);
      },
      reads: () => this.#pendingReads.values(),
      split: (page, at, {next, prev}) => {
        if (this.#pendingReads.size > 0) {
          return;
        }
        const rest = {...page, items: page.items.slice(at), parameters: {cursor: next}, top: prev, prev};
        this.pages.splice(this.pages.indexOf(page) + 1, 0, rest);
        Object.assign(page, {items: page.items.slice(0, at), next, last: next, hole: null});
      },
      restart: () => this.start(),
      setState: state => this.#setLiveState(state),
      fail: error => {
        this.liveError = error;
        this.liveState = null;
        this.#users.clear();
        this.#publishChange();
      },
    }, options, this.#live);
    this.liveState || this.#setLiveState('connecting');
  }

  #setLiveState(state) {
    if (this.liveState !== state) {
      this.liveState = state;
      this.#callListeners();
    }
  }

  #publishChange(changes) {
    this.#items = null;
    this.#callListeners(changes);
  }

  #callListeners(changes) {
    for (const listener of this.#listeners) {
      try {
        listener(changes);
      } catch (error) {
        // As with an EventTarget, the other listeners are called, and the list goes on.
        setTimeout(() => {
          throw error;
        });
      }
    }
  }

  /**
   * Drops repeated items. An item that moved between two reads can be on two pages, and the upper page keeps it, unless it is
   * marked as deleted there.
   */
  #dropRepeated() {
    const identities = new Set();
    const existing = new Set(this.pages.flatMap(page => page.items).filter(item => !this.isDeleted(item)).map(item => this.#identityOf(item)));
    const isFirst = item =>
      !(this.isDeleted(item) && existing.has(this.#identityOf(item))) && identities.size < identities.add(this.#identityOf(item)).size;
    for (const page of this.pages) {
      const once = page.items.filter(isFirst);
      page.items = once.length < page.items.length ? once : page.items;
    }
  }

  #changesSince(before, seen) {
    const identityOf = item => this.#identityOf(item);
    const after = new Set(this.items.map(identityOf));
    const changes = {
      added: this.items.filter(item => !seen.has(identityOf(item))),
      changed: this.items.filter(item => (before.get(identityOf(item)) ?? item) !== item),
      removed: [...before.values()].filter(item => !after.has(identityOf(item))),
    };
    this.pages.forEach(page => this.#markSeen(page));
    return changes;
  }

  #markSeen(page) {
    page.items.forEach(item => this.#seen.add(this.#identityOf(item)));
    return page;
  }

  /** Returns the key as text, or the item itself if it does not have all columns of the key. */
  #identityOf(item) {
    return JSON.stringify(keyOf(item, this.#feed)) ?? item;
  }

  async #read(parameters) {
    const {signal} = this.#cancellation;
    const body = await this.#feed.page({...this.#parameters, ...parameters}, {signal});
    throwIfAborted(signal);
    return {
      items: body.items,
      parameters,
      prev: body.prev_cursor,
      next: body.next_cursor,
      // In a search, pages go on beyond their first and last items, full ones too. In other lists, these cursors
      // are the same.
      top: body.prev_cursor ?? body.cursors.top,
      last: body.next_cursor ?? body.cursors.last,
      hole: null,
      moment: body.moment ?? null,
      partial: body.partial ?? false,
    };
  }
}

function throwMissing(key) {
  throw new TypeError(`the items have no ${key.join(' and ')}: set the option "key" to the feed's key, and include it in "fields"`);
}

function withHole(page, until) {
  page.hole = page.next === null ? null : {cursor: page.next, until};
  return page;
}
