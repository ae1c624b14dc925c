// How the package is used, compiled with --strict and run against a server.
import {useInfiniteQuery, useQuery, InfiniteQueryObserver, QueryClient} from '@tanstack/react-query';
import useSWRInfinite from 'swr/infinite';
import useSWRSubscription from 'swr/subscription';
import {Feed, FeedError, FeedList, isTemporary, listKey, type Changes, type Counts, type ListPage, type LiveChanges, type LiveOptions, type LiveState, type Page} from '@tidemark/client';
import {persist, type ListStorage, type PersistedList} from '@tidemark/client/persist';
import {listEndpoint, type ListError} from '@tidemark/client/rtk-query';
import {swrInfinite, swrLive} from '@tidemark/client/swr';
import {followList, infiniteQueryOptions, listQueryOptions} from '@tidemark/client/tanstack-query';

interface Message {
  id: string;
  subject: string;
  status: 'open' | 'pending' | 'closed';
  assignee: string | null;
}

const address = new URL('/api/messages', process.env.TIDEMARK_URL).href;
const feed = new Feed<Message>(address, {
  limit: 20,
  fields: ['id', 'subject', 'status', 'assignee'],
  key: 'id',
  headers: async () => ({'X-Request-Id': 'uses'}),
  retry: {attempts: 2, timeout: 10_000},
  onRetry: ({error, attempt, delay}) => console.warn(error.message, attempt, delay),
});

export async function iterate(): Promise<string[]> {
  const subjects: string[] = [];
  for await (const item of feed.items({status: ['open', 'pending'], 'created_at.lt': '2026-01-16T00:00:00Z'})) {
    subjects.push(item.subject);
    if (subjects.length === 30) break;
  }
  const {signal} = new AbortController();
  for await (const page of feed.pages({order: 'oldest', count: 'estimate'}, {signal})) {
    const count: number | undefined = page.count?.value;
    if (count === undefined || page.items.length > page.limit) throw new Error('no count');
    break;
  }
  // @ts-expect-error an item has no such column
  for await (const {sender} of feed.items({limit: 1, status: 'closed'})) break;
  return subjects;
}

export async function live(): Promise<number> {
  const inbox: FeedList<Message> = feed.list({status: 'pending'});
  await inbox.start();
  const options: LiveOptions<Message> = {policy: (item, {above}) => !above || item.assignee === null, deleted: 'mark', pollEvery: 1000};
  const stop: () => void = inbox.live(options);
  const unsubscribe = inbox.subscribe((changes?: LiveChanges<Message>) => console.log(changes?.deleted.length));
  await inbox.showNew();
  // @ts-expect-error there is no such policy
  const wrong = () => inbox.live({policy: 'outside'});
  for await (const event of feed.live({order: 'newest', limit: 5})) {
    if (event.event !== 'change' && event.data.items.some(item => item.subject === '')) throw new Error('no subject');
    if (event.event === 'change' && event.data.removed.length > 0) throw new Error('a change before the page');
    break;
  }
  stop();
  unsubscribe();
  if (inbox.liveError) throw inbox.liveError;
  const state: LiveState | null = inbox.liveState;
  if (state !== null) throw new Error(`the list is ${state}`);
  return inbox.items.filter(item => inbox.isDeleted(item)).length + inbox.waiting.count;
}

export async function restore(): Promise<number> {
  const inbox: FeedList<Message> = feed.list({status: 'open', order: 'oldest'});
  const saved = new Map<string, string>();
  const storage: ListStorage = {
    getItem: async name => saved.get(name) ?? null,
    setItem: async (name, value) => void saved.set(name, value),
    removeItem: async name => void saved.delete(name),
  };
  const kept: PersistedList<Message> = persist(inbox, storage, {place: () => ({item: inbox.items[3]!, offset: 12}), maxItems: 100});
  if ((await kept.restored) !== null) throw new Error('nothing was saved yet');
  await inbox.start();
  await kept.save();
  kept.stop();
  const again = persist(new FeedList(feed, inbox.parameters), storage, {onError: (error: Error) => console.warn(error.message)});
  const offset: number | undefined = (await again.restored)?.place?.offset;
  await again.forget();
  // @ts-expect-error a storage has three methods
  const wrong = () => persist(inbox, {getItem: () => null});
  const browser = () => persist(inbox, sessionStorage);
  return saved.size > 0 ? -1 : (offset ?? -2);
}

export async function list(): Promise<readonly Message[]> {
  const inbox: FeedList<Message> = feed.list({status: 'open', assignee: null});
  const {items} = await feed.page({status: 'open', limit: 5});
  const page: ListPage<Message> = await inbox.start({around_id: items[4]?.id});
  await inbox.next();
  await inbox.previous();
  const {added, changed, removed}: Changes<Message> = await inbox.refresh();
  if (!inbox.hasMoments && changed.length + removed.length > 0) throw new Error(`${added.length} new items only`);
  for (const one of inbox.pages) {
    if (one.hole) await inbox.fill(one);
  }
  // @ts-expect-error the pages cannot be assigned
  const assign = () => (inbox.pages = []);
  await new FeedList(feed, inbox.parameters).start(inbox.startOf(page));
  inbox.cancel();
  return inbox.top === null || listKey(inbox.parameters) !== 'status=open' ? [] : inbox.items;
}

export async function listen(): Promise<number> {
  const page: Page<Message> = await feed.page();
  for await (const {count, capped} of feed.fresh(page.cursors.top!, {}, {pollEvery: 1000})) {
    return capped ? 100 : count;
  }
  return -1;
}

export async function count(): Promise<string[]> {
  const texts: string[] = [];
  const {complete}: Counts = await feed.counts('status', {order: 'newest', assignee: ['ada', 'bob'], 'up-to': 20});
  for await (const {by, counts} of feed.countsStream('assignee', {status: 'open'}, {pollEvery: 1000})) {
    texts.push(...counts.map(({value, count, capped}) => `${by} ${value} ${count}${capped || !complete ? '+' : ''}`));
    break;
  }
  return texts;
}

export async function fail(): Promise<string | null> {
  try {
    await feed.page({cursor: 'made up'});
    return 'no error';
  } catch (error) {
    if (error instanceof FeedError && error.mustStartAgain && !isTemporary(error)) return error.code;
    throw error;
  }
}

export async function query(): Promise<string | undefined> {
  const observer = new InfiniteQueryObserver(new QueryClient(), infiniteQueryOptions(feed, {status: 'open'}, {maxPages: 3}));
  const {data} = await observer.fetchNextPage();
  const first: Message | undefined = data?.pages[0]?.items[0];
  return first?.subject;
}

/** The declarations without those of RTK Query, which do not compile with all checks. `uses-rtk-query.ts` uses both. */
export async function endpoint(): Promise<string | undefined> {
  const {data, error} = await listEndpoint(feed, {parameters: (status: Message['status']) => ({status})}).queryFn({queryArg: 'pending', pageParam: null});
  const code: ListError['code'] | undefined = error?.code;
  return code ?? data?.items[0]?.status;
}

/** Hooks are only compiled, not run. */
export function Hooks(): string {
  const {data, fetchNextPage, hasPreviousPage} = useInfiniteQuery(infiniteQueryOptions(feed, {}, {staleTime: 1000}));
  const swr = useSWRInfinite(...swrInfinite(feed, {status: 'open'}, {parallel: false}));
  const status: Message['status'] | undefined = data?.pages[0]?.items[0]?.status ?? swr.data?.[0]?.items[0]?.status;
  const inbox = feed.list({status: 'open'});
  const items: readonly Message[] | undefined = useQuery(listQueryOptions(inbox, {gcTime: 1000})).data;
  const stop: () => void = followList(new QueryClient(), inbox, {deleted: 'mark'});
  const lives: readonly Message[] | undefined = useSWRSubscription(...swrLive(inbox, {policy: 'all'})).data;
  stop();
  return `${items?.length} ${lives?.length} ${status} ${hasPreviousPage} ${typeof fetchNextPage} ${swr.size}`;
}
