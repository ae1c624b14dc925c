// How the package is used with TanStack DB, compiled with --strict and run against a server.
import {BTreeIndex, createCollection, createLiveQueryCollection, eq, useLiveInfiniteQuery, useLiveQuery} from '@tanstack/react-db';
import {Feed} from '@tidemark/client';
import {tidemarkCollectionOptions, type FeedRow} from '@tidemark/client/tanstack-db';

interface Message {
  id: string;
  subject: string;
  status: 'open' | 'pending' | 'closed';
}

const feed = new Feed<Message>(new URL('/api/messages', process.env.TIDEMARK_URL).href, {fields: ['id', 'subject', 'status']});

export async function collect(): Promise<string | undefined> {
  const messages = createCollection(
    tidemarkCollectionOptions({
      feed,
      order: 'newest',
      filters: {'created_at.gte': '2020-01-01T00:00:00Z'},
      live: {pollEvery: 1000},
      maxItems: 1000,
      id: 'messages',
      autoIndex: 'eager',
      defaultIndexType: BTreeIndex,
    }),
  );
  const query = createLiveQueryCollection(q =>
    q
      .from({m: messages})
      .where(({m}) => eq(m.status, 'open'))
      .orderBy(({m}) => m.$position)
      .limit(5),
  );
  await query.preload();
  await messages.utils.refresh();
  const row: FeedRow<Message> | undefined = query.toArray[0];
  // @ts-expect-error there is no such column
  const wrong = () => createLiveQueryCollection(q => q.from({m: messages}).orderBy(({m}) => m.sender));
  await query.cleanup();
  await messages.cleanup();
  return row?.subject;
}

export function hooks() {
  const messages = createCollection(tidemarkCollectionOptions({feed}));
  const {data}: {data: FeedRow<Message>[]} = useLiveQuery(q => q.from({m: messages}).orderBy(({m}) => m.$position).limit(5));
  const {data: more, hasNextPage, fetchNextPage} = useLiveInfiniteQuery(q => q.from({m: messages}).orderBy(({m}) => m.$position), {pageSize: 20});
  const subject: string | undefined = more[0]?.subject;
  return {data, subject, hasNextPage, fetchNextPage};
}
