import { CannotRun, WriteFailed } from './errors.js'
import { judge } from './oracle.js'
import { Random } from './random.js'
import { Values } from './values.js'
import { NoPage } from './list.js'

const SPECIAL_ROWS = 12

export class Interrupted extends Error {}

/**
 * A run: the lists, the rows that the kit has written, the history of all calls, and the results of the checks.
 */
export class Kit {
  /**
   * @param {{client: import('./http.js').Client, lists: import('./list.js').List[], writer: any, fields: Record<string, any>,
   *   seed: number, maxCalls?: number, rows?: number, lag?: number}} options `lag` is in seconds
   */
  constructor({ client, lists, writer, fields, seed, maxCalls = 200, rows = 24, lag = 0, say = () => {} }) {
    this.client = client
    this.lists = lists
    this.writer = writer
    this.seed = seed
    this.random = new Random(seed)
    this.values = new Values(fields ?? {}, this.random.fork(), `kit${(Date.now() % 1e8).toString(36)}`)
    this.maxCalls = maxCalls
    this.rowCount = rows
    this.lag = lag * 1000
    this.lastWrite = -Infinity
    this.say = say
    /** @type {Map<string, import('./oracle.js').Row>} */
    this.rows = new Map()
    /** @type {any[]} */
    this.history = []
    this.walks = []
    /** @type {Map<string, any>} */
    this.results = new Map()
    this.interrupted = false
    this.parent = null
    this.late = new Set()
  }

  /** A run within this one, with few rows of its own. It keeps the answers. */
  part({ lists = this.lists, rows = 0, seed = this.seed } = {}) {
    const { client, writer, values: { fields, precision }, lag } = this
    const part = new Kit({ client, lists, writer, fields, seed, rows, lag: lag / 1000, maxCalls: 60 })
    part.values.precision = precision
    part.parent = this
    return part
  }

  get stopped() {
    return this.interrupted || (this.parent?.stopped ?? false)
  }

  // Pages and walks

  /** Reads a page, and records it. */
  async page(list, place, limit, walk = null) {
    const { page, error } = await this.tryPage(list, place, limit, { walk })
    if (error) throw error
    return page
  }

  /**
   * Sends a request for a page that may well be rejected.
   *
   * @param {{walk?: number|null, more?: Record<string, string>}} options `more` are further parameters
   */
  async tryPage(list, place, limit, { walk = null, more = {} } = {}) {
    limit = list.limitOf(place) ?? limit
    const answer = await this.ask(list.request(place, limit, more), { list: list.name, walk, limit, direction: place?.direction ?? 'next', place, more })
    const event = this.history[answer.event]
    event.tokens = list.tokens(answer)
    try {
      const page = list.parse(answer, place, limit)
      Object.assign(event, {
        keys: page.items.map(({ key }) => key), values: page.items.map(({ values }) => values),
        next: page.next, previous: page.previous, hasNext: page.hasNext, hasPrevious: page.hasPrevious, total: page.total,
      })
      this.#learn(list, page, answer)
      return { answer, page: { ...page, event: answer.event, start: event.start, end: event.end } }
    } catch (error) {
      if (!(error instanceof NoPage)) throw error
      return { answer, page: null, error }
    }
  }

  /** Sends a request of any kind, and records it. */
  async ask(request, more = {}) {
    if (this.stopped) throw new Interrupted()
    const answer = await this.client.call(request)
    const body = this.parent ? { body: answer.body } : {}
    answer.event = this.history.push({ type: 'page', start: answer.start, end: answer.end, request, status: answer.status, ...body, ...more }) - 1
    return answer
  }

  /**
   * Reads a list to its end.
   *
   * @param {{limit: number, direction?: 'next'|'previous', from?: any, between?: (page: any, index: number) => Promise<void>, maxCalls?: number}} options
   *   `from` is a page behind (or before) which the walk starts; `between` runs before each further page
   * @returns {Promise<import('./oracle.js').Walk & {failure?: string}>}
   */
  async walk(list, { limit, direction = 'next', from = null, between = null, maxCalls = this.maxCalls }) {
    const walk = { id: this.walks.length, list: list.name, direction, pages: [], origin: null, ended: false, limit }
    this.walks.push(walk)
    let place = null
    if (from) {
      place = from[direction]
      walk.originItem = from.items.at(direction === 'next' ? -1 : 0)
      walk.origin = walk.originItem?.values ?? from.reached ?? null
      if (!place) {
        walk.ended = true
        return walk
      }
    }
    const seen = new Set()
    for (let i = 0; i < maxCalls; i++) {
      if (i > 0 && between) await between(walk.pages.at(-1), i)
      let page
      try {
        page = await this.page(list, place, limit, walk.id)
      } catch (error) {
        if (!(error instanceof NoPage)) throw error
        walk.failure = `page ${i + 1} of a walk with limit ${limit} was answered with ${error.message}`
        walk.failureEvent = error.answer.event
        return walk
      }
      // The place of an empty page is behind the last item before it.
      const last = walk.pages.at(-1)
      page.reached = last ? last.items.at(direction === 'next' ? -1 : 0)?.values ?? last.reached : walk.origin
      walk.pages.push(page)
      place = page[direction]
      if (!place) {
        walk.ended = true
        return walk
      }
      const again = JSON.stringify(place)
      if (seen.has(again)) {
        walk.loop = true
        return walk
      }
      seen.add(again)
    }
    return walk
  }

  /** Judges a walk with the oracle, and reports what it finds. */
  judgeWalk(profile, list, walk) {
    const found = judge(walk, this.rows, list, this.lag)
    if (walk.failure) {
      found.push({ check: 'answers', message: walk.failure, walk: walk.id, events: [...walk.pages.slice(-1).map((page) => page.event), walk.failureEvent] })
    }
    if (walk.loop) {
      found.push({ check: 'end', message: 'the walk comes to the same place again: it never ends', walk: walk.id, events: walk.pages.slice(-3).map((page) => page.event) })
    }
    for (const check of ['complete', 'no-row-twice', 'order', 'end', 'limit', 'full-page', 'answers', 'gone']) this.passed(profile, check, list)
    for (const violation of found) this.failed(profile, violation.check, list, violation)
    return found
  }

  /** Values that only the API knows, such as a generated time, are known once a page shows them. */
  #learn(list, page, { start, end }) {
    for (const { key, raw } of page.items) {
      const row = this.rows.get(key)
      if (!row) continue
      const possible = row.versions.filter((version) => version.from.start < end && (!version.to || version.to.end > start - this.lag))
      if (possible.length === 1 && possible[0].item === undefined) possible[0].item = raw
    }
  }

  // Writes

  get canWrite() {
    return this.writer !== null
  }

  async create(fields = this.values.draw(), { late = false } = {}) {
    return this.#write('create', null, fields, async () => {
      if (!late) {
        const created = await this.writer.create(fields)
        this.#place(created.key, fields, created, created)
        return created
      }
      const created = await this.writer.createLate(fields)
      const row = this.#place(created.key, fields, { start: created.start, end: Infinity }, created)
      const commit = () => this.#write('commit', created.key, fields, async () => {
        this.late.delete(commit)
        const committed = await created.commit()
        row.versions[0].from = { start: committed.start, end: committed.end }
        return { ...committed, key: created.key }
      })
      this.late.add(commit)
      return { ...created, commit }
    })
  }

  #place(key, fields, { start, end }, { item, returned }) {
    const row = { key, versions: [{ fields: { ...returned, ...fields }, item, from: { start, end }, to: null }], gone: false }
    this.rows.set(key, row)
    return row
  }

  /** Writes a row anew. It moves if a value of an order, or of a filter, changes. */
  async update(row, fields) {
    const last = row.versions.at(-1)
    const changed = Object.keys(this.values.fields).some((name) => fields[name] !== last.fields[name])
    const moves = changed || this.lists.some((list) => list.live)
    return this.#write(moves ? 'move' : 'edit', row.key, fields, async () => {
      const start = this.client.now()
      if (moves) last.to = { start, end: Infinity }
      const next = { fields: { ...last.fields, ...fields }, item: undefined, from: { start, end: Infinity }, to: null }
      if (moves) row.versions.push(next)
      const written = await this.writer.update(row.key, fields)
      const call = { start: written.start, end: written.end }
      if (moves) [last.to, next.from] = [call, call]
      Object.assign(next.fields, written.returned)
      return { ...written, key: row.key }
    })
  }

  async remove(row) {
    return this.#write('delete', row.key, null, async () => {
      const last = row.versions.at(-1)
      last.to = { start: this.client.now(), end: Infinity }
      const { start, end, ...rest } = await this.writer.remove(row.key)
      last.to = { start, end }
      row.gone = true
      return { start, end, ...rest, key: row.key }
    })
  }

  async #write(op, key, fields, action) {
    if (this.stopped && op !== 'delete' && op !== 'commit') throw new Interrupted()
    const event = { type: 'write', op, key, fields, start: this.client.now(), end: null, ok: false }
    this.history.push(event)
    try {
      const result = await action()
      Object.assign(event, { start: result.start, end: result.end, key: result.key ?? key, request: result.request, sql: result.sql, keyPath: result.keyPath, ok: true })
      this.lastWrite = Math.max(this.lastWrite, result.end)
      return result
    } catch (error) {
      Object.assign(event, { end: this.client.now(), error: error.message })
      throw error
    }
  }

  /** The kit's rows that stand, as far as the kit knows. */
  standing(list = null) {
    return [...this.rows.values()].filter((row) => !row.gone && row.versions.at(-1).to === null
      && row.versions.at(-1).from.end !== Infinity && (!list || list.where === undefined
        || Object.entries(list.where).every(([field, value]) => row.versions.at(-1).fields[field] === value)))
  }

  /** Writes rows until there are enough. */
  async seedRows(count = this.rowCount) {
    while (this.standing().length < count) {
      await this.create(this.rows.size < SPECIAL_ROWS ? this.values.special(this.rows.size) : this.values.draw())
    }
  }

  /** Waits until every page includes all writes that have been made. */
  async settled() {
    // A timer may be early.
    for (let wait; (wait = this.lastWrite + this.lag - this.client.now()) > 0;) await new Promise((resolve) => setTimeout(resolve, Math.ceil(wait)))
  }

  /** Writes rows until there are enough, and waits until every page includes them. */
  async standRows() {
    await this.seedRows()
    await this.settled()
  }

  /** Deletes every row of the run. Returns the keys that could not be deleted. */
  async cleanUp() {
    if (!this.writer) return []
    for (const commit of [...this.late]) await commit().catch(() => {})
    const left = []
    for (const row of this.rows.values()) {
      if (row.gone) continue
      try {
        await this.remove(row)
      } catch (error) {
        if (!(error instanceof WriteFailed) && !(error instanceof CannotRun)) throw error
        left.push(row.key)
      }
    }
    return left
  }

  // Results

  #result(profile, check, list) {
    const name = `${profile}/${check}/${list?.name ?? ''}`
    if (!this.results.has(name)) {
      this.results.set(name, { profile, check, list: list?.name ?? '', status: 'skipped', judged: 0, violations: [], notes: [] })
    }
    return this.results.get(name)
  }

  passed(profile, check, list) {
    const result = this.#result(profile, check, list)
    result.judged++
    if (result.status === 'skipped') result.status = 'passed'
  }

  failed(profile, check, list, violation) {
    const result = this.#result(profile, check, list)
    result.judged++
    result.status = 'failed'
    result.violations.push({ ...violation, check, profile, list: list?.name ?? '' })
  }

  skipped(profile, check, list, reason) {
    this.#result(profile, check, list).notes.push(reason)
  }

  note(profile, check, list, text) {
    const result = this.#result(profile, check, list)
    if (!result.notes.includes(text)) result.notes.push(text)
  }

  /** Reports a failure if the condition does not hold. */
  expect(profile, check, list, condition, message, events = []) {
    if (condition) this.passed(profile, check, list)
    else this.failed(profile, check, list, { message, events: events.filter((event) => event !== undefined) })
    return condition
  }
}
