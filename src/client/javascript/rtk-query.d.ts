import type {Feed, ListPage, LiveOptions, Parameters} from './index.js';

/** What Redux can store of an error. */
export interface ListError {
  name: string;
  message: string;
  /** The members of a `FeedError`, or null. */
  status: number | null;
  code: string | null;
  parameter: string | null;
  requestId: string | null;
}

/** The position of a page: after or before a cursor. Null for the first page. */
export type PagePosition = {after: string; before?: never} | {before: string; after?: never} | null;

export interface ListEndpointOptions<Item, Arg> {
  /** Returns the parameters of the list for the argument of a query. Default: the argument. */
  parameters?: (arg: Arg) => Parameters | null | undefined | void;
  /** Whether the list is kept live while it is in the cache, or how. Default false. */
  live?: boolean | LiveOptions<Item>;
  /** Called when a list is no longer live, for example because the token has expired. Its pages stay. Default: `console.error`. */
  onError?: (error: Error) => void;
}

/** The data of a query. */
export interface ListData<Item> {
  pages: ListPage<Item>[];
  pageParams: PagePosition[];
}

/** The definition of an endpoint. It has the form of RTK Query 2. */
export interface ListEndpoint<Item, Arg> {
  infiniteQueryOptions: {
    initialPageParam: PagePosition;
    getNextPageParam: (page: ListPage<Item>) => PagePosition;
    getPreviousPageParam: (page: ListPage<Item>) => PagePosition;
  };
  queryFn: (query: {queryArg: Arg; pageParam: PagePosition}) => Promise<{data: ListPage<Item>; error?: undefined} | {data?: undefined; error: ListError}>;
  onQueryStarted: (arg: Arg, api: {queryFulfilled: Promise<unknown>; updateCachedData(recipe: (data: any) => any): unknown}) => Promise<void>;
  onCacheEntryAdded: (
    arg: Arg,
    api: {cacheDataLoaded: Promise<unknown>; cacheEntryRemoved: Promise<void>; updateCachedData(recipe: (data: any) => any): unknown},
  ) => Promise<void>;
}

/**
 * Returns the definition of an endpoint for `build.infiniteQuery` of RTK Query 2, whose pages are those of a `FeedList`. A refetch
 * refreshes the list, and the cache follows the list.
 *
 * @param options further options of the endpoint, such as `providesTags`
 */
export function listEndpoint<Item, Arg = Parameters | void, Options extends object = {}>(
  feed: Feed<Item>,
  options?: ListEndpointOptions<Item, Arg> & Options,
): ListEndpoint<Item, Arg> & Omit<Options, keyof ListEndpointOptions<Item, Arg>>;
