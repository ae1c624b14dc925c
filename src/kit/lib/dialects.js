import { read } from './paths.js'

/**
 * What the kit knows about a kind of API. Everything is data, and a configuration file can replace any part of it.
 *
 * `paging` is how the next page is asked for:
 * - `token`: a value of the answer (`next.token`), or of the last item (`next.item`), goes into a parameter (`next.param`)
 * - `url`: the answer has the whole URL (`next.url`, or `next.rel` of the Link header)
 * - `offset`, `page`: the kit counts items or pages
 * - `range`: as `offset`, in the header Range
 *
 * `flags` says what the answer claims about more items: `both` sides, only in the direction of `reading`, or `none`.
 */
export const DIALECTS = {
  tidemark: {
    title: 'Tidemark /api',
    detect: ({ body }) => has(body, 'items', 'next_cursor', 'prev_cursor', 'cursors'),
    items: 'items', key: 'id', limit: 'limit', paging: 'token', flags: 'both',
    next: { param: 'cursor', token: 'next_cursor', more: 'has_more' },
    previous: { param: 'cursor', token: 'prev_cursor', more: 'has_prev' },
    top: { param: 'cursor', token: 'cursors.top' },
    refresh: {
      moment: 'moment', since: 'since', keys: 'keys', until: 'until', fresh: '/fresh', live: '/live',
    },
    zero: 'rejected',
  },
  'tidemark-v3': {
    title: 'Tidemark /v3',
    detect: ({ body }) => has(body, 'code', 'result') && Array.isArray(body.result?.rows ?? (body.code ? [] : undefined)),
    items: 'result.rows', key: 'id', limit: 'limit', paging: 'token', flags: 'both',
    next: { param: 'after', token: 'result.paging.next' },
    previous: { param: 'before', token: 'result.paging.previous' },
    total: 'result.paging.count', zero: 'empty',
  },
  relay: {
    title: 'Relay connection (GraphQL)',
    detect: ({ body, request }) => typeof request.body?.query === 'string' && body?.data !== undefined,
    items: 'edges', item: 'node', key: 'id', paging: 'token', flags: 'reading', graphql: {},
    next: { param: 'after', token: 'pageInfo.endCursor', more: 'pageInfo.hasNextPage' },
    previous: { param: 'before', token: 'pageInfo.startCursor', more: 'pageInfo.hasPreviousPage' },
    top: { param: 'before', token: 'pageInfo.startCursor' }, zero: 'any',
  },
  strapi: {
    title: 'Strapi',
    detect: ({ body }) => has(body, 'data', 'meta') && body.meta?.pagination !== undefined
      && ('pageCount' in body.meta.pagination || 'start' in body.meta.pagination),
    items: 'data', key: 'documentId', limit: 'pagination[pageSize]', paging: 'page', flags: 'none',
    next: { param: 'pagination[page]' }, previous: { param: 'pagination[page]' },
    total: 'meta.pagination.total', pages: 'meta.pagination.pageCount', zero: 'any',
  },
  jsonapi: {
    title: 'JSON:API',
    detect: ({ body, headers }) => Array.isArray(body?.data)
      && ((headers.get('content-type') ?? '').includes('vnd.api+json') || has(body, 'jsonapi')
        || ['next', 'prev'].every((rel) => rel in (body.links ?? {}))),
    items: 'data', key: 'id', limit: 'page[size]', paging: 'url', flags: 'both',
    next: { url: 'links.next' }, previous: { url: 'links.prev' }, cursor: ['page[after]', 'page[before]', 'page[cursor]'], zero: 'any',
  },
  spring: {
    title: 'Spring Data REST',
    detect: ({ body }) => has(body, '_links', 'page') && 'totalElements' in body.page,
    items: '_embedded.*', key: '_links.self.href', limit: 'size', paging: 'url', flags: 'both', start: '0',
    next: { url: '_links.next.href' }, previous: { url: '_links.prev.href' }, cursor: ['page'],
    total: 'page.totalElements', zero: 'any', missingItems: true,
  },
  stripe: {
    title: 'Stripe',
    detect: ({ body }) => body?.object === 'list' && Array.isArray(body.data) && 'has_more' in body,
    items: 'data', key: 'id', limit: 'limit', paging: 'token', flags: 'reading',
    next: { param: 'starting_after', item: true, more: 'has_more' },
    previous: { param: 'ending_before', item: true, more: 'has_more' },
    top: { param: 'ending_before', item: true }, zero: 'any',
  },
  odata: {
    title: 'OData',
    detect: ({ body }) => Array.isArray(body?.value) && Object.keys(body).some((name) => name.startsWith('@odata.') || name === 'nextLink'),
    items: 'value', key: 'id', limit: '$top', paging: 'url', flags: 'none', cursor: ['$skiptoken', '$after', '$skip'],
    next: { url: ['@odata.nextLink', 'nextLink'] }, zero: 'any',
  },
  hydra: {
    title: 'Hydra (API Platform)',
    detect: ({ body }) => Array.isArray(body?.['hydra:member'] ?? (body?.['@context'] ? body.member : undefined)),
    items: ['hydra:member', 'member'], key: '@id', limit: 'itemsPerPage', paging: 'url', flags: 'both', cursor: ['page'],
    next: { url: ['hydra:view.hydra:next', 'view.next'] }, previous: { url: ['hydra:view.hydra:previous', 'view.previous'] },
    total: 'hydra:totalItems', zero: 'any',
  },
  drf: {
    title: 'Django REST framework',
    detect: ({ body }) => Array.isArray(body?.results) && has(body, 'next', 'previous'),
    items: 'results', key: 'id', limit: 'page_size', paging: 'url', flags: 'both', cursor: ['cursor', 'page', 'offset'],
    next: { url: 'next' }, previous: { url: 'previous' }, zero: 'any',
  },
  aip158: {
    title: 'AIP-158 (page tokens)',
    detect: ({ body }) => has(body, 'nextPageToken') || has(body, 'next_page_token'),
    items: '*', key: ['id', 'name'], limit: { nextPageToken: 'pageSize', next_page_token: 'page_size' }, paging: 'token', flags: 'reading',
    next: { param: { nextPageToken: 'pageToken', next_page_token: 'page_token' }, token: ['nextPageToken', 'next_page_token'] },
    shortPages: true, emptyLastPage: true, zero: 'any', missingItems: true,
  },
  postgrest: {
    title: 'PostgREST',
    detect: ({ body, headers }) => Array.isArray(body) && /^(\d+-\d+|\*)\/(\d+|\*)$/.test(headers.get('content-range') ?? ''),
    items: '$', key: 'id', paging: 'range', flags: 'none', next: {}, previous: {}, zero: 'any',
    create: { headers: { prefer: 'return=representation' } },
  },
  'json-server': {
    title: 'json-server',
    detect: ({ body, headers }) => Array.isArray(body) && headers.get('x-powered-by') === 'Express'
      && (headers.get('access-control-expose-headers') ?? '').includes('X-Total-Count')
      || (Array.isArray(body) && headers.has('x-total-count')),
    items: '$', key: 'id', limit: '_limit', paging: 'page', flags: 'none', linkHeader: true,
    next: { param: '_page' }, previous: { param: '_page' }, totalHeader: 'x-total-count', zero: 'any',
  },
  link: {
    title: 'Link header (GitHub)',
    detect: ({ headers }) => /rel="?(next|prev|first|last)"?/.test(headers.get('link') ?? ''),
    items: ['$', '*'], key: 'id', limit: 'per_page', paging: 'url', flags: 'both', cursor: ['page', 'cursor', 'after', 'before'],
    next: { rel: 'next' }, previous: { rel: 'prev' }, zero: 'any',
  },
  offset: {
    title: 'offset and limit',
    detect: ({ body, url }) => array(body) && (has(body, 'offset') || has(body, 'skip') || has(body?.meta, 'offset')
      || ['offset', 'skip'].some((name) => url.searchParams.has(name))),
    items: '*', key: 'id', limit: 'limit', paging: 'offset', flags: 'none',
    next: { param: 'offset' }, previous: { param: 'offset' }, total: ['total', 'count', 'meta.total'], zero: 'any',
  },
  page: {
    title: 'page number',
    detect: ({ body, url }) => array(body) && (has(body, 'page') || has(body, 'current_page') || has(body?.meta, 'page')
      || has(body?.meta, 'current_page') || url.searchParams.has('page')),
    items: '*', key: 'id', limit: 'per_page', paging: 'page', flags: 'none',
    next: { param: 'page' }, previous: { param: 'page' }, total: ['total', 'meta.total'], zero: 'any',
  },
}

function has(object, ...names) {
  return object !== null && typeof object === 'object' && names.every((name) => name in object)
}

function array(body) {
  return Array.isArray(body) || (body !== null && typeof body === 'object' && Object.values(body).some(Array.isArray))
}

/**
 * Recognizes the dialect of an answer.
 *
 * @param {import('./http.js').Answer} answer
 * @returns {string|null}
 */
export function detect(answer) {
  const seen = { ...answer, url: new URL(answer.request.url) }
  return Object.keys(DIALECTS).find((name) => DIALECTS[name].detect(seen)) ?? null
}

/** Replaces the alternatives of a dialect by those that the first answer has, such as the names of its parameters. */
export function settle(dialect, answer) {
  const settled = structuredClone({ ...dialect, detect: undefined })
  const body = answer.body
  const firstPath = (paths, accept = (value) => value !== undefined) =>
    Array.isArray(paths) ? paths.find((path) => accept(read(body, path))) ?? paths[0] : paths
  const byMember = (names) => (names && typeof names === 'object' && !Array.isArray(names)
    ? Object.entries(names).find(([member]) => has(body, member))?.[1] ?? Object.values(names)[0] : names)
  settled.items = firstPath(settled.items, Array.isArray)
  settled.limit = byMember(settled.limit)
  settled.total = firstPath(settled.total)
  for (const side of ['next', 'previous']) {
    if (!settled[side]) continue
    settled[side].param = byMember(settled[side].param)
    if (settled[side].token) settled[side].token = firstPath(settled[side].token)
    if (settled[side].url) settled[side].url = firstPath(settled[side].url)
  }
  if (Array.isArray(settled.key)) {
    const first = read(read(body, settled.items)?.[0], settled.item ?? '$')
    settled.key = settled.key.find((path) => read(first, path) !== undefined) ?? settled.key[0]
  }
  if (dialect === DIALECTS.offset || dialect === DIALECTS.page) settleNames(settled, answer)
  return settled
}

/** Takes the names of the parameters from the URL, or from the names that the answer repeats. */
function settleNames(dialect, answer) {
  const url = new URL(answer.request.url)
  const named = (...names) => names.find((name) => url.searchParams.has(name))
    ?? names.find((name) => has(answer.body, name)) ?? names.find((name) => has(answer.body?.meta, name))
  if (dialect.paging === 'offset') {
    dialect.next.param = dialect.previous.param = named('offset', 'skip') ?? 'offset'
    dialect.limit = named('limit', 'take', 'count') ?? 'limit'
  } else {
    dialect.next.param = dialect.previous.param = named('page', 'current_page') === 'current_page' ? 'page' : named('page') ?? 'page'
    dialect.limit = named('per_page', 'perPage', 'page_size', 'pageSize', 'limit', 'size') ?? 'per_page'
  }
}
