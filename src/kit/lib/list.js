import { orderValues, parseOrderColumn } from './order.js'
import { read } from './paths.js'

/** An answer that should have been a page, but is none. */
export class NoPage extends Error {
  constructor(answer, reason) {
    super(`status ${answer.status}${reason ? `, ${reason}` : ''}`)
    this.answer = answer
  }
}

/**
 * A place to continue from, as the API wrote it: `token`, `url`, `offset`, or `page` (with its `limit`).
 *
 * @typedef {{direction: 'next'|'previous', token?: string, url?: string, offset?: number, page?: number, limit?: number}} Place
 *
 * @typedef {{key: string, values: any[], raw: any}} Item
 *
 * @typedef {object} Page
 * @property {Item[]} items in the list's order, also when reading back
 * @property {Place|null} next null at the end of the list
 * @property {Place|null} previous null at the start
 * @property {boolean|undefined} hasNext what the answer claims; undefined where it claims nothing
 * @property {boolean|undefined} hasPrevious
 * @property {number|undefined} total
 * @property {Place|null} top the place before the first item, also at the start of the list
 * @property {number} limit the limit that was asked for
 * @property {'next'|'previous'} direction
 * @property {import('./http.js').Answer} answer
 */

/** One list of the API: its requests, and what its answers say. */
export class List {
  /**
   * @param {string} name
   * @param {any} dialect settled
   * @param {{url: string, query?: Record<string, any>, order?: string[], where?: Record<string, any>, live?: boolean}} options
   */
  constructor(name, dialect, options) {
    this.name = name
    this.dialect = dialect
    this.url = new URL(options.url)
    for (const [parameter, value] of Object.entries(options.query ?? {})) {
      this.url.searchParams.delete(parameter)
      for (const one of Array.isArray(value) ? value : [value]) this.url.searchParams.append(parameter, String(one))
    }
    this.variables = options.variables ?? {}
    this.declared = options.order !== undefined
    this.order = (options.order ?? []).map((column) => typeof column === 'string' ? parseOrderColumn(column) : column)
    this.where = options.where ?? {}
    this.live = options.live ?? false
    this.maxLimit = options['max-limit'] ?? dialect['max-limit'] ?? 100
  }

  /** @returns {import('./http.js').Request} */
  request(place, limit, more = {}) {
    const { paging, next, previous, graphql } = this.dialect
    const side = place?.direction === 'previous' ? previous : next
    if (graphql?.query) {
      const back = place?.direction === 'previous'
      const variables = { ...this.variables, [back ? 'last' : 'first']: limit, ...(place ? { [side.param]: place.token } : {}) }
      return { method: 'POST', url: this.url.href, body: { query: graphql.query, variables } }
    }
    if (place?.url !== undefined) return { url: place.url }
    const url = new URL(this.url)
    const headers = {}
    if (limit !== undefined && this.dialect.limit) url.searchParams.set(this.dialect.limit, String(limit))
    if (paging === 'range' && limit !== undefined) {
      const offset = place?.offset ?? 0
      headers.range = `${offset}-${typeof limit === 'number' && typeof offset === 'number' ? offset + limit - 1 : limit}`
      headers['range-unit'] = 'items'
      headers.prefer = 'count=exact'
    } else if (place) {
      url.searchParams.set(side.param, String(place.token ?? place.offset ?? place.page))
    } else if (paging === 'page') {
      url.searchParams.set(next.param, '1')
    }
    for (const [parameter, value] of Object.entries(more)) url.searchParams.set(parameter, value)
    return { url: url.href, headers }
  }

  /**
   * @param {import('./http.js').Answer} answer
   * @param {Place|null} place
   * @returns {Page}
   */
  parse(answer, place, limit) {
    const { dialect } = this
    if (answer.status === 416 && dialect.paging === 'range') return this.#page(answer, [], place, limit, {})
    if (answer.status < 200 || answer.status > 299) throw new NoPage(answer, answer.body?.errors?.[0]?.message ?? answer.body?.message ?? answer.body?.detail)
    if (answer.body === undefined) throw new NoPage(answer, 'and the answer is no JSON')
    const root = dialect.graphql?.path ? read(answer.body, dialect.graphql.path) : answer.body
    if (dialect.graphql && (answer.body.errors || !root)) {
      throw new NoPage(answer, answer.body.errors?.[0]?.message ?? `and there is no ${dialect.graphql.path}`)
    }
    let elements = read(root, dialect.items)
    if (elements === undefined && dialect.missingItems) elements = []
    if (!Array.isArray(elements)) throw new NoPage(answer, `and there is no array at ${dialect.items}`)
    return this.#page(answer, elements.map((element) => this.item(dialect.item ? read(element, dialect.item) : element)), place, limit, root)
  }

  /** @returns {Item} */
  item(raw) {
    const key = read(raw, this.dialect.key)
    return { key: key === undefined || key === null ? undefined : typeof key === 'object' ? JSON.stringify(key) : String(key), values: orderValues(this.order, raw), raw }
  }

  #page(answer, items, place, limit, root) {
    const { dialect } = this
    const direction = place?.direction ?? 'next'
    const page = { items, answer, limit, direction, total: undefined, top: null }
    if (dialect.totalHeader) page.total = Number(answer.headers.get(dialect.totalHeader))
    else if (dialect.total) page.total = number(read(root, dialect.total))
    if (dialect.paging === 'range') page.total = number(answer.headers.get('content-range')?.split('/')[1])
    switch (dialect.paging) {
      case 'token':
        Object.assign(page, this.#tokens(root, items, direction))
        break
      case 'url':
        for (const side of ['next', 'previous']) {
          const definition = dialect[side]
          const link = definition?.rel ? linkHeader(answer.headers.get('link'), definition.rel) : definition ? read(root, definition.url) : undefined
          page[side] = link ? { direction: side, url: new URL(link, answer.request.url).href } : null
        }
        page.hasNext = page.next !== null
        page.hasPrevious = dialect.previous && dialect.flags === 'both' ? page.previous !== null : undefined
        break
      case 'page':
        Object.assign(page, this.#pageNumbers(items, place, limit, page.total))
        break
      default:
        Object.assign(page, this.#offsets(items, place, limit, page.total))
    }
    return page
  }

  #tokens(root, items, direction) {
    const { dialect } = this
    const token = (side, definition) => {
      if (!definition) return null
      const value = definition.item ? items.at(side === 'next' ? -1 : 0)?.key : read(root, definition.token)
      return value === undefined || value === null || value === '' ? null : { direction: side, token: String(value) }
    }
    const claim = (side, definition) => {
      if (!definition || (dialect.flags === 'reading' && side !== direction)) return undefined
      const value = definition.more ? read(root, definition.more) : token(side, definition) !== null
      return typeof value === 'boolean' ? value : undefined
    }
    const [next, previous] = ['next', 'previous'].map((side) => token(side, dialect[side]))
    const hasNext = claim('next', dialect.next)
    const hasPrevious = claim('previous', dialect.previous)
    const top = dialect.top ? token('previous', dialect.top) : null
    return { next: hasNext === false ? null : next, previous: hasPrevious === false ? null : previous, hasNext, hasPrevious, top,
      tokens: { next, previous } }
  }

  #pageNumbers(items, place, limit, total) {
    const number = Number(place?.page ?? 1)
    const more = total === undefined ? items.length >= limit : number * limit < total
    return {
      next: more ? { direction: 'next', page: number + 1, limit } : null,
      previous: number > 1 ? { direction: 'previous', page: number - 1, limit } : null,
    }
  }

  #offsets(items, place, limit, total) {
    const offset = Number(place?.offset ?? 0)
    const end = offset + items.length
    const more = items.length > 0 && (total === undefined ? items.length >= limit : end < total)
    return {
      next: more ? { direction: 'next', offset: end } : null,
      previous: offset > 0 ? { direction: 'previous', offset: Math.max(0, offset - limit), limit: Math.min(limit, offset) } : null,
    }
  }

  /**
   * The same place with another token, or null if the list's places are numbers or cannot be changed.
   *
   * @param {Place} place
   * @param {(token: string) => string} change
   */
  withToken(place, change) {
    if (place.token !== undefined) return { ...place, token: change(place.token) }
    if (place.url !== undefined) {
      const url = new URL(place.url)
      const name = this.tokenParameter(url)
      if (!name) return null
      url.searchParams.set(name, change(url.searchParams.get(name)))
      return { ...place, url: url.href }
    }
    if (place.page !== undefined) return { ...place, page: change(String(place.page)) }
    return { ...place, offset: change(String(place.offset)) }
  }

  /** The places and moments that an answer names, by their paths. */
  tokens({ body, headers, request }) {
    const { next, previous, top, refresh, graphql } = this.dialect
    const tokens = {}
    for (const path of [next, previous, top].flatMap((side) => side?.token ?? side?.url ?? []).concat(refresh?.moment ?? [])) {
      const whole = graphql?.path ? `${graphql.path}.${path}` : path
      const token = read(body, whole)
      if (typeof token === 'string' && token !== '') tokens[whole] = /^\//.test(token) ? new URL(token, request.url).href : token
    }
    for (const side of [next, previous]) {
      const url = side?.rel && linkHeader(headers.get('link'), side.rel)
      if (url) tokens[`rel:${side.rel}`] = new URL(url, request.url).href
    }
    return tokens
  }

  /** The limit that a place brings with it, or undefined. */
  limitOf(place) {
    if (place?.url === undefined) return place?.limit
    const text = new URL(place.url).searchParams.get(this.dialect.limit ?? '')
    return /^\d+$/.test(text ?? '') ? Number(text) : undefined
  }

  /** The parameter of a URL of the API that holds the place. */
  tokenParameter(url) {
    const known = [this.dialect.cursor ?? []].flat().find((name) => url.searchParams.has(name))
    return known ?? [...url.searchParams.keys()].find((name) => name !== this.dialect.limit && !this.url.searchParams.has(name))
  }

  /** The token of a place, or null. */
  token(place) {
    if (place?.url !== undefined) {
      const url = new URL(place.url)
      const name = this.tokenParameter(url)
      return name ? url.searchParams.get(name) : null
    }
    return place?.token ?? null
  }

  /** Whether places are tokens that only the API can read. */
  get opaque() {
    return (this.dialect.paging === 'token' && !this.dialect.next.item) || this.dialect.paging === 'url'
  }

  get canGoBack() {
    return this.dialect.previous !== undefined && this.dialect.previous !== null && this.dialect.previous !== false
  }
}

function number(value) {
  return value === undefined || value === null || value === '' || Number.isNaN(Number(value)) ? undefined : Number(value)
}

function linkHeader(header, rel) {
  for (const [, url, parameters] of (header ?? '').matchAll(/<([^>]*)>([^<]*)/g)) {
    if (new RegExp(`rel="?([^"]*\\s)?${rel}(\\s|"|;|,|$)`, 'i').test(parameters)) return url
  }
  return null
}
