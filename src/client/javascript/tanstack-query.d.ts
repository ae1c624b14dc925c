import type {Feed, Page, Parameters} from './index.js';

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
