/** Writes messages, and reads people, by resources that only the sample inbox has. Messages are read from Tidemark's feed. */

async function send(method, path, content) {
  const response = await fetch(path, {
    method,
    headers: {'Content-Type': 'application/json'},
    body: content && JSON.stringify(content),
    signal: AbortSignal.timeout(20_000),
  }).catch(() => {
    throw new Error('Not saved: the server cannot be reached.');
  });
  if (!response.ok) {
    throw new Error(
        response.status === 404 && path.startsWith('/inbox/messages/') ? 'This message has been deleted.' : `Not saved: the server responded with status ${response.status}.`);
  }
  return response.status === 204 ? null : response.json();
}

export const writes = {
  /** @return `{id}` */
  create: content => send('POST', '/inbox/messages', content),
  /** @param changes any of subject, body, status and assignee; an empty assignee unassigns the message */
  edit: (id, changes) => send('PATCH', `/inbox/messages/${id}`, changes),
  remove: id => send('DELETE', `/inbox/messages/${id}`),
  restore: id => send('PUT', `/inbox/messages/${id}/restored`),
  /** @return `{agents, customers}`, arrays of `{id, name, color}` */
  people: () => send('GET', '/inbox/people'),
};
