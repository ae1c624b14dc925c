import {lastOf} from './platform.js';
import {unless} from './requests.js';

/**
 * Brings the pages of a list up to date, using the `moment` at which each page was read. Pages without a moment are read
 * again completely.
 *
 * With `since=<moment>`, the server sends the keys of all items of a page, and only those items that may have been written
 * since.
 * A held item can be reused only if `since` was the moment of the page that the item came from. The moments of two pages
 * cannot be compared, because the pages can come from two hosts, one of which lags behind. Therefore, each run of
 * adjacent pages with the same moment is refreshed separately. If nothing is written while the runs are read, all pages
 * have the same moment afterwards.
 */

/** The number of new items that a request has room for, besides the items that are held. */
const ROOM_FOR_NEW_ITEMS = 100;

export const keyText = key => JSON.stringify(key);

/**
 * Reads all pages again. Changes no page, so a failure leaves the list as it is.
 *
 * @param read reads a page of the list with these parameters
 * @param keyOf returns the key of an item as the server writes it
 * @param isKept whether an item has moved or was deleted, and is still shown at its old place
 * @return a function that changes the pages, and returns a new page to put before them, or null
 */
export async function prepareRefresh(pages, list) {
  const runs = runsOf(pages);
  const results = await Promise.all(runs.map((run, at) => {
    const before = pages[pages.indexOf(run[0]) - 1];
    return readRun(run, before, list, {isFirst: at === 0, isLast: at === runs.length - 1});
  }));
  return () => {
    runs.forEach((run, at) => applyToRun(run, results[at], list.keyOf));
    return results[0].newest;
  };
}

/** Returns the runs of adjacent pages with the same moment, and without a hole between them. */
function runsOf(pages) {
  const runs = [];
  let previous = null;
  for (const page of pages) {
    if (previous && previous.moment === page.moment && !previous.hole) {
      lastOf(runs).push(page);
    } else {
      runs.push([page]);
    }
    previous = page;
  }
  return runs;
}

async function readRun(run, before, list, {isFirst, isLast}) {
  const [first, last] = [run[0], lastOf(run)];
  const held = new Map(run.flatMap(page => page.items).filter(item => !list.isKept(item)).map(item => [keyText(list.keyOf(item)), item]));
  const runParameters = {since: first.moment, until: last.last, limit: held.size + ROOM_FOR_NEW_ITEMS};
  // Items may have been appended to a list that was read to its end.
  const isOpen = isLast && last.next === null;
  if (isFirst && first.prev === null) {
    const fromTop = await readItems({}, runParameters, held, list, {isOpen, canStop: first.top !== null});
    if (fromTop.isComplete) {
      return fromTop;
    }
    // So many items were added above the held ones that not all of them are read now.
    const rest = await readItems(await forwardStart(first.top, list), runParameters, held, list, {isOpen});
    return {...rest, newest: newestPage(fromTop, first.top)};
  }
  return readItems(before && !before.hole ? {cursor: before.last} : await forwardStart(first.top, list), runParameters, held, list, {isOpen});
}

/** Returns parameters for reading forward from the position of a backward cursor. */
export async function forwardStart(top, {read}) {
  const {cursors} = await read({cursor: top, limit: 1});
  return {cursor: cursors.last};
}

/**
 * Reads to the end of a run. With `canStop`, stops after a response in which no item has kept its position. If the run
 * was the end of the list (`isOpen`), the first response can go beyond the run, and `end` has the cursors at the run's new end.
 */
async function readItems(start, runParameters, held, list, {isOpen, canStop = false}) {
  const result = {items: [], unmoved: new Set()};
  const found = new Map(held);
  let isSearch = false;
  for (let isFirst = true; ; isFirst = false) {
    const parameters = isFirst ? start : {cursor: result.next};
    const body = await readSince({...parameters, ...runParameters, until: isOpen && isFirst ? null : runParameters.until}, list.read);
    const sent = new Map(body.items.map(item => [keyText(list.keyOf(item)), item]));
    const keys = (body.keys ?? body.items.map(list.keyOf)).map(keyText);
    sent.forEach((item, key) => found.set(key, heldIfEqual(item, held.get(key))));
    await readMissing(keys, found, list);
    result.items.push(...keys.filter(key => found.has(key)).map(key => found.get(key)));
    // Without `since`, all items are sent, and an item counts as unmoved if it is unchanged.
    const isUnmoved = key => held.has(key) && (body.keys ? !sent.has(key) : found.get(key) === held.get(key));
    keys.filter(isUnmoved).forEach(key => result.unmoved.add(key));
    if (isFirst) {
      Object.assign(result, {prev: body.prev_cursor, moment: body.moment ?? null});
    }
    // The first pages of a search can have no items, and so no top of their own.
    result.top ??= keys.length > 0 ? body.cursors.top : null;
    isSearch ||= body.partial;
    // An empty response is beyond the run, or a part of a search.
    if (isOpen && (isFirst || isSearch || keys.length > 0)) {
      // If `until` ended the response, it is unknown what follows.
      const next = isFirst ? body.next_cursor : (body.next_cursor ?? runParameters.until);
      result.end = {last: next ?? body.cursors.last ?? runParameters.until, next};
    }
    Object.assign(result, {next: body.next_cursor, isComplete: body.next_cursor === null});
    // A partial page of a search says nothing about the items beyond it.
    if (result.isComplete || (canStop && !body.partial && !keys.some(key => result.unmoved.has(key)))) {
      return result;
    }
  }
}

/** Returns the held item if it equals the item that was sent, else the latter, so that unchanged items remain the same objects. */
export const heldIfEqual = (sent, held) => (held && JSON.stringify(held) === JSON.stringify(sent) ? held : sent);

/**
 * Reads the items that are neither held nor sent, for example because they became visible without being written. Items
 * that no longer exist are not added.
 */
export async function readMissing(keys, found, {read, keyOf}) {
  for (let at = 0; at < keys.length; at++) {
    let end = at;
    while (end < keys.length && !found.has(keys[end])) {
      end++;
    }
    if (end > at) {
      const items = await readFrom(JSON.parse(keys[at]), end - at, read);
      items.forEach(item => found.has(keyText(keyOf(item))) || found.set(keyText(keyOf(item)), item));
    }
  }
}

/** Reads a page with `since`. If the server no longer accepts the moment, reads all items of the page. */
async function readSince(parameters, read) {
  try {
    return await read(parameters);
  } catch (error) {
    if (error.parameter !== 'since') {
      throw error;
    }
    return read({...parameters, since: null});
  }
}

/** Reads the item with this key and those that follow it. Returns no items if the one with this key no longer exists. */
async function readFrom(key, limit, read) {
  return (await unless('anchor_not_found', read({from_id: key, limit})))?.items ?? [];
}

function newestPage({items, top, next, moment}, until) {
  return {items, parameters: {}, prev: null, next, top, last: next, hole: {cursor: next, until}, moment, partial: false};
}

/**
 * Returns the index of the page of each key. An item that has kept its place stays on its page, and any other is put on the page of
 * the nearest such item below it: the page above ends at a gap that can be above the item, and the window of a live list can end
 * there later.
 *
 * @param last the index of the last page
 * @param indexOf returns the index of the page of an item that has kept its place, or undefined
 */
export function pageIndexes(keys, last, indexOf) {
  const indexes = [];
  for (let at = keys.length - 1, index = last; at >= 0; at--) {
    index = Math.min(index, indexOf(keys[at]) ?? index);
    indexes[at] = index;
  }
  return indexes;
}

/**
 * Returns the keys that are new, or stand elsewhere among the others than before. An item that was not written has not
 * moved.
 */
export function placedIn(keys, before, sent) {
  const indexes = new Map(before.map((key, index) => [key, index]));
  const bounds = [];
  let bound = Infinity;
  for (let at = keys.length - 1; at >= 0; at--) {
    bounds[at] = bound;
    bound = indexes.has(keys[at]) && !sent.has(keys[at]) ? indexes.get(keys[at]) : bound;
  }
  let last = -1;
  const isUnmoved = (key, at) => {
    const index = indexes.get(key);
    const isInSequence = index > last && index < bounds[at];
    last = isInSequence ? index : last;
    return isInSequence;
  };
  return new Set(keys.filter((key, at) => !isUnmoved(key, at)));
}

/** Puts the items on pages. Of the cursors, changes only those at the start of the run and, if the run is open, those at its end. */
function applyToRun(run, {items, unmoved, top, prev, moment, end}, keyOf) {
  const before = new Map(run.flatMap((page, index) => page.items.map(item => [keyText(keyOf(item)), index])));
  const keys = items.map(item => keyText(keyOf(item)));
  const placed = placedIn(keys, [...before.keys()], new Set(keys.filter(key => !unmoved.has(key))));
  // The stream of a live list can have removed the item from its page meanwhile.
  const indexes = pageIndexes(keys, run.length - 1, key => (placed.has(key) ? undefined : before.get(key)));
  const itemsOfPages = run.map(() => []);
  items.forEach((item, at) => itemsOfPages[indexes[at]].push(item));
  run.forEach((page, index) => Object.assign(page, {items: itemsOfPages[index], moment}));
  Object.assign(run[0], {top: prev ?? top ?? run[0].top, prev});
  Object.assign(lastOf(run), end);
}
