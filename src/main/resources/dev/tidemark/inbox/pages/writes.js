/** What the inbox writes. Its own small resource, which is there only in the try-it run; reading is Tidemark's. */

async function send(method, path, content) {
  const response = await fetch(path, {
    method,
    headers: {'Content-Type': 'application/json'},
    body: content && JSON.stringify(content),
    signal: AbortSignal.timeout(20_000),
  }).catch(() => {
    throw new Error('It was not saved: the server cannot be reached.');
  });
  if (!response.ok) {
    throw new Error(
        response.status === 404 ? 'This message is gone.' : `It was not saved: the server answered ${response.status}.`);
  }
  return response.status === 204 ? null : response.json();
}

export const writes = {
  /** @return `{id}` */
  create: content => send('POST', '/inbox/messages', content),
  /** @param changes any of subject, body, status and assignee; an empty assignee is nobody */
  edit: (id, changes) => send('PATCH', `/inbox/messages/${id}`, changes),
  remove: id => send('DELETE', `/inbox/messages/${id}`),
  restore: id => send('PUT', `/inbox/messages/${id}/restored`),
  assignees: () => send('GET', '/inbox/assignees').then(answer => answer.assignees),
};
