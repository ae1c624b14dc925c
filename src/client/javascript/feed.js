import {fresh} from './fresh.js';
import {FeedList} from './list.js';
import {listKey, listParameters, queryOf, withoutStart} from './parameters.js';
import {throwIfAborted} from './platform.js';
import {forwardStart} from './refresh.js';
import {FeedError, Requests, unless} from './requests.js';
import {follow} from './stream.js';

/** Above the maximum of any feed. The server lowers it. */
const MAX_LIMIT = 10_000;

/**
 * A Tidemark feed.
 *
 *     const feed = new Feed('https://example.org/api/messages');
 *     for await (const item of feed.items({status: 'open'})) show(item);
 *
 *     const list = feed.list({status: 'open'});     // returns the same list each time, with its pages
 *     await list.start();                           // the first page
 *     await list.next();                            // the page after the last one
 *     await list.refresh();                         // brings the list up to date
 *
 * The methods that read take the parameters of `GET /api/{feed}`: `order`, filters, `limit`, `fields`, and jumps.
 */
export class Feed {
  #requests;
  #lists = new Map();

  /** The address of the feed. */
  url;

  /** The parameters of every page, unless a call overrides them. */
  defaults;

  /** The columns of the feed's key. */
  key;

  /**
   * @param url such as `https://example.org/api/messages`; in a browser also `/api/messages`
   * @param options `limit` and `fields` of every page; `key`, the columns of the key; `headers`, or a function that returns
   *     them; `fetch`; `retry`, the number and delays of attempts, in milliseconds; `onRetry({error, attempt, delay})`
   */
  constructor(url, {limit, fields, key = 'id', ...options} = {}) {
    // The `URL` of React Native accepts anything, and has no `search`. A function may resolve a relative address.
    const isAbsolute = /^https?:\/\/[^/]/i.test(url);
    if (/[?#]/.test(url) || !(isAbsolute || options.fetch || globalThis.location)) {
      throw new TypeError('the address of a feed ends with its path, and outside of web pages begins with http:// or https://');
    }
    this.url = url;
    this.key = [key].flat();
    this.defaults = {limit, fields: fields && [fields].flat().join()};
    this.#requests = new Requests(options);
  }

  /** Reads one page, and returns the server's response unchanged. */
  page(parameters = {}, {signal} = {}) {
    const query = queryOf({...this.defaults, ...parameters});
    return this.#requests.json(this.url + (query && '?' + query), signal);
  }

  /**
   * Yields the pages one by one, up to the end of the list. A page is requested only after the previous one has been
   * consumed. With `backward`, reads toward the start of the list, from a cursor or a jump.
   */
  async *pages(parameters = {}, {signal, backward = false} = {}) {
    const rest = withoutStart(parameters);
    for (let current = parameters; current !== null; ) {
      const page = await this.page(current, {signal});
      yield page;
      const cursor = backward ? page.prev_cursor : page.next_cursor;
      current = cursor && {...rest, cursor};
    }
  }

  /** Yields the items one by one. With `backward`, the items come in reverse order. */
  async *items(parameters, options) {
    for await (const {items} of this.pages(parameters, options)) {
      for (const item of options?.backward ? [...items].reverse() : items) {
        throwIfAborted(options?.signal);
        yield item;
      }
    }
  }

  /**
   * Yields the number of items beyond a cursor, at once and whenever the number changes. Uses an event stream, which
   * is opened again after an interruption. If there are no streams, polls. While the web page is hidden, does neither,
   * unless `openWhenHidden` is true. Of the parameters, only the order and the filters are used.
   *
   * @param options `signal` ends the loop; `onState(state)` is called with 'connecting', 'streaming', 'polling', or
   *     'hidden'; `pollEvery`, `streamAgainAfter`, and `silence` are times in milliseconds
   */
  fresh(cursor, parameters = {}, options = {}) {
    return fresh(this.#requests, `${this.url}/fresh?${queryOf({...listParameters(parameters), cursor})}`, options);
  }

  /**
   * Counts the items by the values of a column: `{by, counts: [{value, count, capped}], complete}`. Of the parameters, only
   * the filters and `up-to` are used. A filter on the column itself names the values to count.
   */
  counts(by, parameters = {}, {signal} = {}) {
    return this.#requests.json(this.#countsUrl(by, parameters), signal);
  }

  /** Yields the counts at once and whenever they change. The options are those of `fresh`. */
  countsStream(by, parameters = {}, options = {}) {
    return fresh(this.#requests, this.#countsUrl(by, parameters), options);
  }

  #countsUrl(by, parameters) {
    return `${this.url}/counts?${queryOf({...listParameters(parameters), order: null, by})}`;
  }

  /**
   * Yields the events of a live window, `{event: 'page' or 'change', id, data}`: at once and whenever something in the window
   * changes. After an interruption, the stream is opened again with the `id` of the event before it, a moment. If streams are
   * rejected, polls, and yields pages whose event is `poll`.
   *
   * @param parameters the order and the filters, `fields`, and the window: `cursor`, `until`, `limit`, and `since`
   * @param options see `fresh`
   */
  async *live({cursor, until, limit, since, fields, ...parameters} = {}, options = {}) {
    const list = {...listParameters(parameters), fields: fields ?? this.defaults.fields, until};
    const read = (position, signal) => this.page({...list, ...position}, {signal});
    const url = () => `${this.url}/live?${queryOf({...list, cursor, limit, since})}`;
    let leadsForward = null;
    const poll = async signal => {
      leadsForward ??= !cursor || (await isForward(cursor, one => read(one, signal)));
      const start = leadsForward ? {cursor} : await forwardStart(cursor, {read: one => read({...one, until: null}, signal)});
      const page = await read({...start, limit: limit ?? MAX_LIMIT, since}, signal);
      if (!page.moment) {
        // As the server would answer. Each poll would read all items.
        throw new FeedError(400, {code: 'not_supported', detail: 'the feed is not declared with delta'});
      }
      if (page.partial) {
        throw new FeedError(400, {code: 'not_supported', detail: 'the window needs more rows than a page of a search looks at'});
      }
      return page;
    };
    for (;;) {
      try {
        for await (const event of follow(this.#requests, url, poll, options)) {
          yield event;
          since = event.id ?? event.data.moment;
        }
      } catch (error) {
        if (!since || error.parameter !== 'since') {
          throw error;
        }
        // The server no longer accepts the moment, so all items are sent.
        since = null;
      }
    }
  }

  /**
   * Returns the list with these parameters, whose sequence does not matter. Returns the same list each time, so users
   * who return to a tab find the list as they left it.
   */
  list(parameters = {}) {
    const key = listKey(parameters);
    if (!this.#lists.has(key)) {
      this.#lists.set(key, new FeedList(this, parameters));
    }
    return this.#lists.get(key);
  }

  /** Immediately sends all requests that are waiting to be retried, for example when the network is available again. */
  retryNow() {
    this.#requests.retryNow();
  }
}

/** Only a cursor that leads forward goes with `until`. */
const isForward = async (cursor, read) => Boolean(await unless('conflicting_parameters', read({cursor, until: cursor, limit: 1})));
