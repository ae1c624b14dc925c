export type Value = string | number | boolean | bigint | null | undefined;

/** Parameters of `GET /api/{feed}`. An array repeats a parameter; null and undefined omit it. */
export interface Parameters {
  order?: string | null;
  limit?: number | null;
  fields?: string | null;
  cursor?: string | null;
  until?: string | null;
  since?: string | null;
  from?: Value;
  around?: Value;
  from_id?: Value | readonly Value[];
  around_id?: Value | readonly Value[];
  count?: 'exact' | 'estimate' | null;
  /** A filter, such as `status` or `'created_at.gte'`. */
  [filter: string]: Value | readonly Value[];
}

/** Where a list starts, for `FeedList.start`: at a cursor, a value, or an item. */
export type PageStart = Pick<Parameters, 'cursor' | 'from' | 'around' | 'from_id' | 'around_id'>;

/** The server's response. */
export interface Page<Item> {
  items: Item[];
  /** With `since`, the keys of all items of the page; `items` then has only the items that may have been written since. */
  keys?: unknown[];
  next_cursor: string | null;
  has_more: boolean;
  prev_cursor: string | null;
  has_prev: boolean;
  cursors: {top: string | null; last: string | null};
  limit: number;
  /** The page of a search has fewer items than `limit`, perhaps none, because the server has looked at enough rows. */
  partial?: true;
  count?: {value: number; relation: 'exact' | 'estimate' | 'at_least'};
  /** An opaque token for the time at which the page was read, to pass as `since`. Only pages of feeds that are declared with `delta` have one. */
  moment?: string;
}

export interface Fresh {
  count: number;
  /** Whether there are more items than were counted. */
  capped: boolean;
}

/** The numbers of items by the values of a column. */
export interface Counts {
  by: string;
  /** In the order of the column, null last; or in the order of the values of a filter on the column. */
  counts: {
    value: any;
    /** At most `up-to`, which is 100 by default. */
    count: number;
    /** Whether there are more items than were counted. */
    capped: boolean;
  }[];
  /** False if more than 100 values occur. The others are left out. */
  complete: boolean;
}

/** How requests are retried. Times are in milliseconds. */
export interface Retry {
  /** The number of attempts, including the first one. Default 5. */
  attempts?: number;
  /** The maximum delay after the first attempt. This maximum doubles with each attempt. Default 500. */
  initialDelay?: number;
  /** The maximum delay after any attempt. Default 15,000. */
  maxDelay?: number;
  /** The longest delay to wait for. If a delay is longer, usually because of `Retry-After`, the request fails at once. Default 120,000. */
  maxRetryAfter?: number;
  /** The maximum duration of one attempt. Default 20,000. */
  timeout?: number;
}

export type RequestHeaders = Record<string, string> | Headers;

export interface FeedOptions {
  /** The number of items on a page, unless a request specifies another one. */
  limit?: number;
  /** The columns to include in each item. Default all. */
  fields?: readonly string[] | string;
  /** The columns of the feed's key. Default `id`. */
  key?: string | readonly string[];
  /** Headers of every request. A function is called for every attempt. */
  headers?: RequestHeaders | (() => RequestHeaders | Promise<RequestHeaders>);
  /** A function to use instead of the global `fetch`. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  retry?: Retry;
  /** Called before each delay. `delay` is in milliseconds. */
  onRetry?: (retry: {error: Error; attempt: number; delay: number}) => void;
}

export interface SignalOption {
  signal?: AbortSignal;
}

export interface PagesOptions extends SignalOption {
  /** Whether to read toward the start of the list. If true, the server rejects `until`. */
  backward?: boolean;
}

/**
 * How something is kept up to date: not yet, or not now, so it may be out of date; by an event stream; by polling,
 * because there are no streams; or not at all while the web page is hidden.
 */
export type LiveState = 'connecting' | 'streaming' | 'polling' | 'hidden';

export interface FreshOptions extends SignalOption {
  /** Called with the state when it may have changed. */
  onState?: (state: LiveState) => void;
  /** Whether the stream stays open while the web page is hidden. Default false. */
  openWhenHidden?: boolean;
  /** The delay between two polls if there is no event stream. Default 5,000 ms. */
  pollEvery?: number;
  /** The time after which a stream is requested again if there was none. Default 60,000 ms. */
  streamAgainAfter?: number;
  /**
   * The time without data after which a stream is given up: it is opened again, or if it had no heartbeats, there is
   * polling. Default 40,000 ms, within which the server sends at least two heartbeats.
   */
  silence?: number;
}

/** What a live list shows at once. The other items wait for `FeedList.showNew`. */
export type LivePolicy<Item> = 'inside' | 'all' | ((item: Item, place: {above: boolean}) => boolean);

export interface LiveOptions<Item> extends Omit<FreshOptions, 'signal' | 'onState'> {
  /** Default `'inside'`: everything except what is new, or has moved, above the first item. */
  policy?: LivePolicy<Item>;
  /** Whether deleted items are removed at once (default), or stay until `FeedList.showNew`, marked by `FeedList.isDeleted`. */
  deleted?: 'remove' | 'mark';
}

/** An event of a live window. */
export type LiveEvent<Item> =
  | {event: 'page'; id: string; data: Page<Item>}
  | {event: 'poll'; id: null; data: Page<Item>}
  | {
      event: 'change';
      id: string;
      data: {
        removed: unknown[];
        /** Each key, and the key that it is placed after. Null stands for the front. */
        placed: [key: unknown, after: unknown | null][];
        items: Item[];
        has_more: boolean;
        has_prev: boolean;
        cursors: {top: string | null; last: string | null};
      };
    };

export class Feed<Item = Record<string, any>> {
  constructor(url: string, options?: FeedOptions);

  readonly url: string;
  readonly defaults: Parameters;
  readonly key: readonly string[];

  /** Reads one page. */
  page(parameters?: Parameters, options?: SignalOption): Promise<Page<Item>>;

  /** Yields the pages one by one, up to the end of the list. A page is requested only after the previous one has been consumed. */
  pages(parameters?: Parameters, options?: PagesOptions): AsyncGenerator<Page<Item>, void, undefined>;

  /** Yields the items one by one. */
  items(parameters?: Parameters, options?: PagesOptions): AsyncGenerator<Item, void, undefined>;

  /**
   * Yields the number of items beyond a cursor, at once and whenever the number changes. Of the parameters, only the
   * order and the filters are used, so you can pass the parameters of the pages.
   */
  fresh(cursor: string, parameters?: Parameters, options?: FreshOptions): AsyncGenerator<Fresh, void, undefined>;

  /**
   * Counts the items by the values of a column that the feed declares under `counts`. Of the parameters, only the filters
   * and `up-to`, the number at which counting stops, are used, so you can pass the parameters of the pages. A filter on the
   * column itself names the values to count; otherwise, the values that occur are counted.
   */
  counts(by: string, parameters?: Parameters & {'up-to'?: number | null}, options?: SignalOption): Promise<Counts>;

  /** Yields the counts at once and whenever they change. */
  countsStream(by: string, parameters?: Parameters & {'up-to'?: number | null}, options?: FreshOptions): AsyncGenerator<Counts, void, undefined>;

  /**
   * Yields the events of a live window: at once and whenever something in the window changes. `FeedList.live` applies them
   * to a list.
   *
   * @param parameters the order and the filters, `fields`, and the window: `cursor`, `until`, `limit`, and `since`
   */
  live(parameters?: Parameters, options?: FreshOptions): AsyncGenerator<LiveEvent<Item>, void, undefined>;

  /** Returns the list with these parameters: the same list each time, with its pages. */
  list(parameters?: Parameters): FeedList<Item>;

  /** Immediately sends all requests that are waiting to be retried. */
  retryNow(): void;
}

/** A page of a list. `prev` is null at the start of the list, and `next` at its end. */
export interface ListPage<Item> {
  readonly items: readonly Item[];
  /** The parameters that the page was read with, except those of the list. */
  readonly parameters: Parameters;
  readonly prev: string | null;
  readonly next: string | null;
  readonly top: string | null;
  readonly last: string | null;
  /** Set if there may be unread items between this page and the following one. See `FeedList.fill`. */
  readonly hole: {cursor: string; until: string} | null;
  readonly moment: string | null;
  /** Whether the page of a search has fewer items than the limit because the server has looked at enough rows. */
  readonly partial: boolean;
}

/** What a refresh has changed. */
export interface Changes<Item> {
  /** Items that had never been in the list before. */
  added: Item[];
  changed: Item[];
  removed: Item[];
}

/** What a live list has changed. */
export interface LiveChanges<Item> extends Changes<Item> {
  /** Items that were deleted and stay in the list, marked. */
  deleted: Item[];
}

/** A copy of a list, to be kept as JSON. */
export interface DehydratedList<Item> {
  readonly pages: readonly ListPage<Item>[];
  readonly moment: string | null;
}

/** One list: a feed in one order with one set of filters, and the pages that have been read so far, in the list's order. */
export class FeedList<Item = Record<string, any>> {
  constructor(feed: Feed<Item>, parameters?: Parameters);

  readonly feed: Feed<Item>;
  readonly parameters: Parameters;
  readonly pages: readonly ListPage<Item>[];
  /** The items of all pages, in the same array until the list changes. */
  readonly items: readonly Item[];
  readonly isEmpty: boolean;
  /** Whether pages have been read, and the first one began at the start of the list. */
  readonly atStart: boolean;
  /** Whether pages have been read, and the last one reached the end of the list. */
  readonly atEnd: boolean;
  /** Whether pages without items are being passed over in a search. Listeners are called when it changes. */
  readonly searching: boolean;
  /** Whether pages have been read and `refresh` reads only what may have changed, because the feed is declared with `delta`. */
  readonly hasMoments: boolean;
  /** The cursor before the first item, or in a search from elsewhere than its start, before the first row that was looked at. */
  readonly top: string | null;
  /** The cursor after the last item, or in a search, after the last row that was looked at. */
  readonly last: string | null;

  /**
   * Calls a function after each change to the pages and of `liveState`; after a change by `live`, with what has
   * changed. Returns a function that unsubscribes it. In React: `useSyncExternalStore(list.subscribe, () =>
   * list.items)`.
   */
  readonly subscribe: (listener: (changes?: LiveChanges<Item>) => void) => () => void;

  /** Reads the first page, or the page at this position, and drops all other pages. */
  start(position?: PageStart): Promise<ListPage<Item>>;

  /**
   * Reads the page after the last one, or the first page if no page has been read yet or the list was empty. In a search, goes on
   * over up to ten pages without items; if it returns null although `atEnd` is false, call it again to search further.
   */
  next(): Promise<ListPage<Item> | null>;

  /** Reads the page before the first one. */
  previous(): Promise<ListPage<Item> | null>;

  /**
   * Brings all pages up to date. If the feed is declared with `delta`, reads only what may have changed. Otherwise reads
   * all items of the list again.
   */
  refresh(): Promise<Changes<Item>>;

  /** Reads one page of the unread items after a page. */
  fill(page: ListPage<Item>): Promise<ListPage<Item> | null>;

  /**
   * Keeps the pages true with an event stream, until the returned function is called. In React: `useEffect(() => list.live(),
   * [list])`. If there are no streams, polls: see `liveState`. While the web page is hidden, does neither.
   */
  live(options?: LiveOptions<Item>): () => void;

  /** The error that ended `live`, or null. */
  readonly liveError: Error | null;

  /** How the list is kept live, or null if it is not. Listeners are called when it changes. */
  readonly liveState: LiveState | null;

  /** The number of items that wait for `showNew`. `capped` if there can be more. */
  readonly waiting: Fresh;

  /** Shows the items that wait, and removes the deleted items that were kept. */
  showNew(): Promise<void>;

  /** Whether the item has been deleted, and stays in the list only until `showNew`. */
  isDeleted(item: Item): boolean;

  /**
   * Returns a copy of the list, without the items that wait, and the deleted ones that are marked. `persist` keeps it
   * in a storage.
   */
  dehydrate(): DehydratedList<Item>;

  /** Restores a copy, and returns true, unless pages have been read. Afterwards, call `live` or `refresh`. */
  hydrate(copy: DehydratedList<Item>): boolean;

  /** Returns what to pass to `start` to read the list again from this page. */
  startOf(page: ListPage<Item>): PageStart;

  /** Cancels all requests. The pages are kept. */
  cancel(): void;
}

/** Thrown for a response other than the expected one, or for none. */
export class FeedError extends Error {
  constructor(status: number, problem?: {detail?: string; code?: string; parameter?: string; request_id?: string}, retryAfter?: number);

  /** 0 if there was no response. */
  readonly status: number;
  /**
   * One of the server's error codes; `unreachable` if there was no response or it broke off, with the error of `fetch` as
   * the cause; `unexpected_response` if a proxy has sent a successful response; or null if it has sent another one.
   */
  readonly code: string | null;
  readonly parameter: string | null;
  readonly requestId: string | null;
  /** The server's `Retry-After` in seconds. 0 if the response has none. */
  readonly retryAfter: number;
  /** Whether the cursor is invalid, so that the list must be read again from the start. */
  readonly mustStartAgain: boolean;
}

/**
 * Whether a retry can succeed: the network failed, the request timed out, or the server is overloaded or unavailable.
 */
export function isTemporary(error: unknown): boolean;

/** Returns a string that identifies the list with these parameters, regardless of their sequence. */
export function listKey(parameters?: Parameters): string;
