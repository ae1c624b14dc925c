import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import { microseconds } from '../lib/order.js'

/**
 * A small server of lists, in memory, whose defects can be switched on one by one. With none, it keeps every promise.
 * The key of each member is the defect; its value says what fails: the profile, and the checks that may name it.
 */
export const DEFECTS = {
  'le-for-lt': ['static', 'no-row-twice'],
  'no-tie-break': ['static', 'ties'],
  'tie-break-wrong-way': ['static', 'ties', 'no-row-twice', 'order'],
  'tie-break-as-text': ['static', 'ties', 'no-row-twice', 'order'],
  'cursor-of-key-only': ['static', 'complete', 'ties', 'nulls', 'microseconds', 'no-row-twice', 'order'],
  'cursor-from-extra-row': ['static', 'complete', 'ties', 'nulls', 'microseconds', 'end'],
  'cursor-in-milliseconds': ['static', 'microseconds', 'ties'],
  'cursor-in-other-zone': ['static', 'complete', 'no-row-twice', 'ties', 'order'],
  'cursor-of-null-is-500': ['static', 'answers'],
  'nulls-lost': ['static', 'nulls', 'end'],
  'nulls-start-again': ['static', 'no-row-twice', 'end'],
  'nulls-first': ['static', 'order'],
  'numbers-as-text': ['static', 'order'],
  'unsorted': ['static', 'order'],
  'ties-shuffled': ['static', 'order', 'retry', 'ties'],
  'first-row-lost': ['static', 'complete', 'nulls', 'ties'],
  'last-row-lost': ['static', 'end'],
  'ends-after-twelve': ['static', 'end'],
  'row-repeated-by-join': ['static', 'no-row-twice'],
  'has-more-guessed': ['static', 'flags'],
  'has-more-without-last-row': ['static', 'end'],
  'has-more-always': ['static', 'flags', 'end'],
  'has-prev-always': ['static', 'flags'],
  'has-prev-never': ['static', 'flags'],
  'total-without-filter': ['static', 'total'],
  'total-of-page': ['static', 'total'],
  'filtered-after-limit': ['static', 'full-page'],
  'limit-plus-one': ['static', 'limit'],
  'limit-one-stands-still': ['static', 'end'],
  'limit-zero-is-all': ['static', 'limits'],
  'limit-negative-is-500': ['static', 'limits'],
  'limit-huge-is-500': ['static', 'limits'],
  'limit-rubbish-is-500': ['static', 'limits'],
  'limit-negative-from-end': ['static', 'limits'],
  'rubbish-is-page-one': ['static', 'rubbish-cursor'],
  'rubbish-is-500': ['static', 'rubbish-cursor'],
  'rubbish-is-empty': ['static', 'rubbish-cursor'],
  'altered-is-page-one': ['static', 'altered-cursor'],
  'other-list-taken': ['static', 'other-list'],
  'other-filter-taken': ['static', 'other-list'],
  'other-list-is-500': ['static', 'other-list'],
  'cursor-only-once': ['static', 'retry'],
  'retry-goes-on': ['static', 'retry', 'ties', 'complete'],
  'previous-reversed': ['backward', 'order'],
  'previous-from-start': ['backward', 'neighbour', 'same-items', 'no-row-twice'],
  'previous-with-cursor-row': ['backward', 'no-row-twice', 'same-items', 'neighbour'],
  'previous-off-by-one': ['backward', 'complete', 'same-items', 'neighbour'],
  'previous-lost-at-end': ['backward', 'way-back'],
  'previous-flag-never': ['backward', 'flags'],
  'next-lost-after-previous': ['backward', 'flags'],
  'offset': ['concurrent', 'no-row-twice', 'complete', 'ties', 'microseconds', 'nulls', 'end'],
  'page-number': ['concurrent', 'no-row-twice', 'complete', 'ties', 'microseconds', 'nulls', 'end'],
  'cursor-needs-row': ['concurrent', 'answers'],
  'cursor-of-deleted-row-is-page-one': ['concurrent', 'no-row-twice'],
  'cursor-of-deleted-row-is-end': ['concurrent', 'complete', 'end', 'ties', 'microseconds', 'nulls'],
  'cursor-follows-row': ['concurrent', 'complete', 'no-row-twice', 'ties', 'order'],
  'nothing-left-is-page-one': ['concurrent', 'no-row-twice'],
  'deleted-rows-shown': ['concurrent', 'gone'],
  'stale-page': ['concurrent', 'gone', 'complete', 'ties'],
  'left-rows-shown': ['concurrent', 'gone'],
  'reads-go-back': ['concurrent', 'complete', 'gone', 'ties', 'microseconds', 'nulls', 'end'],
  'fresh-counts-page': ['refresh', 'fresh'],
  'fresh-one-too-many': ['refresh', 'fresh'],
  'top-with-first-row': ['refresh', 'no-row-twice'],
  'top-is-start': ['refresh', 'complete', 'ties', 'microseconds', 'nulls', 'end', 'fresh'],
  'until-with-kept-row': ['refresh', 'hole'],
  'until-ignored': ['refresh', 'hole'],
  'delta-without-edits': ['refresh', 'delta'],
  'delta-without-new': ['refresh', 'delta'],
  'delta-keys-sorted': ['refresh', 'delta'],
  'delta-sends-all': ['refresh', 'delta-small'],
  'live-without-deletes': ['live', 'arrives', 'state'],
  'live-without-edits': ['live', 'arrives', 'state'],
  'live-at-front': ['live', 'state'],
  'live-old-state-again': ['live', 'state'],
  'live-stops': ['live', 'arrives'],
  'deep-pages-cost-more': ['depth', 'cost'],
}

const MAX_LIMIT = 50
const ORDERS = {
  newest: [['created_at', -1], ['id', -1]],
  ranked: [['rank', 1], ['id', 1]],
}

class Problem extends Error {
  constructor(status, code) {
    super(code)
    this.status = status
  }
}

export class BrokenServer {
  /**
   * @param {string[]} defects
   * @param {{face?: any, lag?: number}} options with a lag, in ms, every other page is read from a replica that is so far
   *   behind, unless its cursor has shown a later state
   */
  constructor(defects = [], { face, lag = defects.includes('reads-go-back') ? 3000 : 0 } = {}) {
    this.lag = lag
    this.states = [{ version: 0, at: -Infinity, rows: [] }]
    this.has = Object.fromEntries(defects.map((defect) => [defect, true]))
    this.face = face
    this.rows = []
    this.deleted = []
    this.nextId = 101
    /** A second number of each row. An empty server goes on counting. */
    this.serial = 0
    this.version = 0
    this.used = new Set()
    this.cached = new Map()
    this.streams = new Set()
    this.requests = 0
    this.server = createServer((request, response) => this.#serve(request, response))
  }

  async start(port = 0) {
    await new Promise((resolve) => this.server.listen(port, '127.0.0.1', resolve))
    this.origin = `http://127.0.0.1:${this.server.address().port}`
    return this
  }

  async stop() {
    if (!this.server.listening) return
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }

  /** What a user would write for this server. */
  config() {
    const write = { create: { method: 'POST', url: '/rows', body: { created_at: '{{created_at}}', rank: '{{rank}}', status: '{{status}}', mark: '{{mark}}' } },
      update: { method: 'PATCH', url: '/rows/{{key}}', body: { created_at: '{{created_at}}', rank: '{{rank}}', status: '{{status}}', mark: '{{mark}}' } },
      delete: 'DELETE /rows/{{key}}' }
    const newest = ['created_at time desc nulls last', 'id number desc']
    return {
      url: `${this.origin}/api/rows`, 'max-limit': MAX_LIMIT, total: 'count.value', ...(this.lag ? { lag: this.lag / 1000 } : {}),
      fields: { created_at: 'time?', rank: 'number?', status: ['open', 'open', 'closed'] },
      lists: {
        newest: { query: {}, order: newest },
        ranked: { query: { order: 'ranked' }, order: ['rank number nulls last', 'id number'] },
        open: { query: { status: 'open' }, order: newest, where: { status: 'open' } },
      },
      write,
    }
  }

  async #serve(request, response) {
    const url = new URL(request.url, this.origin)
    try {
      this.requests++
      const chunks = []
      for await (const chunk of request) chunks.push(chunk)
      const text = Buffer.concat(chunks).toString()
      const body = text ? JSON.parse(text) : undefined
      if (this.face && await this.face(this, { request, url, body, response })) return
      if (request.method === 'GET' && url.pathname === '/api/rows') return await this.#page(url, response)
      if (url.pathname === '/api/rows/fresh') return send(response, 200, this.#fresh(url))
      if (url.pathname === '/api/rows/live') return this.#live(url, response)
      if (url.pathname.startsWith('/rows')) return this.#write(request.method, url.pathname.split('/')[2], body, response)
      throw new Problem(404, 'not_found')
    } catch (error) {
      send(response, error.status ?? 500, { code: error.message })
    }
  }

  // Writes

  #write(method, id, body, response) {
    const item = this.write(method, id, body)
    send(response, method === 'POST' ? 201 : 200, item)
    for (const stream of this.streams) stream()
  }

  /** Creates, changes, or deletes a row. */
  write(method, id, values) {
    const item = this.#change(method, id, values)
    this.version++
    if (this.rows.length === 0) this.#forget()
    this.states.push({ version: this.version, at: performance.now(), rows: [...this.rows] })
    return item
  }

  /** An empty server is like a new one: what it shows does not depend on what was there before. */
  #forget() {
    this.deleted = []
    this.cached.clear()
    this.states = [{ version: 0, at: -Infinity, rows: [] }]
  }

  #change(method, id, values) {
    if (method === 'POST') {
      const row = { id: this.nextId++, serial: ++this.serial, ...values, createdVersion: this.version + 1, version: this.version + 1 }
      this.rows.push(row)
      return shown(row)
    }
    const index = this.rows.findIndex((row) => String(row.id) === id)
    if (index < 0) throw new Problem(404, 'not_found')
    if (method === 'DELETE') {
      const [row] = this.rows.splice(index, 1)
      this.deleted.push({ ...row, gone: true })
      return {}
    }
    const old = this.rows[index]
    this.rows[index] = { ...old, ...values, version: this.version + 1 }
    if (old.status !== values.status) this.left = { ...old }
    return shown(this.rows[index])
  }

  // Lists

  list(parameters) {
    const order = parameters.get('order') ?? 'newest'
    if (!ORDERS[order]) throw new Problem(400, 'unknown_order')
    return { order, status: parameters.get('status') }
  }

  compare({ order }, a, b) {
    const { has } = this
    if (has.unsorted) return a.id - b.id
    for (const [column, direction] of ORDERS[order]) {
      const [x, y] = [a[column], b[column]]
      if (x === y) continue
      if (x === null || y === null) return ((x === null) === Boolean(has['nulls-first'])) ? -1 : 1
      const result = column === 'created_at' ? Math.sign(Number(microseconds(x) - microseconds(y)))
        : column === 'rank' && has['numbers-as-text'] ? (String(x) < String(y) ? -1 : 1)
          : column === 'id' && has['tie-break-as-text'] && this.inPredicate ? (encoded(x) < encoded(y) ? -1 : 1) : x - y
      if (result !== 0) {
        return result * direction * (column === 'id' && has['tie-break-wrong-way'] && this.inPredicate ? -1 : 1)
      }
    }
    return 0
  }

  /** The state that a page with a place is read from. */
  state(place) {
    const present = this.states.at(-1)
    if (!this.lag || this.requests % 2) return present
    const old = this.states.findLast(({ at }) => at <= performance.now() - this.lag)
    return old.version >= (place?.v ?? 0) || this.has['reads-go-back'] ? old : present
  }

  select(list, rows = this.rows) {
    const { has } = this
    if (has['deleted-rows-shown']) rows = [...rows, ...this.deleted.slice(-2)]
    if (list.status && !has['filtered-after-limit']) rows = rows.filter((row) => row.status === list.status)
    if (list.status && has['left-rows-shown'] && this.left && this.rows.some(({ id, status }) => id === this.left.id && status !== list.status)) rows = [...rows, this.left]
    rows = rows.toSorted((a, b) => this.compare(list, a, b))
    if (has['ties-shuffled']) {
      const lead = ORDERS[list.order][0][0]
      for (let i = rows.length - 1; i > 0; i--) {
        if (rows[i][lead] === rows[i - 1][lead] && this.requests % 2) [rows[i - 1], rows[i]] = [rows[i], rows[i - 1]]
      }
    }
    if (has['first-row-lost']) rows = rows.slice(1)
    if (has['last-row-lost']) rows = rows.slice(0, -1)
    return rows
  }

  /** @param {boolean} [inclusive] whether the row itself stands in that direction */
  seal(list, direction, row, state, inclusive = false) {
    const content = { ...(inclusive ? { x: true } : {}), o: list.order, s: list.status, d: direction, ...(this.lag ? { v: state.version } : {}), r: { id: row.id, created_at: row.created_at, rank: row.rank }, ...(row.index === undefined ? {} : { i: row.index }) }
    if (this.has['cursor-in-milliseconds'] && content.r.created_at) content.r.created_at = content.r.created_at.slice(0, 23) + '000Z'
    if (this.has['cursor-in-other-zone'] && content.r.created_at) content.r.created_at = new Date(Date.parse(content.r.created_at) - 3000).toISOString()
    const text = Buffer.from(JSON.stringify(content)).toString('base64url')
    return text + sign(text)
  }

  open(list, token) {
    const { has } = this
    const [text, signature] = [token.slice(0, -8), token.slice(-8)]
    if (sign(text) !== signature) {
      if (has['rubbish-is-page-one'] || (has['altered-is-page-one'] && token.length > 40)) return null
      if (has['rubbish-is-500']) throw new Error('boom')
      if (has['rubbish-is-empty']) return { d: 'next', r: { id: -1, created_at: null, rank: null }, nothing: true }
      throw new Problem(400, 'invalid_cursor')
    }
    const content = JSON.parse(Buffer.from(text, 'base64url').toString())
    const otherOrder = content.o !== list.order && !has['other-list-taken']
    const otherFilter = content.s !== list.status && !has['other-list-taken'] && !has['other-filter-taken']
    if (otherOrder || otherFilter) throw has['other-list-is-500'] ? new Error('boom') : new Problem(400, 'cursor_mismatch')
    if (has['cursor-only-once']) {
      if (this.used.has(token)) throw new Problem(410, 'cursor_expired')
      this.used.add(token)
    }
    return content
  }

  limit(parameters) {
    const { has } = this
    const text = parameters.get('limit')
    if (text === null) return 10
    if (!/^-?\d+$/.test(text)) throw has['limit-rubbish-is-500'] ? new Error('boom') : new Problem(400, 'invalid_limit')
    const limit = Number(text)
    if (limit > 1e8 && has['limit-huge-is-500']) throw new Error('boom')
    if (limit < 1) {
      if (limit === 0 && has['limit-zero-is-all']) return 0
      if (limit < 0 && has['limit-negative-is-500']) throw new Error('boom')
      if (limit < 0 && has['limit-negative-from-end']) return limit
      throw new Problem(400, 'invalid_limit')
    }
    return Math.min(limit, MAX_LIMIT)
  }

  /** The page at a place, in the list's order, with what stands before and behind it. */
  read(list, place, limit, { rows: standing }) {
    const { has } = this
    const all = this.select(list, standing)
    const direction = place?.d ?? 'next'
    let row = place?.r
    if (row && (has['cursor-needs-row'] || has['cursor-of-deleted-row-is-page-one'] || has['cursor-of-deleted-row-is-end'])
      && !this.rows.some(({ id }) => id === row.id)) {
      if (has['cursor-needs-row']) throw new Problem(400, 'invalid_cursor')
      if (has['cursor-of-deleted-row-is-end']) return { rows: [], before: true, behind: false, all }
      row = undefined
    }
    if (row && has['cursor-follows-row']) row = this.rows.find(({ id }) => id === row.id) ?? row
    let start
    if (direction === 'next') {
      start = row ? this.#after(list, all, row, place) : 0
      if (start >= all.length && row && has['nothing-left-is-page-one']) start = 0
      if (limit === 1 && has['limit-one-stands-still'] && row) start = Math.max(0, start - 1)
      if (has['retry-goes-on'] && row) {
        const used = `${JSON.stringify(place)} ${limit}`
        if (this.last === used) start += limit
        this.last = used
      }
      const end = limit === 0 ? all.length : limit < 0 ? all.length : Math.min(all.length, start + limit + (has['limit-plus-one'] ? 1 : 0))
      if (limit < 0) start = Math.max(0, all.length + limit)
      return this.#cut(list, all, start, end)
    }
    let end = place.i !== undefined && (has.offset || has['page-number']) ? Math.max(0, place.i) : this.#before(list, all, row, place.x)
    if (has['previous-with-cursor-row'] && all[end]?.id === row.id) end++
    if (has['previous-off-by-one'] && end > 1) end--
    start = Math.max(0, end - limit)
    if (has['previous-from-start']) return this.#cut(list, all, 0, Math.min(end, limit))
    const cut = this.#cut(list, all, start, end)
    return has['previous-reversed'] ? { ...cut, rows: cut.rows.toReversed() } : cut
  }

  #after(list, all, row, place) {
    const { has } = this
    if (has.offset || has['page-number']) return place.i + 1
    const lead = ORDERS[list.order][0][0]
    this.inPredicate = true
    try {
      const passes = (candidate) => {
        if (has['nulls-lost'] && (candidate[lead] === null || row[lead] === null)) return false
        if (has['nulls-start-again'] && row[lead] === null) return candidate[lead] === null
        if (has['no-tie-break'] && candidate[lead] === row[lead]) return false
        if (has['cursor-of-key-only']) return (candidate.id - row.id) * ORDERS[list.order][1][1] > 0
        const result = this.compare(list, candidate, row)
        return result > 0 || (result === 0 && (has['le-for-lt'] || place.x))
      }
      if (has['nulls-start-again'] || has['cursor-of-key-only'] || has['nulls-lost'] || has['tie-break-wrong-way'] || has['tie-break-as-text']) {
        // The predicate does not agree with the order, so it selects rows from all over the list.
        const chosen = all.filter(passes)
        all.splice(0, all.length, ...all.filter((candidate) => !chosen.includes(candidate)), ...chosen)
        return all.length - chosen.length
      }
      const found = all.findIndex(passes)
      return found < 0 ? all.length : found
    } finally {
      this.inPredicate = false
    }
  }

  #before(list, all, row, inclusive = false) {
    const found = all.findIndex((candidate) => this.compare(list, candidate, row) >= (inclusive ? 1 : 0))
    return found < 0 ? all.length : found
  }

  #cut(list, all, start, end) {
    return { rows: all.slice(start, end).map((row, i) => ({ ...row, index: start + i })), before: start > 0, behind: end < all.length, all, start, end }
  }

  pageOf(list, place, limit, state = this.states.at(-1)) {
    const { has } = this
    const cut = place?.nothing ? { rows: [], before: true, behind: false, all: [] } : this.read(list, place, limit, state)
    let { rows, before, behind, all } = cut
    const back = place?.d === 'previous'
    if (has['row-repeated-by-join'] && rows.length > 2) rows = [rows[0], rows[0], ...rows.slice(1, -1)]
    if (list.status && has['filtered-after-limit']) rows = rows.filter((row) => row.status === list.status)
    let edge = rows.at(-1)
    if (has['cursor-from-extra-row'] && behind) edge = { ...all[cut.end], index: cut.end }
    if (has['has-more-guessed'] && !back) behind = rows.length === limit
    if (has['has-more-without-last-row'] && !back && cut.end === all.length - 1) behind = false
    if (has['ends-after-twelve'] && cut.end >= 12) behind = false
    if (has['has-more-always'] && !back) behind = true
    if (has['has-prev-always']) before = true
    if (has['has-prev-never'] && !back) before = false
    if (has['previous-lost-at-end'] && !behind) before = false
    if (has['previous-flag-never'] && back) before = false
    if (has['next-lost-after-previous'] && back) behind = false
    if (has['page-number'] && edge) edge = { ...edge, index: cut.start + limit - 1 }
    // An empty page keeps its place: from behind a row, the way back leads to that row.
    const behindRow = !edge && place && (place.d === 'next') !== Boolean(place.x)
    const at = edge ?? place?.r
    const first = rows[0] ?? place?.r
    if (edge === undefined && place?.i !== undefined && at) Object.assign(at, { index: place.i })
    return { rows, before, behind, next: at && this.seal(list, 'next', at, state, !edge && !behindRow), previous: first && this.seal(list, 'previous', first, state, behindRow), first }
  }

  async #page(url, response) {
    const { has } = this
    const list = this.list(url.searchParams)
    const limit = this.limit(url.searchParams)
    const token = url.searchParams.get('cursor')
    const place = token === null ? null : this.open(list, token)
    if (has['cursor-of-null-is-500'] && place && place.r[ORDERS[list.order][0][0]] === null) throw new Error('boom')
    const until = url.searchParams.get('until')
    const state = this.state(place)
    let { rows, before, behind, next, previous, first } = this.pageOf(list, place, limit, state)
    if (until !== null && !has['until-ignored']) {
      const end = this.open(list, until)
      const within = rows.filter((row) => this.compare(list, row, end.r) < (has['until-with-kept-row'] ? 1 : 0))
      behind = within.length === rows.length && behind && this.select(list, state.rows).some((row) => this.compare(list, row, end.r) < 0 && (!rows.length || this.compare(list, row, rows.at(-1)) > 0))
      if (within.length < rows.length) behind = false
      rows = within
    }
    if (has['deep-pages-cost-more'] && rows[0]) await new Promise((resolve) => setTimeout(resolve, rows[0].index * 12))
    let top = first && this.seal(list, 'previous', first, state)
    if (has['top-with-first-row'] && rows[1]) top = this.seal(list, 'previous', rows[1], state)
    if (has['top-is-start'] && first) top = this.seal(list, 'previous', { id: list.order === 'newest' ? 1e9 : -1, created_at: '2999-01-01T00:00:00Z', rank: -1e9 }, state)
    const page = {
      items: rows.map(shown),
      next_cursor: behind ? next ?? null : null, has_more: behind, prev_cursor: before ? previous ?? null : null, has_prev: before,
      cursors: { top: top ?? null, last: next ?? null }, limit,
      count: { value: has['total-of-page'] ? rows.length : has['total-without-filter'] ? this.rows.length : this.select(list, state.rows).length },
      moment: `m${state.version}`,
    }
    if (list.status && has['filtered-after-limit']) delete page.count
    if (url.searchParams.has('since')) this.#since(page, rows, Number(url.searchParams.get('since').slice(1)))
    if (has['stale-page']) {
      const key = url.search
      if (this.cached.has(key) && this.cached.get(key).until > this.requests) return send(response, 200, this.cached.get(key).page)
      this.cached.set(key, { page, until: this.requests + 60 })
    }
    send(response, 200, page)
  }

  #since(page, rows, version) {
    const { has } = this
    page.keys = page.items.map(({ id }) => id)
    if (has['delta-keys-sorted']) page.keys.sort((a, b) => a - b)
    page.items = rows.filter((row) => has['delta-sends-all'] || (has['delta-without-edits'] ? row.createdVersion > version
      : has['delta-without-new'] ? row.version > version && row.createdVersion <= version : row.version > version)).map(shown)
  }

  #fresh(url) {
    const { has } = this
    const list = this.list(url.searchParams)
    const { r: row } = this.open(list, url.searchParams.get('cursor'))
    const all = this.select(list)
    const count = this.#before(list, all, row) + (has['fresh-one-too-many'] ? 1 : 0)
    return { count: has['fresh-counts-page'] ? Math.min(count, 1) : Math.min(100, count), capped: false }
  }

  #live(url, response) {
    const { has } = this
    const list = this.list(url.searchParams)
    const limit = this.limit(url.searchParams)
    let held = null
    let sent = 0
    const states = []
    const emit = (event, data) => response.write(`event: ${event}\nid: m${this.version}\ndata: ${JSON.stringify(data)}\n\n`)
    const update = () => {
      const { rows, behind } = this.pageOf(list, null, limit)
      const now = rows.map(shown)
      if (held === null) {
        emit('page', { keys: now.map(({ id }) => id), items: now, has_more: behind })
      } else {
        if (has['live-stops'] && sent > 2) return
        const kept = new Map(held.items.map((item) => [item.id, item]))
        let removed = held.items.filter(({ id }) => !now.some((item) => item.id === id)).map(({ id }) => id)
        let items = now.filter((item) => JSON.stringify(kept.get(item.id)) !== JSON.stringify(item))
        if (has['live-without-edits']) items = items.filter(({ id }) => !kept.has(id))
        const moved = items.filter(({ id }) => kept.has(id)).map(({ id }) => id)
        const placed = items.map((item) => [item.id, has['live-at-front'] ? null : now[now.findIndex(({ id }) => id === item.id) - 1]?.id ?? null])
        if (has['live-without-deletes']) removed = removed.filter((id) => this.rows.some((row) => row.id === id))
        if (removed.length + items.length === 0 && held.behind === behind) return
        emit('change', { removed: [...removed, ...moved], placed, items, has_more: behind })
        if (has['live-old-state-again'] && states.length > 1) {
          emit('page', states.at(-2))
          emit('page', { keys: now.map(({ id }) => id), items: now, has_more: behind })
        }
      }
      states.push({ keys: now.map(({ id }) => id), items: now, has_more: behind })
      held = { items: now, behind }
      sent++
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    update()
    this.streams.add(update)
    response.on('close', () => this.streams.delete(update))
  }
}

export function shown({ id, serial, created_at, rank, status, mark }) {
  return { id, serial, created_at, rank, status, mark }
}

/** An id as a text, such as a UUID, whose order is another one. */
function encoded(id) {
  return `${id % 2}${id}`
}

function sign(text) {
  return createHash('sha256').update(`secret ${text}`).digest('base64url').slice(0, 8)
}

export function send(response, status, body, headers = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}
