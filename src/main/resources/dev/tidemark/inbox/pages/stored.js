/** What the lab reads from the database and writes to it without Tidemark. */

const LATE_COUNT = 3;

let committing = null;

/** Writes messages in a transaction that is committed after 3 seconds, unless such a transaction is already open. */
export async function writeLate() {
  committing ??= fetch(`/inbox/lab/late?count=${LATE_COUNT}&seconds=3`, {method: 'POST'}).finally(() => (committing = null));
  await committing;
}

/** Returns the versions of the first items in the database. */
export async function readStored(limit) {
  const {items} = await (await fetch(`/inbox/lab/first?limit=${limit}`)).json();
  return items.map(item => [item.id, item.version, item.subject, item.status, item.assignee, item.agent, item.customer].join('|'));
}

/** Returns the version of an item of the feed, in the form that `readStored` returns. It starts with the id and a bar. */
export const versionOf = item => [item.id, item.edited_at ? epochSecondsOf(item.edited_at) : '', item.subject, item.status,
    item.assignee, item.agent?.name, item.customer?.name].join('|');

/** Returns the seconds since 1970, with six decimals, of a time such as 2026-01-16T10:00:00.123456Z. */
function epochSecondsOf(time) {
  const [, whole, fraction] = /^([^.Z]+)\.?(\d*)Z$/.exec(time);
  return `${Date.parse(`${whole}Z`) / 1000}.${fraction.padEnd(6, '0')}`;
}
