import {lastOf, throwIfAborted} from './platform.js';
import {heldIfEqual, keyText, pageIndexes, placedIn, readMissing} from './refresh.js';
import {isTemporary, unless} from './requests.js';

/** How long the pages of a list must stay the same before the stream of its window is opened again, in milliseconds. */
const DEBOUNCE = 50;

/** The shortest time after a failure to read items before the stream is opened again, in milliseconds. */
const RECOVERY = 1_000;

const POLICIES = {inside: (item, {above}) => !above, all: () => true};

const NO_CHANGES = {added: [], changed: [], removed: [], deleted: []};

/**
 * A window as the server has it at a moment: `keys`, as text and in the list's order, `items` by key, and `placed`, the keys
 * of items that the last event has added or moved.
 */
const windowOf = (keys, items, placed) => ({keys, items, placed});

/** Returns the window after a `page` event. */
export async function applyPage(held, page, list) {
  const keys = (page.keys ?? page.items.map(list.keyOf)).map(keyText);
  const items = new Map(held.items);
  const sent = new Map(page.items.map(item => [keyText(list.keyOf(item)), item]));
  sent.forEach((item, key) => items.set(key, heldIfEqual(item, items.get(key))));
  await readMissing(keys, items, list);
  const current = new Set(keys);
  items.forEach((_, key) => current.has(key) || items.delete(key));
  return windowOf(keys, items, placedIn(keys, held.keys, sent));
}

/**
 * Returns the window after a `change` event. Changes the items of the given one, because a copy of a long list would take
 * milliseconds. Throws if the change does not apply to the window, which then stays as it is.
 */
export function applyChange({keys: before, items}, {removed, placed, items: written}, {keyOf}) {
  const gone = new Set(removed.map(keyText));
  const keys = before.filter(key => !gone.has(key));
  require(keys.length === before.length - gone.size);
  const added = new Set();
  for (const [placedKey, after] of placed) {
    const key = keyText(placedKey);
    const at = keys.indexOf(keyText(after)) + 1;
    require(!keys.includes(key) && (at > 0 || after === null));
    keys.splice(at, 0, key);
    added.add(key);
  }
  const sent = new Map(written.map(item => [keyText(keyOf(item)), item]));
  sent.forEach((_, key) => require((items.has(key) && !gone.has(key)) || keys.includes(key)));
  added.forEach(key => require(sent.has(key)));
  gone.forEach(key => added.has(key) || items.delete(key));
  sent.forEach((item, key) => items.set(key, heldIfEqual(item, items.get(key))));
  return windowOf(keys, items, added);
}

function require(isConsistent) {
  if (!isConsistent) {
    throw new InconsistentChange('the change does not apply');
  }
}

class InconsistentChange extends Error {}

/** Returns the cursors at the gap after the item with this key, `next` and `prev`. Null if the item no longer exists. */
async function gapAfter(key, read) {
  const next = (await unless('anchor_not_found', read({from_id: key, limit: 1})))?.cursors.last;
  return next && {next, prev: (await read({cursor: next, limit: 1})).cursors.top};
}

/**
 * Decides what to show of a window.
 *
 * @param shown the keys that are shown, in sequence
 * @param waiting the keys of the window that are not shown yet, or not at their new places
 * @param kept those of the shown keys that are not at their places in the window
 * @return `shown`, `waiting`, and `kept` for this window
 */
export function arrange({keys, items, placed}, {shown, waiting, kept}, {policy, keepsDeleted}) {
  const known = keys.filter(key => items.has(key));
  const isWaiting = new Set();
  // An item is above the list if only items that wait, are new, or have moved are before it.
  let above = true;
  for (const key of known) {
    const isWaitingNow = waiting.has(key);
    // A deleted item that has come back is shown at once.
    const isDecided = placed.has(key) && (isWaitingNow || !kept.has(key));
    above &&= isWaitingNow || isDecided;
    (isDecided && shown.length > 0 ? !policy(items.get(key), {above}) : isWaitingNow) && isWaiting.add(key);
  }
  const isKept = new Set(shown.filter(key => isWaiting.has(key) || (keepsDeleted && !items.has(key))));
  // A key that is kept stays behind the one that it was behind.
  const following = new Map();
  let previous = null;
  for (const key of shown) {
    if (isKept.has(key)) {
      following.set(previous, [...(following.get(previous) ?? []), key]);
    } else if (items.has(key) && !placed.has(key)) {
      previous = key;
    }
  }
  const all = [];
  for (const key of [null, ...known]) {
    isWaiting.has(key) || all.push(key, ...(following.get(key) ?? []));
  }
  const inSequence = all.slice(1);
  const isInPlace = isKept.size > 0 && inSequence.join() === known.filter(key => !isWaiting.has(key) || isKept.has(key)).join();
  // An item that has moved can be where it was, after the others have moved or are gone.
  isInPlace && isKept.forEach(key => isWaiting.delete(key));
  return {shown: inSequence, waiting: isWaiting, kept: isInPlace ? new Set() : isKept};
}

/**
 * Keeps the pages of a list true with the stream of a window, which begins at the start of the list, or above the first page
 * if the list was started elsewhere, and ends below the last page, or at the first hole.
 *
 * If the window would have more items than the server allows, it ends below an earlier page. If so many items wait that
 * there is no room for a page, it begins above the first page, and the items that wait are no longer counted.
 */
export class Live {
  #list;
  #options;
  #ended = new AbortController();
  #stream = new AbortController();
  #timer = null;
  #window = windowOf([], new Map(), new Set());
  #waiting = new Set();
  #kept = new Set();
  #deleted = new WeakSet();
  #cursors = {top: null, last: null};
  /** The pages that the window covers. */
  #pages = [];
  /** The keys of the items of these pages, in sequence, and by key, each item and the index of its page. */
  #shown = [];
  #places = new Map();
  #room = Infinity;
  #overflow = 0;

  /**
   * @param list has `pages()`; `moment()`, at which or later all items were read; `events(parameters, options)`;
   *     `read(parameters, signal)`; `keyOf(item)`; `publish(changes, moment)`, with null if nothing has changed, or if
   *     there are older items outside the window; `fail(error)`; `restart()`; `setState(state)`; `reads()`, the
   *     promises of the pages that are being read; and `split(page, at, gap)`, which does nothing while a page is
   *     being read
   * @param previous what has kept the same list true until now
   */
  constructor(list, {policy = 'inside', deleted = 'remove', ...options}, previous) {
    this.#list = list;
    this.#options = {...options, policy: POLICIES[policy] ?? policy, keepsDeleted: deleted === 'mark'};
    if (typeof this.#options.policy !== 'function' || !['mark', 'remove'].includes(deleted)) {
      throw new TypeError('"policy" is "inside", "all", or a function, and "deleted" is "remove" or "mark"');
    }
    if (previous) {
      previous.stop();
      this.#window = previous.#window;
      this.#waiting = previous.#waiting;
      this.#kept = previous.#kept;
      this.#deleted = previous.#deleted;
      this.#room = previous.#room;
      this.#overflow = previous.#overflow;
    }
    this.reconnect();
  }

  get waiting() {
    return {count: this.#overflow || this.#waiting.size, capped: this.#overflow > 0};
  }

  isDeleted(item) {
    return this.#deleted.has(item);
  }

  /** Whether the item is shown at another place than in the window, or is deleted. */
  isKept(item) {
    return this.#kept.size > 0 && this.#kept.has(keyText(this.#list.keyOf(item)));
  }

  stop() {
    this.#ended.abort();
    this.#stream.abort();
    clearTimeout(this.#timer);
  }

  /**
   * Opens the stream again, from the newest moment, because the pages of the list have changed. With `forget`, the pages
   * have been read from the start.
   */
  reconnect({forget = false, delay = DEBOUNCE} = {}) {
    this.#stream.abort();
    clearTimeout(this.#timer);
    // The last page can become another one.
    this.#cursors.last = null;
    if (forget) {
      this.#cursors.top = null;
      this.#waiting = new Set();
      this.#kept = new Set();
      this.#room = Infinity;
      this.#overflow = 0;
    }
    this.#cover();
    // An item that waits may have been read with another page.
    this.#waiting = new Set([...this.#waiting].filter(key => this.#kept.has(key) || !this.#places.has(key)));
    const waiting = this.#window.keys.filter(key => this.#waiting.has(key) && this.#window.items.has(key));
    // An item that is kept may since have been written, and have come back on another page.
    const shown = this.#shown.filter(key => !this.#kept.has(key));
    const keys = [...waiting, ...shown];
    const items = new Map(keys.map(key => [key, this.#places.get(key)?.item ?? this.#window.items.get(key)]));
    this.#window = windowOf(keys, items, new Set());
    if (!this.#ended.signal.aborted) {
      this.#timer = setTimeout(() => this.#connect(), delay);
    }
  }

  /** Shows what waits, and removes the deleted items that were kept. Returns false if the list must be started again. */
  showNew() {
    if (!this.#overflow && this.#waiting.size + this.#kept.size > 0) {
      const placed = new Set([...this.#waiting, ...this.#kept]);
      this.#waiting = new Set();
      this.#show({...this.#window, placed}, {policy: POLICIES.all, keepsDeleted: false});
    }
    return !this.#overflow;
  }

  async #connect() {
    const pages = this.#pages;
    if (pages.length === 0) {
      return;
    }
    const {signal} = (this.#stream = new AbortController());
    const isTop = pages[0].prev === null && !this.#overflow;
    const isOpen = pages.length === this.#list.pages().length && lastOf(pages).next === null;
    const parameters = {cursor: isTop ? null : pages[0].top, until: isOpen ? null : lastOf(pages).last, since: this.#list.moment()};
    const list = {keyOf: this.#list.keyOf, read: one => this.#list.read(one, signal)};
    const onState = state => signal.aborted || this.#list.setState(state);
    let held = this.#window;
    try {
      for await (const {event, id, data} of this.#list.events(parameters, {...this.#options, onState, signal})) {
        throwIfAborted(signal);
        if (data.has_more) {
          await Promise.allSettled(this.#list.reads());
          throwIfAborted(signal);
          // A window can be full below its limit, because its size in bytes is limited, too.
          await this.#makeRoom(pages, isTop, data.keys?.map(keyText) ?? applyChange(held, data, list).keys, list);
          return;
        }
        held = event === 'change' ? applyChange(held, data, list) : await applyPage(held, data, list);
        throwIfAborted(signal);
        this.#cursors = {top: isTop ? data.cursors.top : null, last: isOpen ? data.cursors.last : null};
        this.#show(held, this.#options, id ?? data.moment);
      }
    } catch (error) {
      if (signal.aborted) {
        return;
      }
      if (error instanceof InconsistentChange) {
        this.reconnect();
      } else if (error.mustStartAgain) {
        // The cursors have expired, or the feed has been changed.
        this.#restart();
      } else {
        this.#endUnlessTemporary(error);
      }
    }
  }

  #restart() {
    this.#list.restart().catch(error => this.#ended.signal.aborted || this.#endUnlessTemporary(error));
  }

  #endUnlessTemporary(error) {
    if (error.name === 'AbortError') {
      this.reconnect();
    } else if (isTemporary(error) && error.name !== 'TypeError') {
      // The policy, or an item without its key, throws a TypeError.
      this.#list.setState('connecting');
      this.reconnect({delay: Math.max(RECOVERY, (error.retryAfter ?? 0) * 1000)});
    } else {
      this.stop();
      this.#list.fail(error);
    }
  }

  /** Decides which pages the window covers. */
  #cover() {
    const pages = this.#list.pages();
    let left = this.#room - this.#waiting.size;
    const end = pages.findIndex((page, index) => ((left -= page.items.length) <= 0 && index > 0) || pages[index - 1]?.hole);
    this.#pages = pages.slice(0, end < 0 ? pages.length : end);
    this.#places = new Map(this.#pages.flatMap((page, index) => page.items.map(item => [keyText(this.#list.keyOf(item)), {item, index}])));
    this.#shown = [...this.#places.keys()];
  }

  /** @param keys those of the window that has no room for more */
  async #makeRoom(pages, isTop, keys, {keyOf, read}) {
    const [first] = pages;
    const most = keys.length * 0.75;
    // More items can wait than are known.
    this.#room = Math.min(most, (this.#waiting.size + this.#shown.length) / 2);
    if (first.top === null) {
      // Of an empty list that has been filled at once, a page can be shown.
      this.#restart();
      return;
    } else if (first.items.length > Math.max(1, most)) {
      const indexes = first.items.map(item => (this.isKept(item) ? -1 : keys.indexOf(keyText(keyOf(item)))));
      // Only if the item is between the same items in the window as on the page, the gap behind it is between these, too.
      const isInPlace = at => indexes[at] >= 0 && indexes.every((index, other) => index < 0 || other === at || other < at === index < indexes[at]);
      const candidates = [...indexes.keys()].slice(0, -1).filter(isInPlace);
      let gap = null;
      while (!gap && candidates.length > 0) {
        const [at] = candidates.splice(candidates.length >> 1, 1);
        gap = await gapAfter(keyOf(first.items[at]), read);
        gap && this.#list.split(first, at + 1, gap);
      }
      if (!gap) {
        this.#restart();
        return;
      }
    } else if (pages.length === 1 && isTop) {
      this.#overflow = Math.max(1, keys.length - first.items.length);
      this.#waiting = new Set();
      this.#list.publish(NO_CHANGES, null);
    } else if (pages.length === 1) {
      throw new Error('too many items were inserted for a live list: start it again');
    }
    this.reconnect();
  }

  #show(window, options, moment = null) {
    const pages = this.#pages;
    const {shown, waiting, kept} = arrange(window, {shown: this.#shown, waiting: this.#waiting, kept: this.#kept}, options);
    const itemsOfPages = pages.map(() => []);
    const changes = {added: [], changed: [], removed: [], deleted: []};
    for (const key of this.#shown) {
      if (!window.items.has(key) && !kept.has(key)) {
        changes.removed.push(this.#places.get(key).item);
        this.#places.delete(key);
      }
    }
    const indexes = pageIndexes(shown, pages.length - 1, key => (kept.has(key) || !window.placed.has(key) ? this.#places.get(key)?.index : undefined));
    for (const [at, key] of shown.entries()) {
      const place = this.#places.get(key);
      const current = indexes[at];
      const isDeleted = kept.has(key) && !waiting.has(key);
      const item = isDeleted ? this.#markDeleted(place.item) : window.items.get(key);
      itemsOfPages[current].push(item);
      if (item !== place?.item) {
        changes[!place ? 'added' : isDeleted ? 'deleted' : 'changed'].push(item);
      }
      if (item !== place?.item || current !== place.index) {
        this.#places.set(key, {item, index: current});
      }
    }
    pages.forEach((page, index) => Object.assign(page, {items: itemsOfPages[index], moment: moment ?? page.moment}));
    pages[0].top = (waiting.size === 0 && this.#cursors.top) || pages[0].top;
    lastOf(pages).last = this.#cursors.last ?? lastOf(pages).last;
    const isSame = window.placed.size + Object.values(changes).flat().length === 0 && waiting.size === this.#waiting.size;
    this.#window = window;
    this.#shown = shown;
    this.#waiting = waiting;
    this.#kept = kept;
    this.#list.publish(isSame ? null : changes, pages.length === this.#list.pages().length ? moment : null);
  }

  /** Returns another object, so that views show the item again. */
  #markDeleted(item) {
    if (this.#deleted.has(item)) {
      return item;
    }
    const marked = {...item};
    this.#deleted.add(marked);
    return marked;
  }
}
