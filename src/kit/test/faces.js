import { send, shown } from './broken-server.js'

/**
 * The server of the tests as other APIs would look. Each face answers GET /api/rows (Relay: POST) in its own way.
 * `cursors` says that its places survive writes; the others count.
 */
export const FACES = {
  'tidemark-v3': {
    cursors: true, back: true,
    read(server, list, url) {
      const limit = needed(server, url, 'limit')
      const page = cursorPage(server, list, limit, url.searchParams.get('after'), url.searchParams.get('before'))
      return { code: 0, result: { rows: page.items, paging: { cursors: {}, next: page.next, previous: page.previous, count: server.select(list).length } } }
    },
  },
  link: {
    cursors: true, back: true,
    read(server, list, url, { headers }) {
      const page = cursorPage(server, list, needed(server, url, 'per_page', 10), url.searchParams.get('cursor'))
      const links = [page.next && ['next', page.next], page.previous && ['prev', page.previous], ['first', null]].filter(Boolean)
      headers.link = links.map(([rel, cursor]) => `<${withParameter(url, 'cursor', cursor)}>; rel="${rel}"`).join(', ')
      return page.items
    },
  },
  stripe: {
    cursors: false, back: true,
    read(server, list, url) {
      const [after, before] = [url.searchParams.get('starting_after'), url.searchParams.get('ending_before')]
      const row = after ?? before ? server.rows.find(({ id }) => String(id) === (after ?? before)) : null
      if (row === undefined) throw problem()
      const page = server.pageOf(list, row && { d: before === null ? 'next' : 'previous', r: row }, needed(server, url, 'limit', 10))
      return { object: 'list', data: page.rows.map(shown), has_more: before === null ? page.behind : page.before, url: '/api/rows' }
    },
  },
  relay: {
    cursors: true, back: true, graphql: { path: 'data.rows', query: 'query($first: Int, $after: String, $last: Int, $before: String) { rows }' },
    read(server, list, url, { body }) {
      if (!body) throw problem()
      const { first, after, last, before } = body.variables ?? {}
      if (!((first ?? last) > 0)) throw problem()
      const place = after ?? before
      const page = server.pageOf(list, place ? { ...server.open(list, place), d: before ? 'previous' : 'next' } : null, Math.min(first ?? last, 50))
      const edges = page.rows.map((row) => ({ node: shown(row), cursor: server.seal(list, 'next', row) }))
      return { data: { rows: { edges, pageInfo: { hasNextPage: before ? false : page.behind, hasPreviousPage: before ? page.before : false,
        startCursor: page.previous ?? null, endCursor: page.next ?? null } } } }
    },
  },
  jsonapi: {
    cursors: true, back: true, order: 'attributes.',
    read(server, list, url, { headers }) {
      const page = cursorPage(server, list, needed(server, url, 'page[size]', 10), url.searchParams.get('page[cursor]'))
      const link = (cursor) => cursor && withParameter(url, 'page[cursor]', cursor)
      headers['content-type'] = 'application/vnd.api+json'
      return { data: page.items.map(({ id, ...attributes }) => ({ type: 'rows', id: String(id), attributes })), links: { next: link(page.next), prev: link(page.previous) } }
    },
  },
  aip158: {
    cursors: true, back: false,
    read(server, list, url) {
      const page = cursorPage(server, list, needed(server, url, 'pageSize', 10), url.searchParams.get('pageToken') || null)
      return { rows: page.items, nextPageToken: page.next ?? '' }
    },
  },
  drf: {
    cursors: true, back: true,
    read(server, list, url) {
      const page = cursorPage(server, list, needed(server, url, 'page_size', 10), url.searchParams.get('cursor'))
      const link = (cursor) => cursor && withParameter(url, 'cursor', cursor)
      return { next: link(page.next), previous: link(page.previous), results: page.items }
    },
  },
  odata: {
    cursors: true, back: false,
    read(server, list, url) {
      const page = cursorPage(server, list, needed(server, url, '$top', 10), url.searchParams.get('$skiptoken'))
      return { '@odata.context': '$metadata#rows', value: page.items, ...(page.next ? { '@odata.nextLink': withParameter(url, '$skiptoken', page.next) } : {}) }
    },
  },
  hydra: {
    cursors: false, back: true, key: 'id',
    read(server, list, url) {
      const [page, size] = [needed(server, url, 'page', 1), needed(server, url, 'itemsPerPage', 10)]
      const { items, total } = counted(server, list, (page - 1) * size, size)
      const link = (number) => withParameter(url, 'page', number)
      return { '@context': '/contexts/Row', 'hydra:totalItems': total, 'hydra:member': items, 'hydra:view': {
        ...(page * size < total ? { 'hydra:next': link(page + 1) } : {}), ...(page > 1 ? { 'hydra:previous': link(page - 1) } : {}) } }
    },
  },
  spring: {
    cursors: false, back: true, key: 'id',
    read(server, list, url) {
      const [page, size] = [needed(server, url, 'page', 0, 0), needed(server, url, 'size', 10)]
      const { items, total } = counted(server, list, page * size, size)
      const link = (number) => ({ href: withParameter(url, 'page', number) })
      return { _embedded: { rows: items }, _links: { self: {}, ...((page + 1) * size < total ? { next: link(page + 1) } : {}), ...(page > 0 ? { prev: link(page - 1) } : {}) },
        page: { size, totalElements: total, totalPages: Math.ceil(total / size), number: page } }
    },
  },
  strapi: {
    cursors: false, back: true, key: 'id',
    read(server, list, url) {
      const [page, size] = [needed(server, url, 'pagination[page]', 1), needed(server, url, 'pagination[pageSize]', 10)]
      const { items, total } = counted(server, list, (page - 1) * size, size)
      return { data: items, meta: { pagination: { page, pageSize: size, pageCount: Math.ceil(total / size), total } } }
    },
  },
  postgrest: {
    cursors: false, back: true,
    read(server, list, url, { request, headers }) {
      const [, from, to] = /^(\d+)-(\d+)$/.exec(request.headers.range ?? '0-9') ?? []
      if (from === undefined) throw problem()
      const { items, total } = counted(server, list, Number(from), Math.min(50, to - from + 1))
      headers['content-range'] = items.length ? `${from}-${Number(from) + items.length - 1}/${total}` : `*/${total}`
      return items
    },
  },
  'json-server': {
    cursors: false, back: true,
    read(server, list, url, { headers }) {
      const [page, size] = [needed(server, url, '_page', 1), needed(server, url, '_limit', 10)]
      const { items, total } = counted(server, list, (page - 1) * size, size)
      headers['x-total-count'] = String(total)
      return items
    },
  },
  offset: {
    cursors: false, back: true,
    read(server, list, url) {
      const [offset, limit] = [needed(server, url, 'offset', 0, 0), needed(server, url, 'limit', 10)]
      return { ...counted(server, list, offset, limit), offset, limit }
    },
  },
  page: {
    cursors: false, back: true,
    read(server, list, url) {
      const [page, size] = [needed(server, url, 'page', 1), needed(server, url, 'per_page', 10)]
      return { ...counted(server, list, (page - 1) * size, size), page, per_page: size }
    },
  },
}

/** The face as BrokenServer takes it. */
export function faceOf(name) {
  return (server, { request, url, body, response }) => {
    if (url.pathname !== '/api/rows') return false
    const headers = {}
    const list = { order: 'newest', status: url.searchParams.get('status') }
    const answer = FACES[name].read(server, list, url, { request, body, headers })
    send(response, 200, answer, headers)
    return true
  }
}

function problem() {
  return Object.assign(new Error('bad_request'), { status: 400 })
}

function needed(server, url, name, otherwise, least = 1) {
  const text = url.searchParams.get(name)
  if (text === null && otherwise !== undefined) return otherwise
  if (!/^\d{1,9}$/.test(text ?? '') && !/^\d{10,}$/.test(text ?? '')) throw problem()
  if (Number(text) < least || (Number(text) > 1e6 && /page$|offset|\[page\]/i.test(name))) throw problem()
  return Math.min(Number(text), /page$|offset|\[page\]/.test(name) ? 1e6 : 50)
}

function cursorPage(server, list, limit, after, before = null) {
  const token = after ?? before
  const page = server.pageOf(list, token === null ? null : server.open(list, token), limit)
  return { items: page.rows.map(shown), next: page.behind ? page.next : null, previous: page.before ? page.previous : null }
}

function counted(server, list, start, size) {
  const all = server.select(list)
  return { items: all.slice(start, start + size).map(shown), total: all.length }
}

function withParameter(url, name, value) {
  const other = new URL(url)
  if (value === null) other.searchParams.delete(name)
  else other.searchParams.set(name, value)
  return other.href
}
