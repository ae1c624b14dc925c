import {withoutStart} from './parameters.js';

/**
 * Reads one page as a Relay connection: `{edges: [{node, cursor}], pageInfo}`.
 *
 * Pass `pageInfo.endCursor` as `after`, and `pageInfo.startCursor` as `before`. These cursors stay valid when rows are
 * deleted. The first and the last edge have these cursors; a single edge has the end cursor. All other edges have null,
 * because Tidemark's cursors belong to the ends of pages.
 *
 * @param args `first` and `after`, or `last` and `before`, as in the specification of connections
 */
export async function connection(feed, parameters = {}, {first, after, last, before} = {}, options = {}) {
  if ((last ?? null) !== null && !before) {
    throw new TypeError('"last" needs "before": read the end of a list in the opposite order');
  }
  if (before && (after || (first ?? null) !== null)) {
    throw new TypeError('"before" can be used only with "last"');
  }
  const cursor = before ? untag(before, '<', 'before') : after ? untag(after, '>', 'after') : null;
  const position = cursor === null ? parameters : {...withoutStart(parameters), cursor};
  const page = await feed.page({...position, limit: last ?? first ?? parameters.limit}, options);
  return toConnection(page);
}

/** Converts a page to a connection. */
export function toConnection({items, has_more, has_prev, cursors}) {
  const startCursor = tag('<', cursors.top);
  const endCursor = tag('>', cursors.last);
  return {
    edges: items.map((node, at) => ({
      node,
      cursor: at === items.length - 1 ? endCursor : at === 0 ? startCursor : null,
    })),
    pageInfo: {hasNextPage: has_more, hasPreviousPage: has_prev, startCursor, endCursor},
  };
}

/**
 * Returns an async iterator of connections: of a `FeedList` at once and after each change, while the list is live. For the
 * resolver of a GraphQL subscription. The list stops being live when the iteration ends.
 *
 * @param liveOptions the options of `FeedList.live`
 */
export function liveConnections(list, liveOptions) {
  let [isChanged, isEnded, wake] = [true, false, () => {}];
  const unsubscribe = list.subscribe(() => {
    isChanged = true;
    wake();
  });
  const stop = list.live(liveOptions);
  const end = async () => {
    isEnded = true;
    unsubscribe();
    stop();
    wake();
    return {done: true, value: undefined};
  };
  const next = async () => {
    if (list.pages.length === 0) {
      await list.next().catch(async error => {
        // After a failure, `for await` does not call `return`.
        await end();
        throw error;
      });
    }
    while (!isChanged && !isEnded) {
      await new Promise(resolve => (wake = resolve));
    }
    if (isEnded) {
      return {done: true, value: undefined};
    }
    isChanged = false;
    if (list.liveError) {
      await end();
      throw list.liveError;
    }
    const {items, top, last} = list;
    return {done: false, value: toConnection({items, has_more: !list.atEnd, has_prev: !list.atStart, cursors: {top, last}})};
  };
  return {
    next,
    return: end,
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/** Marks a cursor with its direction, so that a start cursor cannot be used as an end cursor. */
const tag = (direction, cursor) => cursor && direction + cursor;

function untag(cursor, direction, name) {
  if (cursor[0] !== direction) {
    throw new TypeError(`the cursor does not belong to "${name}"`);
  }
  return cursor.slice(1);
}
