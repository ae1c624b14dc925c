/**
 * Brings the pages of a list up to date, using the `moment` at which each page was read.
 *
 * With `since=<moment>`, the server sends the keys of all items, and only those items that were written since. A kept
 * item can be reused only with the moment of its own page, because the moments of two pages cannot be compared: a
 * replica can lag behind. Therefore, each run of neighbouring pages with the same moment is refreshed separately. After
 * a refresh, the whole list is one run.
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
  const found = await Promise.all(runs.map((run, at) => readRun(run, pages[pages.indexOf(run[0]) - 1], {read, keyOf}, at === 0)));
  return () => {
    runs.forEach((run, at) => apply(run, found[at], keyOf));
    return found[0].newest;
  };
}

/** Returns the runs of neighbouring pages with the same moment, and without a hole between them. */
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

async function readRun(run, before, list, isFirst) {
  const [first, last] = [run[0], run.at(-1)];
  const held = new Map(run.flatMap(page => page.items).map(item => [nameOf(list.keyOf(item)), item]));
  const walk = {since: first.moment, until: last.last, limit: held.size + SLACK};
  if (isFirst && first.prev === null) {
    const all = await readAll({}, walk, held, list, true);
    if (all.isComplete) {
      return all;
    }
    // There is more above the run than is worth reading now.
    const rest = await readAll(await behind(first.top, list), walk, held, list);
    return {...rest, newest: newestPage(all, first.top)};
  }
  return readAll(before && !before.hole ? {cursor: before.last} : await behind(first.top, list), walk, held, list);
}

/** Returns the place from which to read forward the items that follow a backward cursor. */
async function behind(top, {read}) {
  const {cursors} = await read({cursor: top, limit: 1});
  return {cursor: cursors.last};
}

/** Reads to the end of a run. With `canStop`, stops after a page on which no item has kept its position. */
async function readAll(place, walk, held, list, canStop = false) {
  const all = {items: [], unmoved: new Set(), top: null, prev: null, last: null, next: null, moment: null, isComplete: false, newest: null};
  for (let start = place; ; start = {cursor: all.next}) {
    const body = await readSince({...start, ...walk}, list.read);
    const sent = new Map(body.items.map(item => [nameOf(list.keyOf(item)), item]));
    const keys = body.keys ?? body.items.map(list.keyOf);
    for (const key of keys) {
      const name = nameOf(key);
      const item = sent.get(name) ?? held.get(name) ?? (await readOne(key, list));
      if (item) {
        const copy = held.get(name);
        all.items.push(copy && JSON.stringify(copy) === JSON.stringify(item) ? copy : item);
      }
      held.has(name) && !sent.has(name) && all.unmoved.add(name);
    }
    if (all.moment === null) {
      Object.assign(all, {top: body.cursors.top, prev: body.prev_cursor, moment: body.moment ?? null});
    }
    Object.assign(all, {next: body.next_cursor, last: body.cursors.last, isComplete: body.next_cursor === null});
    if (all.isComplete || (canStop && !keys.some(key => all.unmoved.has(nameOf(key))))) {
      return all;
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

/**
 * Reads an item that the server did not send, because it became visible without being written. Returns null if it no
 * longer exists.
 */
async function readOne(key, {read, keyOf}) {
  try {
    const {items} = await read({from_id: key, limit: 1});
    return items.find(item => nameOf(keyOf(item)) === nameOf(key)) ?? null;
  } catch (error) {
    if (error.code !== 'anchor_not_found') {
      throw error;
    }
    return null;
  }
}

function newestPage({items, top, last, next, moment}, until) {
  return {items, place: {}, prev: null, next, top, last, hole: {cursor: next, until}, moment};
}

/**
 * Assigns each item to the page of the nearest item above it that has kept its position. Only the bookmarks of the
 * first page change.
 */
function apply(run, {items, unmoved, top, prev, moment}, keyOf) {
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
}
