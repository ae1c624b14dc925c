import { writeFile } from 'node:fs/promises'
import { stringify } from 'yaml'
import { connect, explainStatus } from './config.js'
import { CannotRun, UnknownApi, WriteFailed } from './errors.js'
import { Client } from './http.js'
import { compareValues, microseconds } from './order.js'
import { read } from './paths.js'
import { HttpWriter } from './writer.js'

/** How dialects wrap an item that is sent, and ask for an order. */
const HABITS = {
  strapi: { wrap: (item) => ({ data: item }), methods: ['PUT'], sort: (field, down) => ({ sort: `${field}:${down ? 'desc' : 'asc'}` }) },
  spring: { methods: ['PUT', 'PATCH'], whole: true, sort: (field, down) => ({ sort: `${field},${down ? 'desc' : 'asc'}` }) },
  'json-server': { sort: (field, down) => ({ _sort: field, _order: down ? 'desc' : 'asc' }) },
  postgrest: { sort: (field, down) => ({ order: `${field}.${down ? 'desc' : 'asc'}` }) },
  offset: { sort: (field, down) => ({ sort: `${down ? '-' : ''}${field}` }) },
}

/** Asks the API what its list is like, and writes a configuration file. */
export async function init(config, { write, field, output = 'list-kit.yaml', example, out }) {
  const say = (text) => out(`${text}\n`)
  const described = await describe(config, field, say)
  if (write) {
    if (!described.client && !described.graphql) throw new CannotRun('Of an API that no dialect describes, the kit writes a file without --write: correct it, and add "write" as in the README.')
    if (described.graphql) throw new CannotRun('For GraphQL, write the mutations, or SQL, into the file yourself: see "write" in the README.')
    await tryWrites(described, example, say)
  }
  const { client: _, ...file } = described
  const text = (file.paging ? UNKNOWN_HINT : '') + stringify(file, { lineWidth: 0, aliasDuplicateObjects: false }) + (file.graphql ? VARIABLES_HINT : '') + (file.write ? '' : WRITE_HINT)
  try {
    await writeFile(output, text, { flag: 'wx' })
  } catch (error) {
    throw new CannotRun(error.code === 'EEXIST' ? `${output} exists already: choose another with --output.` : `${output} cannot be written: ${error.message}`)
  }
  say(`${output} is written. Next: list-kit run ${output}`)
  return 0
}

const UNKNOWN_HINT = `# No dialect describes this API, so what follows is a guess from one answer: correct it. See "A list that no dialect
# describes" in the README.
`

const VARIABLES_HINT = `# For another list, pass other variables to the query, and say in which order it is:
#   newest: {variables: {orderBy: […]}, order: [created_at time desc, id number desc]}
`

const WRITE_HINT = `# Without "write", the kit only reads. It removes the rows that it has written.
# fields: {created_at: time, rank: number?}      # the values that the kit chooses for its rows
# write:
#   create: {method: POST, url: …, body: {subject: "{{mark}}", created_at: "{{created_at}}", rank: "{{rank}}"}}
#   update: {method: PATCH, url: "…/{{key}}", body: {…}}
#   delete: DELETE …/{{key}}
`

async function describe(config, field, say) {
  const client = new Client({ headers: config.headers, oauth: config.oauth, timeout: config.timeout })
  const connection = await connect({ ...config }, { say, allowEmpty: true }).catch(async (error) => {
    if (!(error instanceof CannotRun)) throw error
    const graphql = await describeGraphql(client, config, field, say)
    if (graphql) return graphql
    if (!(error instanceof UnknownApi)) throw error
    return describeUnknown(error.answer, config, say)
  })
  if (connection.graphql || connection.paging) return connection
  const { name, dialect, lists: [list], answer } = connection
  const file = { url: config.url, ...(config.headers ? { headers: config.headers } : {}), dialect: name, key: dialect.key }
  const [item] = list.parse(answer, null, undefined).items
  file.client = { ...connection, item: item?.raw }
  file.lists = { all: {} }
  return file
}

/** What the members of the answer of an unknown API seem to be. */
async function describeUnknown({ body }, config, say) {
  const paths = [...pathsIn(body)]
  const [items = 'items', rows = []] = paths.find(([, value]) => Array.isArray(value) && value.every(isObject)) ?? []
  const inItems = (path) => path === items || path.startsWith(`${items}.`)
  const found = (name, accept) => paths.find(([path, value]) => !inItems(path) && name.test(path.split('.').at(-1)) && accept(value))?.[0]
  const url = found(/next/i, (value) => typeof value === 'string' && /^(https?:|\/)/.test(value))
  const token = found(/next|cursor|continuation|after/i, (value) => ['string', 'number'].includes(typeof value))
  const more = found(/has_?(more|next)|more$/i, (value) => typeof value === 'boolean')
  const next = url ? { url } : token ? { param: 'cursor', token } : { param: 'offset' }
  const names = Object.keys(rows[0] ?? {})
  const guess = {
    items, key: ['id', '_id', 'uuid', 'key'].find((name) => names.includes(name)) ?? names[0] ?? 'id', limit: 'limit',
    paging: url ? 'url' : token ? 'token' : 'offset', next: { ...next, ...(more ? { more } : {}) }, flags: more ? 'reading' : 'none',
  }
  say(`dialect: none is known, so the file describes a list of ${rows.length} items at ${items}, key ${guess.key}, paging by ${guess.paging}`)
  const connection = await connect({ ...config, ...guess }, { allowEmpty: true }).catch((error) => {
    if (!(error instanceof CannotRun)) throw error
    return null
  })
  const [item] = connection ? connection.lists[0].parse(connection.answer, null, undefined).items : []
  return {
    url: config.url, ...(config.headers ? { headers: config.headers } : {}), ...guess,
    ...(connection ? { client: { ...connection, item: item?.raw } } : {}), lists: { all: {} },
  }
}

const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value)

/** The paths of all members of a body, the upper ones first, but not of those within arrays. */
function* pathsIn(body) {
  if (Array.isArray(body)) yield ['$', body]
  for (let level = isObject(body) ? [['', body]] : []; level.length > 0;) {
    const below = level.flatMap(([path, object]) => Object.entries(object).map(([name, value]) => [path === '' ? name : `${path}.${name}`, value]))
    yield* below
    level = below.filter(([, value]) => isObject(value))
  }
}

/** Tries how to create, change, and delete an item, and keeps what works. Removes what it has created. */
async function tryWrites(file, example, say) {
  const { client: { client, dialect, item: shown, lists: [list] } } = file
  const url = new URL(file.url)
  url.search = ''
  const base = url.href.replace(/\/$/, '')
  const sample = example ? JSON.parse(example) : shown
  if (!sample) throw new CannotRun('The list is empty. Create one item first, or pass one with --example \'{"…": …}\', so that the kit sees what an item is like.')
  const habits = HABITS[file.dialect] ?? {}
  const wrap = habits.wrap ?? ((item) => item)
  const remove = file.dialect === 'spring' ? 'DELETE {{key}}' : `DELETE ${base}/{{key}}`
  const own = ([name, value]) => name !== dialect.key && !/^(id|_id|documentId|_links|locale|publishedAt)$/.test(name) && (value === null || typeof value !== 'object')
  const generated = ([name]) => /^(created|updated|modified)_?(at|on|date)$/i.test(name)
  // Many APIs set the times of creation and of changes themselves, and some reject a request that names them.
  const attempts = [Object.entries(sample).filter(own), Object.entries(sample).filter((entry) => own(entry) && !generated(entry))]
  const made = []
  const plan = (names) => {
    const types = Object.fromEntries(names.map(([name, value]) => [name, typeOf(value)]))
    const mark = Object.keys(types).find((name) => types[name] === 'text')
    const template = Object.fromEntries(names.map(([name, value]) => [name, name === mark ? '{{mark}}'
      : ['time', 'number', 'boolean'].includes(types[name]) ? `{{${name}}}` : value]).filter(([, value]) => value !== null))
    const fields = Object.fromEntries(Object.keys(template).filter((name) => template[name] === `{{${name}}}`).map((name) => [name, types[name]]))
    const create = { method: 'POST', url: base, body: wrap(template) }
    return { mark, template, fields, create, writer: new HttpWriter(client, { create, delete: remove }, dialect, file.url) }
  }
  let { mark, template, fields, create, writer } = plan(attempts[0])
  const values = (more = {}) => ({ mark: `kit${Date.now().toString(36)}`, ...Object.fromEntries(Object.entries(fields).map(([name, type]) => [name, sampleOf(type)])), ...more })
  try {
    let first
    try {
      first = await writer.create(values())
    } catch (error) {
      if (!(error instanceof WriteFailed) || attempts[0].length === attempts[1].length) throw error;
      ({ mark, template, fields, create, writer } = plan(attempts[1]))
      first = await writer.create(values())
    }
    made.push(first.key)
    say(`creates an item: POST ${base}, key ${first.key}`)
    const stored = await find(client, list, first.key)
    for (const name of Object.keys(fields)) {
      const value = stored ? read(stored, name) : undefined
      if (value === undefined || value === null || compareValues('auto', value, values()[name]) !== 0) {
        say(`${name} does not keep what is written (${value}): the kit does not choose it`)
        delete fields[name]
        delete template[name]
      }
    }
    for (const name of Object.keys(fields)) {
      try {
        const { key } = await writer.create(values({ [name]: null }))
        made.push(key)
        if (read(await find(client, list, key), name) === null) fields[name] += '?'
      } catch (error) {
        if (!(error instanceof WriteFailed)) throw error
      }
    }
    say(`chooses the values of ${Object.keys(fields).map((name) => `${name} (${fields[name]})`).join(', ') || 'no field'}`)
    const one = file.dialect === 'spring' ? '{{key}}' : `${base}/{{key}}`
    let update
    for (const method of habits.methods ?? ['PATCH', 'PUT']) {
      const candidate = { method, url: one, body: wrap(template) }
      const other = new HttpWriter(client, { update: candidate, delete: remove }, dialect, file.url)
      const changed = values()
      try {
        await other.update(first.key, changed)
        if (!mark || read(await find(client, list, first.key), mark) === changed.mark) {
          update = candidate
          say(`changes an item: ${method} ${one}`)
          break
        }
      } catch (error) {
        if (!(error instanceof WriteFailed)) throw error
      }
    }
    file.fields = fields
    file.write = { create, ...(update ? { update } : {}), delete: remove }
    file.lists = await tryOrders(client, list, habits, fields, say)
  } catch (error) {
    if (!(error instanceof WriteFailed)) throw error
    throw new CannotRun(`The kit cannot create an item: ${error.message}`)
  } finally {
    for (const key of made) await writer.remove(key).catch((error) => say(`could not delete the item ${key}: ${error.message}`))
  }
}

/** A list for each field that the API can sort by; where nulls stand is seen from the items. */
async function tryOrders(client, list, habits, fields, say) {
  const lists = { all: {} }
  if (!habits.sort) return lists
  for (const [name, type] of Object.entries(fields)) {
    if (type.startsWith('boolean')) continue
    for (const down of type.startsWith('time') ? [true] : [false]) {
      const query = habits.sort(name, down)
      const url = new URL(list.url)
      for (const [parameter, value] of Object.entries(query)) url.searchParams.set(parameter, value)
      const answer = await client.call({ url: url.href })
      if (answer.status !== 200) continue
      const items = list.parse(answer, null, undefined).items.map(({ raw }) => read(raw, name))
      const nulls = type.endsWith('?') && items.includes(null) && items.some((value) => value !== null) ? ` nulls ${items[0] === null ? 'first' : 'last'}` : ''
      lists[`${name}-${down ? 'newest' : 'lowest'}`] = { query, order: [`${name} ${type.replace('?', '')}${down ? ' desc' : ''}${nulls}`] }
      say(`sorts by ${name}${down ? ', descending' : ''}${nulls && `, ${nulls.trim()}`}: the file declares no second column, because the API names none`)
    }
  }
  return lists
}

async function find(client, list, key) {
  const answer = await client.call(list.request(null, list.maxLimit))
  explainStatus(answer, list.url.href)
  let page = list.parse(answer, null, list.maxLimit)
  for (let i = 0; i < 50; i++) {
    const item = page.items.find((candidate) => candidate.key === key)
    if (item || !page.next) return item?.raw
    page = list.parse(await client.call(list.request(page.next, list.maxLimit)), page.next, list.maxLimit)
  }
  return undefined
}

function typeOf(value) {
  if (typeof value === 'number' && Number.isInteger(value)) return 'number'
  if (typeof value === 'boolean') return 'boolean'
  return microseconds(value) !== null ? 'time' : typeof value === 'string' ? 'text' : 'other'
}

function sampleOf(type) {
  return type.startsWith('time') ? '2026-01-16T12:00:01.250Z' : type.startsWith('number') ? 3 : true
}

const INTROSPECTION = `{__schema{queryType{fields{name args{name type{name kind ofType{name kind ofType{name kind ofType{name}}}}}
type{name kind ofType{name}}}} types{name kind fields{name type{name kind ofType{name kind ofType{name kind ofType{name kind}}}}}}}}`

/** A GraphQL endpoint: the connection `field`, or the first that there is. */
async function describeGraphql(client, config, field, say) {
  const answer = await client.call({ method: 'POST', url: config.url, body: { query: INTROSPECTION } }).catch(() => null)
  const schema = answer?.body?.data?.__schema
  if (!schema) return null
  const types = new Map(schema.types.map((type) => [type.name, type]))
  const named = (type) => type.name ?? named(type.ofType)
  const connections = schema.queryType.fields.filter((candidate) => ['first', 'after'].every((name) => candidate.args.some((arg) => arg.name === name))
    && types.get(named(candidate.type))?.fields?.some(({ name }) => name === 'edges'))
  const chosen = connections.find(({ name }) => name === field) ?? (field ? null : connections[0])
  if (!chosen) throw new CannotRun(`There is no connection ${field ? `"${field}"` : 'with first and after'}. There are ${connections.map(({ name }) => name).join(', ') || 'none'}.`)
  say(`dialect: Relay connection (GraphQL), ${chosen.name} of ${connections.map(({ name }) => name).join(', ')}`)
  const edge = types.get(named(types.get(named(chosen.type)).fields.find(({ name }) => name === 'edges').type))
  const node = types.get(named(edge.fields.find(({ name }) => name === 'node').type))
  const scalars = node.fields.filter(({ type }) => ['SCALAR', 'ENUM'].includes(types.get(named(type))?.kind)).map(({ name }) => name)
  const typeText = (type) => type.kind === 'NON_NULL' ? `${typeText(type.ofType)}!` : type.kind === 'LIST' ? `[${typeText(type.ofType)}]` : type.name
  const has = (name) => chosen.args.find((arg) => arg.name === name)
  const parameters = ['first', 'after', 'last', 'before', 'orderBy'].map(has).filter(Boolean)
  const query = `query(${parameters.map(({ name, type }) => `$${name}: ${typeText(type)}`).join(', ')}) { ${chosen.name}(${parameters.map(({ name }) => `${name}: $${name}`).join(', ')}) `
    + `{ edges { node { ${scalars.join(' ')} } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`
  const key = ['rowId', 'id', 'nodeId'].find((name) => scalars.includes(name)) ?? scalars[0]
  return {
    url: config.url, ...(config.headers ? { headers: config.headers } : {}), dialect: 'relay', key, graphql: { path: `data.${chosen.name}`, query },
    ...(has('before') && has('last') ? {} : { previous: false, top: false }), lists: { all: {} },
  }
}
