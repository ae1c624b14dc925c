import { compare, compareValues, microseconds } from './order.js'
import { read } from './paths.js'

/**
 * The oracle: judges a walk by the history of the kit's own writes, and by nothing else.
 *
 * The kit makes the writes, so it knows for each of its rows the interval in which the row surely stood, unmoved: from
 * the end of the call that placed it to the start of the call that moved or deleted it. A walk passes a row's place between
 * two calls: the one that gave the place before it, and the one that gave a place behind it. A row that surely stood
 * from the start of the first to the end of the second must have been shown.
 *
 * An API that reads from replicas may answer with a state as old as its lag. But a walk never goes back in time: if a page
 * shows a write, this page and those after it include all writes that had ended when that write started.
 *
 * @typedef {{start: number, end: number}} Call when a call was made; `end` is Infinity if its outcome is unknown
 *
 * @typedef {object} Version one stay of a row at one place
 * @property {Record<string, any>} fields the values that the kit wrote
 * @property {any} [item] the item as the API has shown it at this place
 * @property {Call} from the call that placed the row here
 * @property {Call|null} to the call that moved or deleted it
 *
 * @typedef {{key: string, versions: Version[]}} Row
 *
 * @typedef {object} Walk
 * @property {number} id
 * @property {'next'|'previous'} direction
 * @property {(import('./list.js').Page & Call & {event: number})[]} pages in the sequence in which they were read
 * @property {any[]|null} origin the values of the item from which a walk back starts, or behind which, if it starts from an
 *   empty page; null for a walk from an end of the list
 * @property {import('./list.js').Item} [originItem] the item from which a walk back starts
 * @property {boolean} ended whether the API said that the list ends here
 *
 * @typedef {{check: string, message: string, key?: string, walk?: number, events: number[]}} Violation
 */

/**
 * @param {Walk} walk
 * @param {Map<string, Row>} rows
 * @param {import('./list.js').List} list
 * @param {number} [lag] how old a state may be that the API answers with, in ms
 * @returns {Violation[]}
 */
export function judge(walk, rows, list, lag = 0) {
  const reading = new Reading(walk, rows, list, lag)
  return [...reading.sizes(), ...reading.repeats(), ...reading.disorder(), ...reading.ghosts(), ...reading.gaps()]
}

/** The values of a version in the list's order. */
export function placeOf(version, row, list) {
  return list.order.map(({ path }) => {
    if (path === list.dialect.key) return row.key
    const shown = version.item === undefined ? undefined : read(version.item, path)
    if (shown !== undefined) return shown
    return version.fields[path] ?? (path in version.fields ? null : version.fields[path.split('.').at(-1)])
  })
}

/** Whether a version belongs to the list: its filter accepts the values. */
export function belongs(version, list) {
  return Object.entries(list.where).every(([field, value]) => version.fields[field] === value)
}

class Reading {
  constructor(walk, rows, list, lag) {
    this.walk = walk
    this.rows = rows
    this.list = list
    this.pages = walk.pages.map((page) => ({ ...page, items: walk.direction === 'previous' ? page.items.toReversed() : page.items }))
    this.showings = new Map()
    this.pages.forEach((page, index) => page.items.forEach((item) => {
      const before = this.showings.get(item.key) ?? []
      this.showings.set(item.key, [...before, { index, item }])
    }))
    this.since = this.#since(lag)
  }

  /** For each page, a time: the page includes all writes that had ended then. */
  #since(lag) {
    let latest = -Infinity
    return this.pages.map(({ start, items }) => {
      const shown = items.map((item) => this.#placedAt(item))
      latest = Math.min(start, Math.max(start - lag, latest, ...shown))
      return latest
    })
  }

  /** When the write started, at the earliest, that an item shows. */
  #placedAt({ key, values }) {
    const row = this.rows.get(key)
    if (!row) return -Infinity
    const possible = row.versions.filter((version) => !compare(this.list.order, placeOf(version, row, this.list), values))
    return Math.min(...(possible.length ? possible : row.versions).map(({ from }) => from.start))
  }

  /** Compares in the direction of reading. */
  compare(a, b) {
    const result = compare(this.list.order, a, b)
    return result === undefined ? undefined : this.walk.direction === 'previous' ? -result : result
  }

  violation(check, message, pages, key) {
    const events = [...new Set(pages)].filter((i) => this.pages[i]).map((i) => this.pages[i].event)
    return { check, message, key, walk: this.walk.id, events, pages: [...new Set(pages)] }
  }

  * sizes() {
    for (const [index, page] of this.pages.entries()) {
      const limit = Math.min(page.limit, this.list.maxLimit)
      if (page.items.length > page.limit) {
        yield this.violation('limit', `asked for ${page.limit} items, got ${page.items.length}`, [index])
      }
      const more = this.walk.direction === 'next' ? page.next : page.previous
      // Where the kit counts, it has concluded the end from the number of items.
      const counted = this.list.dialect.flags === 'none' && this.list.dialect.paging !== 'url'
      if (more && page.items.length < limit && !this.list.dialect.shortPages && !(counted && page.total === undefined)) {
        yield this.violation('full-page', `a page that is not the last has ${page.items.length} of ${limit} items`, [index])
      }
    }
  }

  * repeats() {
    const from = this.walk.originItem
    if (from && this.showings.has(from.key) && JSON.stringify(this.showings.get(from.key)[0].item.values) === JSON.stringify(from.values)) {
      const [{ index }] = this.showings.get(from.key)
      yield this.violation('no-row-twice', `row ${from.key}, from which the walk starts, is shown again on page ${index + 1}`, [index], from.key)
    }
    for (const [key, showings] of this.showings) {
      if (showings.length < 2 || key === undefined) continue
      const [first, second] = showings
      const row = this.rows.get(key)
      const [from, to] = [this.since[first.index], this.pages[second.index].end]
      const moved = row
        ? row.versions.slice(1).some(({ from: call }) => call.end > from && call.start < to)
        : JSON.stringify(first.item.values) !== JSON.stringify(second.item.values)
      // A walk on through a live order does not meet what an edit has moved; a walk back does.
      const pinned = this.list.live && this.walk.direction === 'next'
      if (moved && !pinned && first.index !== second.index) continue
      const where = first.index === second.index ? `twice on page ${first.index + 1}` : `on page ${first.index + 1} and again on page ${second.index + 1}`
      yield this.violation('no-row-twice', `row ${key} is shown ${where}`, [first.index, second.index], key)
    }
  }

  * disorder() {
    let last = null
    for (const [index, page] of this.pages.entries()) {
      for (const item of page.items) {
        if (last && item.key !== last.item.key) {
          const result = this.compare(last.item.values, item.values)
          if (result !== undefined && result > 0) {
            const [a, b] = this.walk.direction === 'previous' ? [item, last.item] : [last.item, item]
            yield this.violation('order', `row ${b.key} (${show(b)}) stands behind row ${a.key} (${show(a)})`, [last.index, index], item.key)
          }
        }
        last = { item, index }
      }
    }
  }

  /** Rows that are shown although they surely did not stand in the list. */
  * ghosts() {
    for (const [key, showings] of this.showings) {
      const row = this.rows.get(key)
      if (!row) continue
      for (const { index } of showings) {
        const [start, end] = [this.since[index], this.pages[index].end]
        const present = row.versions.some((version) => belongs(version, this.list)
          && version.from.start < end && (version.to === null || version.to.end > start))
        if (!present) yield this.violation('gone', `row ${key} is shown after it was deleted, or after it had left the list`, [index], key)
      }
    }
  }

  /** Rows that surely stood in the list while the walk passed their place, and were not shown. */
  * gaps() {
    if (this.pages.length === 0) return
    const boundaries = this.#boundaries()
    for (const row of this.rows.values()) {
      if (this.showings.has(row.key)) continue
      for (const version of row.versions) {
        if (!belongs(version, this.list)) continue
        const place = placeOf(version, row, this.list)
        const passed = this.#passedBetween(place, boundaries)
        if (!passed) continue
        const { from, to } = passed
        const [start, end] = [this.since[from], this.pages[to].end]
        if (version.from.end > start || (version.to && version.to.start < end)) continue
        yield this.violation(this.#kindOfGap(place, passed, boundaries),
          `row ${row.key} (${show({ values: place })}) stood in the list all the time, and is not shown` +
          (passed.known ? ` on page ${to + 1}, where its place is` : ' on any page'), [from, to], row.key)
        break
      }
    }
  }

  /** What each page reaches to: the values of its last item, or the end of the list. */
  #boundaries() {
    let last = this.walk.origin
    return this.pages.map((page, index) => {
      if (index === this.pages.length - 1 && this.walk.ended) return 'end'
      last = page.items.at(-1)?.values ?? last
      return last
    })
  }

  /** The pages between which the walk passes a place: behind one boundary, and before another. */
  #passedBetween(place, boundaries) {
    const { origin } = this.walk
    let from = 0
    let before = origin
    if (origin && !(this.compare(place, origin) > 0)) return null
    for (const [index, boundary] of boundaries.entries()) {
      const result = boundary === 'end' ? -1 : boundary === null ? 1 : this.compare(place, boundary)
      // Without comparable values, the whole walk counts. A walk that starts within the list may not pass the place at all.
      if (this.list.order.length === 0 || result === undefined || place.includes(undefined)) {
        return this.walk.ended && !origin ? { from: 0, to: this.pages.length - 1, known: false } : null
      }
      // The place may equal a boundary where the declared order is not total: the row may stand on either side.
      if (result < 0) return { from, to: index, known: true, before }
      if (result > 0) [from, before] = [index, boundary]
    }
    return null
  }

  #kindOfGap(place, passed, boundaries) {
    const { before, to, known } = passed
    if (!known) return 'complete'
    const [column] = this.list.order
    const { items } = this.pages[to]
    const after = items.find((item) => this.compare(item.values, place) > 0)
    const atEnd = boundaries[to] === 'end' && !after
    const last = items.at(-1)?.values ?? before
    if (place[0] === null) return atEnd && last?.[0] === null ? 'end' : 'nulls'
    if (before) {
      if (before[0] === null) return 'nulls'
      if (compareValues(column.type, place[0], before[0]) === 0) return 'ties'
      if (sameMillisecond(place[0], before[0])) return 'microseconds'
    }
    return atEnd ? 'end' : 'complete'
  }
}

function sameMillisecond(a, b) {
  const [x, y] = [microseconds(a), microseconds(b)]
  return x !== null && y !== null && x / 1000n === y / 1000n
}

function show({ values }) {
  return values.map((value) => value === null ? 'null' : String(value)).join(', ')
}
