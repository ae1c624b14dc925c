import {withoutJumps} from './parameters.js';

/**
 * Reads one page as a connection of Relay: `{edges: [{node, cursor}], pageInfo}`.
 *
 * `pageInfo.endCursor` is for `after`, and `pageInfo.startCursor` for `before`; they are valid forever, also when their rows
 * are deleted. The first and the last edge have these cursors, and the edges between them have null, as Tidemark's cursors
 * belong to the ends of pages.
 *
 * @param args `first` and `after`, or `last` and `before`, as in the specification of connections
 */
export async function connection(feed, parameters = {}, {first, after, last, before} = {}, options = {}) {
  if ((last ?? null) !== null && !before) {
    throw new TypeError('"last" needs "before": read the end of a list in the opposite order');
  }
  if (before && (after || (first ?? null) !== null)) {
    throw new TypeError('"before" goes with "last" only');
  }
  const cursor = before ? untagged(before, '<', 'before') : after ? untagged(after, '>', 'after') : null;
  const place = cursor === null ? parameters : {...withoutJumps(parameters), cursor};
  const page = await feed.page({...place, limit: last ?? first ?? parameters.limit}, options);
  return toConnection(page);
}

/** Shows a page as a connection. */
export function toConnection({items, has_more, has_prev, cursors}) {
  const startCursor = tagged('<', cursors.top);
  const endCursor = tagged('>', cursors.last);
  return {
    edges: items.map((node, at) => ({
      node,
      cursor: at === items.length - 1 ? endCursor : at === 0 ? startCursor : null,
    })),
    pageInfo: {hasNextPage: has_more, hasPreviousPage: has_prev, startCursor, endCursor},
  };
}

/** The mark of its direction prevents that a start cursor is taken for an end cursor. */
const tagged = (direction, cursor) => cursor && direction + cursor;

function untagged(cursor, direction, name) {
  if (cursor[0] !== direction) {
    throw new TypeError(`the cursor does not belong to "${name}"`);
  }
  return cursor.slice(1);
}
