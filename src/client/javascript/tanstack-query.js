import {withoutStart} from './parameters.js';

/**
 * Returns options for `useInfiniteQuery` and `InfiniteQueryObserver` of TanStack Query, for a list that grows in both
 * directions.
 *
 *     const query = useInfiniteQuery(infiniteQueryOptions(feed, {status: 'open'}, {maxPages: 10}));
 *
 * @param parameters order and filters; with a jump such as `around_id`, the list starts at the position of the jump
 * @param options further options of TanStack Query
 */
export function infiniteQueryOptions(feed, parameters = {}, options = {}) {
  return {
    queryKey: ['tidemark', feed.url, {...feed.defaults, ...parameters}],
    queryFn: ({pageParam, signal}) =>
      feed.page(pageParam === null ? parameters : {...withoutStart(parameters), cursor: pageParam}, {signal}),
    initialPageParam: null,
    getNextPageParam: page => page.next_cursor,
    getPreviousPageParam: page => page.prev_cursor,
    // The feed itself retries temporary failures.
    retry: false,
    ...options,
  };
}
