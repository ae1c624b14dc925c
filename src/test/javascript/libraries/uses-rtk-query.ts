// How the package is used with RTK Query, compiled with --strict and run against a server.
import {configureStore} from '@reduxjs/toolkit';
import {createApi, fakeBaseQuery} from '@reduxjs/toolkit/query';
import {Feed, type ListPage, type Parameters} from '@tidemark/client';
import {listEndpoint, type ListError, type PagePosition} from '@tidemark/client/rtk-query';

interface Message {
  id: string;
  subject: string;
  status: 'open' | 'pending' | 'closed';
}

const feed = new Feed<Message>(new URL('/api/messages', process.env.TIDEMARK_URL).href, {fields: ['id', 'subject', 'status']});

export async function redux(): Promise<string | undefined> {
  const api = createApi({
    baseQuery: fakeBaseQuery<ListError>(),
    endpoints: build => ({
      messages: build.infiniteQuery<ListPage<Message>, Parameters | void, PagePosition>(listEndpoint(feed, {live: {deleted: 'mark'}})),
      ofStatus: build.infiniteQuery<ListPage<Message>, Message['status'], PagePosition>({
        ...listEndpoint(feed, {parameters: (status: Message['status']) => ({status}), live: true}),
        keepUnusedDataFor: 10,
      }),
    }),
  });
  const store = configureStore({reducer: {api: api.reducer}, middleware: defaults => defaults().concat(api.middleware)});
  const query = store.dispatch(api.endpoints.ofStatus.initiate('open'));
  const {data, error} = await query;
  const code: string | null | undefined = error && 'code' in error ? error.code : null;
  // @ts-expect-error there is no such status
  const wrong = () => api.endpoints.ofStatus.initiate('eaten');
  const first: Message | undefined = data?.pages[0]?.items[0];
  store.dispatch(api.util.resetApiState());
  return code ?? first?.subject;
}
