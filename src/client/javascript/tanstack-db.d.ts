import type {Feed, LiveOptions, Parameters, Value} from './index.js';

export interface FeedCollectionOptions<Item> {
  feed: Feed<Item>;
  /** The order of all queries. Default: that of the feed. */
  order?: string;
  /** Filters of all queries, which only the server decides, such as `{'created_at.gte': '2026-01-16T00:00:00Z'}`. */
  filters?: {[filter: string]: Value | readonly Value[]};
  /** Whether the lists of the queries are kept live. Default false. */
  live?: boolean | Omit<LiveOptions<Item>, 'policy' | 'deleted'>;
  /** The most items that a query without a limit loads. If the list has more, that is an error. Default 10,000. */
  maxItems?: number;
  /** Called when a list cannot be read, or is no longer live because the token has expired, for example. Its rows stay. Default: `console.error`. */
  onError?: (error: Error) => void;
}

/** An item, with its position in the order of the feed. */
export type FeedRow<Item> = Item & {readonly $position: number};

/** Options for `createCollection` of TanStack DB 0.15. */
export interface FeedCollection<Item> {
  getKey: (row: FeedRow<Item>) => string | number;
  syncMode: 'on-demand';
  sync: {sync: (params: any) => any; rowUpdateMode: 'full'};
  utils: {
    /** Brings all lists up to date that queries show, and makes those live again whose streams have ended. */
    refresh: () => Promise<void>;
  };
}

/**
 * Returns options for `createCollection` of TanStack DB: a collection that loads what queries ask for, in the order of the feed.
 * Order queries that have a limit by `$position`.
 *
 * @param options further options of TanStack DB, such as `id`
 */
export function tidemarkCollectionOptions<Item extends object, const Options extends object = {}>(
  options: FeedCollectionOptions<Item> & Options,
): FeedCollection<Item> & Omit<Options, keyof FeedCollectionOptions<Item>>;
