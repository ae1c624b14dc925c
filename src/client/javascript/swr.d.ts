import type {Feed, FeedList, LiveOptions, Page, Parameters} from './index.js';

export type PageKey = readonly [name: 'tidemark', url: string, parameters: Parameters];

/**
 * Returns arguments for `useSWRInfinite`. With them, SWR does not read page one again whenever it reads another page.
 *
 * @param options further options of SWR
 */
export function swrInfinite<Item, Options extends object = {}>(
  feed: Feed<Item>,
  parameters?: Parameters,
  options?: Options,
): [
  pageKey: (index: number, previous: Page<Item> | null) => PageKey | null,
  fetcher: (key: PageKey) => Promise<Page<Item>>,
  options: {revalidateFirstPage: boolean; shouldRetryOnError: boolean} & Options,
];

/** Returns arguments for `useSWRSubscription`, whose data is the items of a live list. */
export function swrLive<Item>(
  list: FeedList<Item>,
  liveOptions?: LiveOptions<Item>,
): [
  key: readonly [name: 'tidemark', url: string, parameters: Parameters, kind: 'live'],
  subscribe: (
    key: readonly [name: 'tidemark', url: string, parameters: Parameters, kind: 'live'],
    options: {next: (error?: Error | null, data?: readonly Item[]) => void},
  ) => () => void,
];
