import {withoutJumps} from './parameters.js';

/**
 * Arguments for `useSWRInfinite`. By default, SWR reads page one again whenever it reads another page, because the cursors
 * of most servers change with the rows. Here they are places, so page one is read again only with all pages, by `mutate`.
 *
 *     const {data, setSize} = useSWRInfinite(...swrInfinite(feed, {status: 'open'}));
 *
 * @param options further options of SWR
 */
export function swrInfinite(feed, parameters = {}, options = {}) {
  const keyOf = place => ['tidemark', feed.url, {...feed.defaults, ...place}];
  const pageKey = (index, previous) => {
    if (index === 0) {
      return keyOf(parameters);
    }
    return previous?.next_cursor ? keyOf({...withoutJumps(parameters), cursor: previous.next_cursor}) : null;
  };
  // The feed retries by itself, and only what can succeed.
  return [pageKey, ([, , place]) => feed.page(place), {revalidateFirstPage: false, shouldRetryOnError: false, ...options}];
}
