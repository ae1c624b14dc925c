/**
 * One list: a feed in one order with one set of filters, and the pages that have been read so far, in list order.
 *
 * A page is `{items, place, prev, next, top, last, hole}`. `place` contains the parameters that it was read with. `prev` and
 * `next` are null at an end of the list. If a page has a `hole`, there may be unread items between this page and the
 * following one: see `fill`.
 *
 * Every method that reads returns a promise of the page that was added, or of null if there is none. Concurrent calls of a
 * method share one request. The promise is rejected with a FeedError, with the network's error after all attempts have
 * failed, or with an AbortError after `cancel`.
 *
 * A cursor is a place in the list, not a row or a number of rows. It stays valid when its row is deleted and when other rows
 * are inserted before it. Therefore the list need not compare or de-duplicate items.
 */
export class FeedList {
  #feed;
  #parameters;
  #reading = new Map();
  #cancelled = new AbortController();

  /** The pages in list order. Read-only. */
  pages = [];

  /** @param parameters the order and filters, such as `{order: 'edited', status: ['open', 'pending']}` */
  constructor(feed, parameters = {}) {
    this.#feed = feed;
    this.#parameters = parameters;
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

  /** The cursor before the first item, from which `Feed.fresh` counts new items. Null if the list is empty. */
  get top() {
    return this.pages[0]?.top ?? null;
  }

  /** The cursor after the last item, to follow new items at the end of an oldest-first list. */
  get last() {
    return this.pages.at(-1)?.last ?? null;
  }

  /**
   * Reads the first page again, or the page at a place: `{from: '2026-01-16T10:00:00Z'}`, `{around_id: 5000}`, `{cursor}`. The previous
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

  #once(what, read) {
    if (!this.#reading.has(what)) {
      const reading = this.#reading;
      const done = read().finally(() => reading.get(what) === done && reading.delete(what));
      reading.set(what, done);
    }
    return this.#reading.get(what);
  }

  async #read(place) {
    const {signal} = this.#cancelled;
    const body = await this.#feed.page({...this.#parameters, ...place}, {signal});
    signal.throwIfAborted();
    return {
      items: body.items,
      place,
      prev: body.prev_cursor,
      next: body.next_cursor,
      top: body.cursors.top,
      last: body.cursors.last,
      hole: null,
    };
  }
}

function withHole(page, until) {
  page.hole = page.next === null ? null : {cursor: page.next, until};
  return page;
}
