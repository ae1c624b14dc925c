import { read } from './paths.js'

/**
 * The order of a list.
 *
 * @typedef {{path: string, type: 'auto'|'time'|'number'|'text'|'boolean', descending: boolean, nullsFirst: boolean|null}} OrderColumn
 */

const TYPES = new Set(['time', 'number', 'text', 'boolean'])

/** Parses `created_at time desc nulls last`. Without `nulls …`, the kit makes no claim where nulls stand. */
export function parseOrderColumn(text) {
  const [path, ...words] = text.trim().split(/\s+/)
  const column = { path, type: 'auto', descending: false, nullsFirst: null }
  for (let i = 0; i < words.length; i++) {
    const word = words[i].toLowerCase()
    if (TYPES.has(word)) column.type = word
    else if (word === 'desc') column.descending = true
    else if (word === 'nulls' && /^(first|last)$/i.test(words[i + 1] ?? '')) column.nullsFirst = words[++i].toLowerCase() === 'first'
    else if (word !== 'asc') throw new Error(`"${text}" is no order: "${words[i]}" is not a type, asc, desc, or nulls first|last`)
  }
  return column
}

export function formatOrder(columns) {
  return columns.map((c) => c.path + (c.type === 'auto' ? '' : ` ${c.type}`) + (c.descending ? ' desc' : '')
    + (c.nullsFirst === null ? '' : ` nulls ${c.nullsFirst ? 'first' : 'last'}`))
}

/** The values of an item in an order; undefined for a value that the item does not show. */
export function orderValues(columns, item) {
  return columns.map((column) => read(item, column.path))
}

/**
 * Compares two places.
 *
 * @param {OrderColumn[]} columns
 * @returns {number|undefined} below 0, 0, or above 0; undefined if the kit cannot tell
 */
export function compare(columns, a, b) {
  for (let i = 0; i < columns.length; i++) {
    const result = compareColumn(columns[i], a[i], b[i])
    if (result !== 0) return result
  }
  return 0
}

function compareColumn(column, a, b) {
  if (a === undefined || b === undefined) return undefined
  if (a === null || b === null) {
    if (a === b) return 0
    if (column.nullsFirst === null) return undefined
    return (a === null) === column.nullsFirst ? -1 : 1
  }
  const result = compareValues(column.type, a, b)
  if (result === 0 && column.coarse) return undefined
  return result === undefined ? undefined : column.descending ? -result : result
}

/** Compares two values that are not null. */
export function compareValues(type, a, b) {
  if (type === 'auto') type = [a, b].every(isNumber) ? 'number' : [a, b].every((v) => microseconds(v) !== null) ? 'time' : 'text'
  switch (type) {
    case 'number':
      return isNumber(a) && isNumber(b) ? compareNumbers(a, b) : undefined
    case 'time': {
      const [x, y] = [microseconds(a), microseconds(b)]
      return x === null || y === null ? undefined : x < y ? -1 : x > y ? 1 : 0
    }
    case 'boolean':
      return Number(a) - Number(b)
    default: {
      const [x, y] = [String(a), String(b)]
      if (x === y) return 0
      // How other texts compare depends on the collation.
      const comparable = /^[a-z0-9]+$/.test(x) && /^[a-z0-9]+$/.test(y) || isUuid(x) && isUuid(y)
      return comparable ? (x < y ? -1 : 1) : undefined
    }
  }
}

function isUuid(text) {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)
}

function isNumber(value) {
  return typeof value === 'number' || (typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value))
}

function compareNumbers(a, b) {
  if (/^-?\d+$/.test(String(a)) && /^-?\d+$/.test(String(b))) {
    const [x, y] = [BigInt(a), BigInt(b)]
    return x < y ? -1 : x > y ? 1 : 0
  }
  return Math.sign(Number(a) - Number(b))
}

const TIME = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d+))?)?\s*(Z|[+-]\d\d(?::?\d\d)?)?)?$/

/** The microseconds since 1970 of a date or time, or null if the value is none. A time without a zone counts as UTC. */
export function microseconds(value) {
  const match = typeof value === 'string' ? TIME.exec(value) : null
  if (!match) return null
  const [, year, month, day, hour = 0, minute = 0, second = 0, fraction = '', zone = 'Z'] = match
  const milliseconds = Date.UTC(year, month - 1, day, hour, minute, second)
  let offset = 0
  if (zone !== 'Z') {
    const digits = zone.slice(1).replace(':', '')
    offset = (Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2) || 0)) * (zone[0] === '-' ? -1 : 1)
  }
  return BigInt(milliseconds - offset * 60_000) * 1000n + BigInt(fraction.slice(0, 6).padEnd(6, '0') || 0)
}

/**
 * Guesses the order of a list from its items, as they were read at a time when nobody wrote. Several columns may explain
 * the sequence; a number that only grows, such as the key, is the safest explanation, because times that the API sets may be
 * equal or out of sequence. A second column is guessed only if ties of the first are among the items.
 *
 * @param {any[]} items
 * @param {string} keyPath
 * @returns {OrderColumn[]|null}
 */
export function guessOrder(items, keyPath) {
  if (items.length < 2) return null
  const candidates = []
  for (const path of new Set([keyPath, 'id', ...scalarPaths(items)])) {
    const values = items.map((item) => read(item, path))
    if (values.includes(undefined) || values.every((value) => value === values[0])) continue
    for (const descending of [false, true]) {
      for (const nullsFirst of values.includes(null) ? [false, true] : [null]) {
        const lead = { path, type: 'auto', descending, nullsFirst }
        if (!ascends([lead], items, false)) continue
        if (ascends([lead], items, true)) candidates.push([lead])
        for (const down of path === keyPath ? [] : [descending, !descending]) {
          const columns = [lead, { path: keyPath, type: 'auto', descending: down, nullsFirst: null }]
          if (!ascends([lead], items, true) && ascends(columns, items, true)) candidates.push(columns)
        }
      }
    }
  }
  const rank = ([lead, ...more]) => {
    const time = microseconds(firstValue(items, lead.path)) !== null
    return more.length ? (time ? 1 : 2) : !time && lead.path === keyPath ? 0 : lead.path === 'id' ? 0 : time ? 3 : 4
  }
  candidates.sort((a, b) => rank(a) - rank(b))
  return candidates[0] ?? null
}

function firstValue(items, path) {
  return items.map((item) => read(item, path)).find((value) => value !== null && value !== undefined)
}

function ascends(columns, items, strictly) {
  for (let i = 1; i < items.length; i++) {
    const result = compare(columns, orderValues(columns, items[i - 1]), orderValues(columns, items[i]))
    if (result === undefined || result > 0 || (strictly && result === 0)) return false
  }
  return true
}

function scalarPaths(items, prefix = '', depth = 0) {
  const paths = []
  for (const [name, value] of Object.entries(items[0] ?? {})) {
    if (name.includes('.')) continue
    const path = prefix + name
    if (value !== null && typeof value === 'object') {
      if (depth < 1 && !Array.isArray(value)) paths.push(...scalarPaths([value], `${path}.`, depth + 1))
    } else {
      paths.push(path)
    }
  }
  return paths
}
