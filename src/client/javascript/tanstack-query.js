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

/**
 * Returns options for `useQuery` and `QueryObserver`, whose data is the items of a `FeedList`. A refetch refreshes the list.
 * With `followList`, the data also changes with the list.
 *
 *     const {data: items} = useQuery(listQueryOptions(list));
 *     useEffect(() => followList(queryClient, list), [queryClient, list]);
 *
 * @param options further options of TanStack Query
 */
export function listQueryOptions(list, options = {}) {
  return {
    queryKey: keyOf(list),
    queryFn: async () => {
      await list.refresh();
      return list.items;
    },
    // The list itself keeps unchanged items the same objects, and its feed retries temporary failures.
    structuralSharing: false,
    staleTime: Infinity,
    retry: false,
    ...options,
  };
}

/**
 * Keeps a list live, and puts its items into the cache after each change, until the returned function is called.
 *
 * @param options the options of `FeedList.live`, and `onError(error)`, which is called with the error that ends it
 */
export function followList(queryClient, list, {onError = console.error, ...liveOptions} = {}) {
  let known = null;
  const unsubscribe = list.subscribe(() => {
    queryClient.setQueryData(keyOf(list), list.items);
    if (list.liveError !== known && (known = list.liveError)) {
      onError(known);
    }
  });
  const stop = list.live(liveOptions);
  return () => {
    unsubscribe();
    stop();
  };
}

const keyOf = list => ['tidemark', list.feed.url, {...list.feed.defaults, ...list.parameters}, 'list'];
