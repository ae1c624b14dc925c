import type {Feed, FeedList, LiveOptions, Page, Parameters, SignalOption} from './index.js';

export interface Connection<Item> {
  /** Only the first and the last edge have a cursor. */
  edges: {node: Item; cursor: string | null}[];
  pageInfo: {
    hasNextPage: boolean;
    hasPreviousPage: boolean;
    /** The cursor to pass as `before`. */
    startCursor: string | null;
    /** The cursor to pass as `after`. */
    endCursor: string | null;
  };
}

/** `first` and `after`, or `last` and `before`. */
export interface ConnectionArguments {
  first?: number | null;
  after?: string | null;
  last?: number | null;
  before?: string | null;
}

/** Reads one page as a Relay connection. */
export function connection<Item>(
  feed: Feed<Item>,
  parameters?: Parameters,
  args?: ConnectionArguments,
  options?: SignalOption,
): Promise<Connection<Item>>;

/** Converts a page to a connection. */
export function toConnection<Item>(page: Page<Item>): Connection<Item>;

/**
 * Returns an async iterator of connections: of a list at once and after each change, while the list is live. For the resolver
 * of a GraphQL subscription.
 */
export function liveConnections<Item>(
  list: FeedList<Item>,
  liveOptions?: LiveOptions<Item>,
): AsyncIterableIterator<Connection<Item>>;
