import {withoutStart} from './parameters.js';

/**
 * Returns arguments for `useSWRInfinite`. By default, SWR reads page one again whenever it reads another page, because
 * the cursors of most servers change with the rows. Cursors of Tidemark are positions in the list, so page one is read
 * again only when `mutate` reads all pages again.
 *
 *     const {data, setSize} = useSWRInfinite(...swrInfinite(feed, {status: 'open'}));
 *
 * @param options further options of SWR
 */
export function swrInfinite(feed, parameters = {}, options = {}) {
  const keyOf = position => ['tidemark', feed.url, {...feed.defaults, ...position}];
  const pageKey = (index, previous) => {
    if (index === 0) {
      return keyOf(parameters);
    }
    return previous?.next_cursor ? keyOf({...withoutStart(parameters), cursor: previous.next_cursor}) : null;
  };
  // The feed itself retries temporary failures.
  return [pageKey, ([, , position]) => feed.page(position), {revalidateFirstPage: false, shouldRetryOnError: false, ...options}];
}

/**
 * Returns arguments for `useSWRSubscription`, whose data is the items of a live `FeedList`. The list grows with `list.next()`.
 *
 *     const {data: items, error} = useSWRSubscription(...swrLive(list));
 *
 * @param liveOptions the options of `FeedList.live`
 */
export function swrLive(list, liveOptions) {
  const subscribe = (_, {next}) => {
    const show = () => next(list.liveError, list.items);
    const unsubscribe = list.subscribe(show);
    const stop = list.live(liveOptions);
    list.pages.length > 0 ? show() : list.start().catch(error => error.name === 'AbortError' || next(error));
    return () => {
      unsubscribe();
      stop();
    };
  };
  return [['tidemark', list.feed.url, {...list.feed.defaults, ...list.parameters}, 'live'], subscribe];
}
