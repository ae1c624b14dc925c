/**
 * Brings the pages of a list up to date, using the `moment` at which each page was read.
 *
 * With `since=<moment>`, the server sends the keys of all items, and only those items that were written since. A kept
 * item can be reused only with the moment of its own page, because the moments of two pages cannot be compared: a
 * replica can lag behind. Therefore, each run of adjacent pages with the same moment is refreshed separately. If
 * nothing is written meanwhile, the runs become one.
 */

/** The number of new rows that a request has room for. */
const SLACK = 100;

const nameOf = key => JSON.stringify(key);

/**
 * Reads all pages again. Changes nothing before everything has been read, so a failure leaves the list as it is.
 *
 * @param read reads a page of the list with these parameters
 * @param keyOf returns the key of an item as the server writes it
 * @return a function that changes the pages, and returns a page to put before them, or null
 */
export async function refreshRange(pages, {read, keyOf}) {
  const runs = runsOf(pages);
  const found = await Promise.all(runs.map((run, at) => {
    const before = pages[pages.indexOf(run[0]) - 1];
    return readRun(run, before, {read, keyOf}, {isFirst: at === 0, isLast: at === runs.length - 1});
  }));
  return () => {
    runs.forEach((run, at) => apply(run, found[at], keyOf));
    return found[0].newest;
  };
}

/** Returns the runs of adjacent pages with the same moment, and without a hole between them. */
function runsOf(pages) {
  const runs = [];
  let before = null;
  for (const page of pages) {
    if (before && before.moment === page.moment && !before.hole) {
      runs.at(-1).push(page);
    } else {
      runs.push([page]);
    }
    before = page;
  }
  return runs;
}

async function readRun(run, before, list, {isFirst, isLast}) {
  const [first, last] = [run[0], run.at(-1)];
  const held = new Map(run.flatMap(page => page.items).map(item => [nameOf(list.keyOf(item)), item]));
  const walk = {since: first.moment, until: last.last, limit: held.size + SLACK};
  // Items may have been appended to a list that was read to its end.
  const isOpen = isLast && last.next === null;
  if (isFirst && first.prev === null) {
    const all = await readAll({}, walk, held, list, {isOpen, canStop: true});
    if (all.isComplete) {
      return all;
    }
    // Too many items were added above the kept ones to read all of them now.
    const rest = await readAll(await startBehind(first.top, list), walk, held, list, {isOpen});
    return {...rest, newest: newestPage(all, first.top)};
  }
  return readAll(before && !before.hole ? {cursor: before.last} : await startBehind(first.top, list), walk, held, list, {isOpen});
}

/** Returns the parameters with which to read forward the items that follow a backward cursor. */
async function startBehind(top, {read}) {
  const {cursors} = await read({cursor: top, limit: 1});
  return {cursor: cursors.last};
}

/**
 * Reads to the end of a run. With `canStop`, stops after a page on which no item has kept its position. If the run is
 * open, its first page can go beyond the end of the run, and `end` has the new end.
 */
async function readAll(start, walk, held, list, {isOpen, canStop = false}) {
  const all = {items: [], unmoved: new Set(), top: null, prev: null, last: null, next: null, moment: null, isComplete: false, newest: null, end: null};
  const found = new Map(held);
  for (let isFirst = true; ; isFirst = false) {
    const parameters = isFirst ? start : {cursor: all.next};
    const body = await readSince({...parameters, ...walk, until: isOpen && isFirst ? null : walk.until}, list.read);
    const sent = new Map(body.items.map(item => [nameOf(list.keyOf(item)), item]));
    const names = (body.keys ?? body.items.map(list.keyOf)).map(nameOf);
    sent.forEach((item, name) => found.set(name, copyOf(item, held.get(name))));
    await findMissing(names, found, list);
    all.items.push(...names.filter(name => found.has(name)).map(name => found.get(name)));
    names.filter(name => held.has(name) && !sent.has(name)).forEach(name => all.unmoved.add(name));
    if (isFirst) {
      Object.assign(all, {top: body.cursors.top, prev: body.prev_cursor, moment: body.moment ?? null});
    }
    if (isOpen && (isFirst || names.length > 0)) {
      // What follows the end of the run is unknown if the page ends there because of `until`.
      all.end = {last: body.cursors.last ?? walk.until, next: isFirst ? body.next_cursor : (body.next_cursor ?? walk.until)};
    }
    Object.assign(all, {next: body.next_cursor, last: body.cursors.last, isComplete: body.next_cursor === null});
    if (all.isComplete || (canStop && !names.some(name => all.unmoved.has(name)))) {
      return all;
    }
  }
}

/** Returns the copy that the list has if it is equal to the item, so that unchanged items remain the same objects. */
const copyOf = (item, copy) => (copy && JSON.stringify(copy) === JSON.stringify(item) ? copy : item);

/**
 * Reads the items that the server did not send, because they became visible without being written. Items that no
 * longer exist are not added.
 */
async function findMissing(names, found, {read, keyOf}) {
  for (let at = 0; at < names.length; at++) {
    let end = at;
    while (end < names.length && !found.has(names[end])) {
      end++;
    }
    if (end > at) {
      const items = await readFrom(JSON.parse(names[at]), end - at, read);
      items.forEach(item => found.has(nameOf(keyOf(item))) || found.set(nameOf(keyOf(item)), item));
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

/** Reads items from the one with this key on. Returns none if it no longer exists. */
async function readFrom(key, limit, read) {
  try {
    return (await read({from_id: key, limit})).items;
  } catch (error) {
    if (error.code !== 'anchor_not_found') {
      throw error;
    }
    return [];
  }
}

function newestPage({items, top, last, next, moment}, until) {
  return {items, parameters: {}, prev: null, next, top, last, hole: {cursor: next, until}, moment};
}

/**
 * Assigns each item to the page of the nearest item above it that has kept its position. Only the cursors at the start
 * of the run change, and those at an open end.
 */
function apply(run, {items, unmoved, top, prev, moment, end}, keyOf) {
  const pageOf = new Map(run.flatMap((page, at) => page.items.map(item => [nameOf(keyOf(item)), at])));
  const parts = run.map(() => []);
  let at = 0;
  for (const item of items) {
    const name = nameOf(keyOf(item));
    at = unmoved.has(name) ? Math.max(at, pageOf.get(name)) : at;
    parts[at].push(item);
  }
  run.forEach((page, index) => Object.assign(page, {items: parts[index], moment}));
  Object.assign(run[0], {top: top ?? run[0].top, prev});
  Object.assign(run.at(-1), end);
}
