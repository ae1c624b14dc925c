/**
 * Returns the definition of an endpoint for `build.infiniteQuery` of RTK Query, whose pages are those of a `FeedList`. A refetch
 * refreshes the list, instead of reading page after page: if the feed is declared with `delta`, one request reads what may have
 * been written since. The cache follows the list, also when it is changed by its own methods.
 *
 *     createApi({
 *       baseQuery: fakeBaseQuery(),
 *       endpoints: build => ({messages: build.infiniteQuery(listEndpoint(feed, {live: true}))}),
 *     });
 *
 * @param options `parameters(arg)` returns the parameters of the list for the argument of the query, which is the parameters
 *     themselves by default; `live`, true or the options of `FeedList.live`, keeps the list live while it is in the cache;
 *     `onError(error)`, called when a list is no longer live, while its pages stay; and further options of the endpoint, such as
 *     `providesTags`
 */
export function listEndpoint(feed, {parameters = arg => arg, live = false, onError = console.error, ...options} = {}) {
  const listOf = arg => feed.list(parameters(arg) ?? {});
  return {
    infiniteQueryOptions: {
      initialPageParam: null,
      getNextPageParam: ({next}) => next && {after: next},
      getPreviousPageParam: ({prev}) => prev && {before: prev},
    },
    queryFn: async ({queryArg, pageParam}) => {
      try {
        return {data: copyOf(await read(listOf(queryArg), pageParam ?? {}))};
      } catch (error) {
        return {error: serializable(error)};
      }
    },
    ...options,
    onQueryStarted: async (arg, api) => {
      options.onQueryStarted?.(arg, api);
      await api.queryFulfilled.catch(() => {});
      // The list can have changed since the request was sent, and the cache then had the pages as they were before.
      listOf(arg).pages.length > 0 && api.updateCachedData(() => dataOf(listOf(arg)));
    },
    onCacheEntryAdded: async (arg, api) => {
      options.onCacheEntryAdded?.(arg, api);
      const {cacheDataLoaded, cacheEntryRemoved, updateCachedData} = api;
      await cacheDataLoaded.catch(() => {});
      const list = listOf(arg);
      let known = null;
      const unsubscribe = list.subscribe(() => {
        updateCachedData(() => dataOf(list));
        if (list.liveError !== known && (known = list.liveError)) {
          onError(known);
        }
      });
      const stop = live ? list.live(live === true ? {} : live) : null;
      await cacheEntryRemoved;
      unsubscribe();
      stop?.();
    },
  };
}

/** Reads a page, unless the list already has it. RTK Query begins a refetch with the parameter of its first page. */
async function read(list, {after, before}) {
  const {pages} = list;
  if (after) {
    const at = pages.findIndex(page => page.next === after);
    return (at < 0 ? null : pages[at].hole ? await list.fill(pages[at]) : pages[at + 1]) ?? (await list.next()) ?? emptyAfter(list);
  }
  if (before && pages[0]?.prev === before) {
    return (await list.previous()) ?? {...pages[0], items: []};
  }
  // If the cursors have expired, the list is started again.
  const refresh = () => list.refresh().catch(error => (error.mustStartAgain ? list.start() : Promise.reject(error)));
  await (pages.length > 0 ? refresh() : list.start());
  return list.pages[0];
}

/** An empty page after the last one, whose last items have been deleted, or of a search that has found nothing so far. */
const emptyAfter = list => ({...list.pages[list.pages.length - 1], items: [], hole: null});

/** Returns a copy, because Redux freezes what it stores, and the list changes its pages. */
const copyOf = page => ({...page});

const dataOf = ({pages}) => ({pages: pages.map(copyOf), pageParams: pages.map((_, at) => (at > 0 ? {after: pages[at - 1].next} : null))});

const serializable = ({name, message, status = null, code = null, parameter = null, requestId = null}) =>
  ({name, message, status, code, parameter, requestId});
