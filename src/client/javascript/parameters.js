/** The parameters that specify where a page starts. The following pages are reached by cursor. */
const START_PARAMETERS = new Set(['cursor', 'from', 'around', 'from_id', 'around_id']);

/** The other parameters that belong to pages and not to their list. */
const PAGE_PARAMETERS = new Set(['until', 'since', 'limit', 'fields', 'count']);

/** Formats a query string. Arrays repeat the parameter; null and undefined are omitted. */
export function queryOf(parameters) {
  const query = new URLSearchParams();
  for (const [name, values] of Object.entries(parameters)) {
    for (const value of [values].flat()) {
      if (value !== null && value !== undefined) {
        query.append(name, value);
      }
    }
  }
  return query.toString();
}

/** Returns a key that is the same for the same parameters in any order. */
export function listKey(parameters = {}) {
  return queryOf(Object.fromEntries(Object.entries(parameters).sort(([one], [other]) => (one < other ? -1 : 1))));
}

export function withoutJumps(parameters) {
  return Object.fromEntries(Object.entries(parameters).filter(([name]) => !START_PARAMETERS.has(name)));
}

/** Returns the order and the filters. */
export function listParameters(parameters) {
  return Object.fromEntries(Object.entries(withoutJumps(parameters)).filter(([name]) => !PAGE_PARAMETERS.has(name)));
}
