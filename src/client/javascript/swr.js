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
