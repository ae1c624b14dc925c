/** The parameters that specify where a page starts. The pages that follow are requested with a cursor instead. */
const START_PARAMETERS = new Set(['cursor', 'from', 'around', 'from_id', 'around_id']);

/** The other parameters of a page, which do not belong to its list. */
const PAGE_PARAMETERS = new Set(['until', 'since', 'limit', 'fields', 'count']);

/** Formats a query string. An array repeats its parameter; null and undefined are omitted. */
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

/** Returns a string that identifies the list with these parameters, regardless of their sequence. */
export function listKey(parameters = {}) {
  return queryOf(Object.fromEntries(Object.entries(parameters).sort(([one], [other]) => (one < other ? -1 : 1))));
}

/**
 * Returns the key of an item as the server writes it: an array if the key has several columns. Undefined if the item
 * does not have all columns of the key.
 */
export function keyOf(item, {key}) {
  const values = key.map(column => item[column]);
  return values.includes(undefined) ? undefined : key.length === 1 ? values[0] : values;
}

export function withoutStart(parameters) {
  return Object.fromEntries(Object.entries(parameters).filter(([name]) => !START_PARAMETERS.has(name)));
}

/** Returns the order and the filters. */
export function listParameters(parameters) {
  return Object.fromEntries(Object.entries(withoutStart(parameters)).filter(([name]) => !PAGE_PARAMETERS.has(name)));
}
