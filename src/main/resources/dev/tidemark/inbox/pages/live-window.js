import {Feed} from './client/index.js';
import {el, userText} from './dom.js';
import {ListView} from './list-view.js';
import {assigneeOf, colorDot} from './people.js';
import {readStored, versionOf} from './stored.js';

const SIZE = 300;
const PAGE_SIZE = 100;

/** The milliseconds between two checks. */
const INTERVAL = 1000;

/**
 * A live list on the screen, which is compared with the database while others write.
 *
 * The database is read every second, and the list is looked at before each read. What is the same in this read and in the two
 * before it has not changed in the two seconds before the look, so the list must show it: a second for the stream, and a
 * second for a busy browser. What differs between the reads may be shown in any state.
 */
export class LiveWindow {
  #list = new Feed('/api/messages', {limit: PAGE_SIZE}).list({order: 'newest'});
  #view;
  #ended = [];
  #editedAt = new Map();
  #clockOffset = 0;
  #delays = [];
  #reads = [];
  #looks = [];

  /** For each check, the milliseconds from a commit to the screen: `{check, median, slowest}`. `check` counts from 1. */
  points = [];

  /** The number of items that were added, changed, and removed. */
  changes = 0;

  /** The number of items that differed from the database in a check. */
  differences = 0;

  /** @param scroller contains elements with the classes `above`, `feed`, and `below` */
  constructor(scroller) {
    const part = name => scroller.querySelector(`.${name}`);
    this.#view = new ListView({
      scroller,
      above: part('above'),
      feed: part('feed'),
      below: part('below'),
      row: item => el('div', {class: 'lab-row', role: 'listitem', 'data-id': item.id},
          el('span', {class: 'number'}, `#${item.id}`),
          el('span', {class: 'text', dir: 'auto'}, userText(item.subject)),
          el('span', {class: 'person'}, item.customer && colorDot(item.customer), userText(item.customer?.name ?? '')),
          el('span', {class: 'person'}, item.assignee && colorDot(item.agent), userText(assigneeOf(item) ?? '')),
          el('span', {class: 'number'}, item.status)),
      onLive: changes => this.#record(changes),
    });
  }

  async start() {
    this.#clockOffset = await readClockOffset();
    await this.#view.show(this.#list);
    while (this.#list.items.length < SIZE && !this.#list.atEnd) {
      await this.#list.next();
    }
    this.#noteEdits(this.#list.items);
    this.#ended.push(this.#list.live({policy: 'all'}));
  }

  stop() {
    this.#ended.forEach(end => end());
    this.#list.cancel();
  }

  /** Compares the list with the database. Takes at least a second. */
  async check() {
    await new Promise(resolve => setTimeout(resolve, INTERVAL));
    const shown = this.#list.items.slice(0, SIZE).map(versionOf);
    this.#looks = [...this.#looks.slice(-2), shown];
    this.#reads = [...this.#reads.slice(-2), await readStored(2 * SIZE)];
    if (this.#list.liveError) {
      throw this.#list.liveError;
    }
    if (this.#reads.length === 3) {
      this.differences += differencesOf(this.#looks, this.#reads);
    }
    if (this.#delays.length > 0) {
      const delays = this.#delays.splice(0).sort((one, other) => one - other);
      this.points.push({check: this.points.length + 1, median: delays[Math.floor(delays.length / 2)], slowest: delays.at(-1)});
    }
  }

  get summary() {
    const medians = this.points.map(point => point.median).sort((one, other) => one - other);
    const median = medians[Math.floor(medians.length / 2)];
    return `${this.points.length} checks with ${this.changes} changes, ${this.differences} differences. From commit to screen: `
        + `${(median ?? 0).toFixed()} ms in the median, ${Math.max(0, ...this.points.map(point => point.slowest)).toFixed()} ms at most.`;
  }

  #noteEdits(items) {
    items.forEach(item => this.#editedAt.set(item.id, item.edited_at));
  }

  #record({added, changed, removed}) {
    this.changes += added.length + changed.length + removed.length;
    // An item whose agent was renamed has changed, too, but was not edited.
    const edited = changed.filter(item => item.edited_at && item.edited_at !== this.#editedAt.get(item.id)).map(item => Date.parse(item.edited_at));
    this.#noteEdits([...added, ...changed]);
    requestAnimationFrame(() => {
      const now = Date.now() - this.#clockOffset;
      this.#delays.push(...edited.map(at => Math.max(0, now - at)));
    });
  }
}

/** Returns by how many milliseconds this computer's clock is ahead of the database's. */
async function readClockOffset() {
  const samples = [];
  for (let attempt = 0; attempt < 5; attempt++) {
    const sent = Date.now();
    const {at} = await (await fetch('/inbox/lab/horizon')).json();
    const received = Date.now();
    samples.push({duration: received - sent, offset: (sent + received) / 2 - Date.parse(at)});
  }
  return samples.sort((one, other) => one.duration - other.duration)[0].offset;
}

/**
 * Counts the items that did not change between the reads of the database, but differ from what was shown before the last one.
 *
 * @param looks the items that were shown before each of the reads
 */
function differencesOf(looks, reads) {
  const byId = items => new Map(items.map(item => [idOf(item), item]));
  const shown = looks[2];
  const shownById = byId(shown);
  const shownFirst = byId(looks[0]);
  const [first, second, last] = reads.map(byId);
  // An item that no read has found was deleted before the first one, or was committed and deleted between two of them.
  const isStable = id => first.get(id) === second.get(id) && second.get(id) === last.get(id) && (first.has(id) || shownFirst.has(id));
  const stable = reads[2].filter(item => isStable(idOf(item)));
  const end = stable.findLastIndex(item => shownById.has(idOf(item)));
  const missing = stable.slice(0, end + 1).filter(item => shownById.get(idOf(item)) !== item);
  const found = shown.filter(item => isStable(idOf(item)));
  const wrong = found.filter(item => last.get(idOf(item)) !== item);
  const inOrder = stable.filter(item => shownById.get(idOf(item)) === item);
  const moved = found.filter(item => last.get(idOf(item)) === item).filter((item, at) => item !== inOrder[at]);
  return new Set([...missing, ...wrong, ...moved].map(idOf)).size;
}

const idOf = version => version.slice(0, version.indexOf('|'));
