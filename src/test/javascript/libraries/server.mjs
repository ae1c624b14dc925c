import {Feed} from '@tidemark/client';

/** The address of a running server with the sample inbox. */
const server = process.env.TIDEMARK_URL;

/** A feed, and the addresses and signals of its requests. */
export function feedOf(options = {}) {
  const urls = [];
  const signals = [];
  const recorded = (url, init) => {
    urls.push(url);
    signals.push(init.signal);
    return fetch(url, init);
  };
  return {feed: new Feed(new URL('/api/messages', server).href, {fetch: recorded, ...options}), urls, signals};
}

/** The ids of a list, read through the endpoint without any library. */
export async function idsInOrder(parameters) {
  const ids = [];
  for (let cursor = []; cursor !== null; ) {
    const query = new URLSearchParams([...Object.entries(parameters), ...cursor, ['limit', 100], ['fields', 'id']]);
    const page = await (await fetch(new URL(`/api/messages?${query}`, server))).json();
    ids.push(...page.items.map(item => item.id));
    cursor = page.next_cursor && [['cursor', page.next_cursor]];
  }
  return ids;
}

async function send(method, path, content) {
  const response = await fetch(new URL(path, server), {
    method,
    headers: {'Content-Type': 'application/json'},
    body: JSON.stringify(content),
  });
  if (!response.ok) {
    throw new Error(`${method} ${path}: ${response.status}`);
  }
  return response;
}

export async function insert(subject) {
  return (await (await send('POST', '/inbox/messages', {subject, body: 'A body.'})).json()).id;
}

export const edit = (id, changes) => send('PATCH', `/inbox/messages/${id}`, changes);

export const remove = id => send('DELETE', `/inbox/messages/${id}`);
