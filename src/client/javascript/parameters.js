/** The parameters that specify where a page starts. The pages that follow are requested with a cursor instead. */
const START_PARAMETERS = new Set(['cursor', 'from', 'around', 'from_id', 'around_id']);

/** The other parameters of a page, which do not belong to its list. */
const PAGE_PARAMETERS = new Set(['until', 'since', 'limit', 'fields', 'count']);

/** Formats a query string. An array repeats its parameter; null and undefined are omitted. */
export const queryOf = parameters => Object.entries(parameters).flatMap(([name, values]) =>
  [values].flat().filter(value => value != null).map(value => `${encode(name)}=${encode(value)}`)).join('&');

/** Encodes what is half a character, too. The `URLSearchParams` of React Native did not encode for years. */
const encode = text => encodeURIComponent(String(text).replace(/[\ud800-\udfff]/gu, '\ufffd'));

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
