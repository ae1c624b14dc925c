import type {Feed, FeedList, LiveOptions, Page, Parameters} from './index.js';

/** The options that the adapter sets. They have the form of TanStack Query 5. */
export interface InfiniteQueryOptions<Item> {
  queryKey: readonly unknown[];
  queryFn: (context: {pageParam: string | null; signal: AbortSignal}) => Promise<Page<Item>>;
  initialPageParam: string | null;
  getNextPageParam: (page: Page<Item>) => string | null;
  getPreviousPageParam: (page: Page<Item>) => string | null;
  retry: boolean;
}

/**
 * Returns options for `useInfiniteQuery` of TanStack Query, for a list that grows in both directions.
 *
 * @param parameters order and filters; with a jump such as `around_id`, the list starts at the position of the jump
 * @param options further options of TanStack Query, such as `maxPages`
 */
export function infiniteQueryOptions<Item, Options extends object = {}>(
  feed: Feed<Item>,
  parameters?: Parameters,
  options?: Options,
): InfiniteQueryOptions<Item> & Options;

/** The options that `listQueryOptions` sets. They have the form of TanStack Query 5. */
export interface ListQueryOptions<Item> {
  queryKey: readonly unknown[];
  queryFn: () => Promise<readonly Item[]>;
  structuralSharing: boolean;
  staleTime: number;
  retry: boolean;
}

/**
 * Returns options for `useQuery` of TanStack Query, whose data is the items of a list. A refetch refreshes the list.
 *
 * @param options further options of TanStack Query
 */
export function listQueryOptions<Item, Options extends object = {}>(
  list: FeedList<Item>,
  options?: Options,
): ListQueryOptions<Item> & Options;

/**
 * Keeps a list live, and puts its items into the cache after each change, until the returned function is called.
 *
 * @param options those of `FeedList.live`, and `onError`, which is called with the error that ends it; by default, it is logged
 */
export function followList<Item>(
  queryClient: {setQueryData(queryKey: readonly unknown[], data: readonly Item[]): unknown},
  list: FeedList<Item>,
  options?: LiveOptions<Item> & {onError?: (error: Error) => void},
): () => void;
