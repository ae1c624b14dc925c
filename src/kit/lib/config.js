import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'
import { DIALECTS, detect, settle } from './dialects.js'
import { CannotRun, UnknownApi } from './errors.js'
import { Client } from './http.js'
import { List, NoPage } from './list.js'
import { HttpWriter, SqlWriter } from './writer.js'

const MEMBERS = new Set(['url', 'dialect', 'headers', 'oauth', 'timeout', 'lag', 'lists', 'fields', 'write', 'key', 'items', 'item',
  'limit', 'max-limit', 'paging', 'next', 'previous', 'top', 'flags', 'total', 'pages', 'graphql', 'cursor', 'shortPages', 'emptyLastPage', 'refresh'])

const LIST_MEMBERS = new Set(['url', 'query', 'variables', 'order', 'where', 'live', 'max-limit'])

/** Reads a configuration file. `${NAME}` stands for an environment variable. */
export async function loadConfig(file) {
  let text
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    throw new CannotRun(`The file ${file} cannot be read: ${error.message}`)
  }
  const config = parseConfig(text, file)
  for (const name of Object.keys(config)) {
    if (!MEMBERS.has(name)) throw new CannotRun(`${file}: unknown member "${name}". Known are ${[...MEMBERS].join(', ')}.`)
  }
  for (const [name, list] of Object.entries(config.lists ?? {})) {
    for (const member of Object.keys(list ?? {})) {
      if (!LIST_MEMBERS.has(member)) throw new CannotRun(`${file}: unknown member "${member}" of the list ${name}. Known are ${[...LIST_MEMBERS].join(', ')}.`)
    }
    if (config.graphql && list?.query) throw new CannotRun(`${file}: the list ${name} has a "query", but a list of a GraphQL API has "variables".`)
    if (!config.graphql && list?.variables) throw new CannotRun(`${file}: the list ${name} has "variables", which only a GraphQL API has.`)
  }
  if (!config.url) throw new CannotRun(`${file}: "url" is missing`)
  return config
}

function parseConfig(text, file) {
  const config = parseYaml(text.replace(/\$\{(\w+)\}/g, (_, name) => {
    if (process.env[name] === undefined) throw new CannotRun(`${file}: the environment variable ${name} is not set`)
    return process.env[name]
  }), file)
  if (config === null || typeof config !== 'object' || Array.isArray(config)) throw new CannotRun(`${file}: not a configuration`)
  return config
}

function parseYaml(text, file) {
  try {
    return parse(text)
  } catch (error) {
    throw new CannotRun(`${file}: ${error.message}`)
  }
}

/**
 * Asks the API for one page, recognizes its dialect, and makes the lists.
 *
 * @param {any} config
 * @param {{say?: (text: string) => void, allowEmpty?: boolean}} options
 */
export async function connect(config, { say = () => {}, allowEmpty = false } = {}) {
  checkUrl(config.url)
  const client = new Client({ headers: config.headers, oauth: config.oauth, timeout: config.timeout, say })
  const named = config.dialect
  if (named && !DIALECTS[named]) throw new CannotRun(`There is no dialect "${named}". Known are ${Object.keys(DIALECTS).join(', ')}.`)
  let answer = config.graphql?.query ? await askGraphql(client, config) : await client.call({ url: firstUrl(config, named) })
  if (answer.status === 400 && !config.graphql) {
    // Some APIs require a limit.
    const url = new URL(firstUrl(config, named))
    url.searchParams.set('limit', '5')
    answer = await client.call({ url: url.href })
  }
  explainStatus(answer, config.url)
  const name = named ?? detect(answer)
  const ownPaging = config.items && config.paging
  if (!name && !ownPaging) {
    throw new UnknownApi(`The kit does not recognize the answer of ${config.url}: it has the members ${members(answer.body)}. ` +
      'Choose a dialect with --dialect, or describe the list in a file that "list-kit init" writes.', answer)
  }
  let dialect = merge(settle(name ? DIALECTS[name] : { title: 'described in the file', flags: 'none' }, answer), config)
  say(`dialect: ${dialect.title}${named || !name ? '' : ' (recognized from the answer; --dialect overrides it)'}`)
  const definitions = config.lists ?? { list: {} }
  const lists = Object.entries(definitions).map(([listName, list]) => new List(listName, dialect, { url: config.url, 'max-limit': config['max-limit'], ...list }))
  const items = firstItems(lists[0], answer)
  say(`items at ${dialect.items}, key ${dialect.key}, ${items.length} on the first page`)
  const writer = config.write ? await makeWriter(config, client, dialect) : null
  if (items.length === 0 && !writer && !allowEmpty) throw new CannotRun(`The list at ${config.url} has no items, and the kit has no way to write some ("write" in the configuration).`)
  if (items.length > 0 && items[0].key === undefined) {
    throw new CannotRun(`The items have no ${dialect.key}. Say where their key is with "key": an item has the members ${members(items[0].raw)}.`)
  }
  return { client, lists, writer, dialect, answer, name }
}

function firstItems(list, answer) {
  try {
    return list.parse(answer, null, undefined).items
  } catch (error) {
    throw error instanceof NoPage ? new CannotRun(`${list.url.href} gives no page: ${error.message}.`) : error
  }
}

function firstUrl(config, named) {
  const url = new URL(config.url)
  const list = Object.values(config.lists ?? {})[0]
  for (const [parameter, value] of Object.entries(list?.query ?? {})) url.searchParams.set(parameter, String([value].flat()[0]))
  if (named === 'json-server') url.searchParams.set('_page', '1')
  return url.href
}

function askGraphql(client, config) {
  const variables = Object.values(config.lists ?? {})[0]?.variables ?? {}
  return client.call({ method: 'POST', url: config.url, body: { query: config.graphql.query, variables: { ...variables, first: 5 } } })
}

function checkUrl(url) {
  let parsed
  try {
    parsed = new URL(url)
  } catch {
    throw new CannotRun(`"${url}" is no URL.`)
  }
  if (!/^https?:$/.test(parsed.protocol)) throw new CannotRun(`"${url}" is no HTTP URL.`)
}

export function explainStatus(answer, url) {
  const { status, text } = answer
  if (status === 401 || status === 403) throw new CannotRun(`${url} rejects the kit (status ${status}). Pass what it needs, for example --header "Authorization: Bearer …".`)
  if (status === 404) throw new CannotRun(`There is nothing at ${url} (status 404).`)
  if (text.trim() === '') throw new CannotRun(`${url} answers with status ${status} and nothing else.`)
  if (answer.body === undefined) {
    const html = /^\s*</.test(text)
    throw new CannotRun(`${url} answers with ${html ? 'HTML, a page for people' : 'something that is not JSON'}: is it the address of the API?`)
  }
  if (status < 200 || status > 299) throw new CannotRun(`${url} answers with status ${status}: ${text.slice(0, 200)}`)
}

function members(body) {
  return Array.isArray(body) ? 'of an array' : body && typeof body === 'object' ? Object.keys(body).join(', ') : 'none'
}

function merge(dialect, config) {
  const merged = { ...dialect }
  for (const member of ['key', 'items', 'item', 'limit', 'paging', 'flags', 'total', 'graphql', 'cursor', 'shortPages', 'emptyLastPage', 'max-limit', 'refresh', 'pages']) {
    if (config[member] !== undefined) merged[member] = config[member]
  }
  for (const side of ['next', 'previous', 'top']) {
    if (config[side] === null || config[side] === false) merged[side] = undefined
    else if (config[side]) merged[side] = { ...merged[side], ...config[side] }
  }
  return merged
}

async function makeWriter(config, client, dialect) {
  const { write } = config
  const templates = write.sql ?? write
  for (const name of ['create', 'delete']) {
    if (!templates[name]) throw new CannotRun(`"write" has no "${name}": the kit must be able to delete what it creates.`)
  }
  return write.sql ? SqlWriter.connect(client, write.sql) : new HttpWriter(client, write, dialect, config.url)
}
