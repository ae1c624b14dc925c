import {Feed} from './client/index.js';

const LIST_SIZE = 300;
const PAGE_SIZE = 100;
const LATE_COUNT = 3;

/**
 * Brings a list up to date in three ways, and compares the sizes of the responses. The ways are a refresh, reading all pages
 * again, and reading them again with the entity tags of the previous responses. The sizes are those of the JSON, without
 * compression.
 */
export class KeptList {
  #bytes = 0;
  #feed = new Feed('/api/messages', {limit: PAGE_SIZE, fetch: (url, init) => this.#fetchCounted(url, init)});
  #list = this.#feed.list({order: 'newest'});
  #tagged = new Map();

  /** The kilobytes that each way took, for each refresh: `{refresh, delta, 'by 304', again}`. `refresh` counts from 1. */
  points = [];

  /** The number of items that refreshes have added, changed, and removed. */
  changes = 0;

  /** The number of items that differed from the database after a refresh. */
  differences = 0;

  async start() {
    await this.#list.start();
    while (this.#list.items.length < LIST_SIZE && !this.#list.atEnd) {
      await this.#list.next();
    }
    await this.#readAgain(true);
  }

  /** Refreshes the list, and compares it with the database. */
  async refresh() {
    let [before, after, changes, delta] = [null, null, null, 0];
    // If something was committed between the two reads of the database, the list may match neither, so it is refreshed again.
    for (let attempt = 0; before === null || (!isSame(before, after) && attempt < 5); attempt++) {
      before = await this.#stored();
      this.#bytes = 0;
      changes = await this.#list.refresh();
      delta += this.#bytes;
      this.changes += changes.added.length + changes.changed.length + changes.removed.length;
      after = await this.#stored();
    }
    this.differences += differencesOf(this.#list.items.map(keptVersionOf), after);
    this.points.push({
      refresh: this.points.length + 1,
      delta: delta / 1000,
      'by 304': (await this.#readAgain(true)) / 1000,
      again: (await this.#readAgain(false)) / 1000,
    });
  }

  get summary() {
    const sum = name => this.points.reduce((all, point) => all + point[name], 0);
    return `${this.points.length} refreshes with ${this.changes} changes, ${this.differences} differences. By delta `
        + `${sum('delta').toFixed()} kB, by 304 ${sum('by 304').toFixed()} kB, by reading again ${sum('again').toFixed()} kB.`;
  }

  /** Returns the versions of the first items in the database: up to LIST_SIZE more items than the list has. */
  #stored() {
    return readStored(Math.max(1, this.#list.items.length + LIST_SIZE));
  }

  async #readAgain(isTagged) {
    this.#bytes = 0;
    let cursor = null;
    for (let items = 0; items < this.#list.items.length; items += PAGE_SIZE) {
      const url = `/api/messages?${new URLSearchParams({order: 'newest', limit: PAGE_SIZE, ...(cursor ? {cursor} : {})})}`;
      const known = isTagged ? this.#tagged.get(url) : null;
      const response = await this.#fetchCounted(url, known ? {headers: {'If-None-Match': known.tag}} : {});
      const page = response.status === 304 ? known.page : await response.json();
      isTagged && this.#tagged.set(url, {tag: response.headers.get('ETag'), page});
      cursor = page.next_cursor;
    }
    return this.#bytes;
  }

  async #fetchCounted(url, init) {
    const response = await fetch(url, {...init, cache: 'no-store'});
    const content = await response.arrayBuffer();
    this.#bytes += content.byteLength;
    return new Response(content.byteLength > 0 ? content : null, {status: response.status, headers: response.headers});
  }
}

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

/** Counts the kept items that differ from the stored item at the same position. Further stored items do not count. */
function differencesOf(kept, stored) {
  return kept.filter((item, at) => item !== stored[at]).length;
}

const isSame = (one, other) => one.join('\n') === other.join('\n');

/** Returns the version of an item of the feed, in the form that `readStored` returns. It starts with the id and a bar. */
export const keptVersionOf = item => [item.id, item.edited_at ? epochSecondsOf(item.edited_at) : '', item.subject, item.status,
    item.assignee, item.agent?.name, item.customer?.name].join('|');

/** Returns the seconds since 1970, with six decimals, of a time such as 2026-01-16T10:00:00.123456Z. */
function epochSecondsOf(time) {
  const [, whole, fraction] = /^([^.Z]+)\.?(\d*)Z$/.exec(time);
  return `${Date.parse(`${whole}Z`) / 1000}.${fraction.padEnd(6, '0')}`;
}

