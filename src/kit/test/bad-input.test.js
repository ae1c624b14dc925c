import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { stringify } from 'yaml'
import { main } from '../lib/cli.js'
import { BrokenServer } from './broken-server.js'

const servers = []
after(() => servers.forEach((server) => server.closeAllConnections?.() ?? server.close()))

async function serve(listener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  servers.push(server)
  after(() => server.close())
  return `http://127.0.0.1:${server.address().port}`
}

async function broken(defects = [], options = {}) {
  const server = await new BrokenServer(defects, options).start()
  after(() => server.stop())
  return server
}

async function kit(...args) {
  let [out, err] = ['', '']
  const status = await main(args, { out: (text) => { out += text }, err: (text) => { err += text } })
  return { status, out, err }
}

const directories = []
after(() => Promise.all(directories.map((directory) => rm(directory, { recursive: true }))))

async function temporaryDirectory() {
  const directory = await mkdtemp(join(tmpdir(), 'list-kit-'))
  directories.push(directory)
  return directory
}

async function file(config) {
  const directory = await temporaryDirectory()
  const path = join(directory, 'kit.yaml')
  await writeFile(path, typeof config === 'string' ? config : stringify(config))
  return path
}

const json = (body, status = 200, headers = {}) => (request, response) => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

async function cannotRun(pattern, ...args) {
  const { status, err } = await kit(...args)
  assert.match(err, pattern)
  assert.equal(status, 2)
}

test('says why it cannot run', async () => {
  await cannotRun(/There is no command "judge"/, 'judge')
  await cannotRun(/Unknown option '--colour'/, 'run', 'http://127.0.0.1:1/', '--colour')
  await cannotRun(/Nothing listens at http:\/\/127\.0\.0\.1:1/, 'run', 'http://127.0.0.1:1/rows')
  await cannotRun(/is no HTTP URL/, 'run', 'ftp://example.org/rows')
  await cannotRun(/cannot be read/, 'run', '/nowhere/kit.yaml')
  await cannotRun(/There is no dialect "soap"/, 'run', 'http://127.0.0.1:1/', '--dialect', 'soap')
  await cannotRun(/answers with HTML, a page for people/, 'run', await serve((request, response) => response.end('<!doctype html><p>Hello')))
  await cannotRun(/status 200 and nothing else/, 'run', await serve((request, response) => response.end()))
  await cannotRun(/There is nothing at/, 'run', await serve(json({}, 404)))
  await cannotRun(/rejects the kit \(status 401\)/, 'run', await serve(json({}, 401)))
  await cannotRun(/does not recognize the answer .* members a, b/, 'run', await serve(json({ a: 1, b: 2 })))
  await cannotRun(/has no items/, 'run', await serve(json({ items: [], next_cursor: null, prev_cursor: null, cursors: {} })))
  await cannotRun(/items have no id.*members name/, 'run', await serve(json({ items: [{ name: 'a' }], next_cursor: null, prev_cursor: null, cursors: {} })))
  await cannotRun(/has not answered within 0\.2 s/, 'run', await serve(() => {}), '--timeout', '0.2')
  await cannotRun(/asks to wait 600 s/, 'run', await serve(json({}, 429, { 'retry-after': '600' })))
})

test('says what is wrong in a file', async () => {
  await cannotRun(/unknown member "urll"/, 'run', await file('urll: x'))
  await cannotRun(/"url" is missing/, 'run', await file('dialect: stripe'))
  await cannotRun(/environment variable KIT_NO_SUCH is not set/, 'run', await file('url: ${KIT_NO_SUCH}'))
  await cannotRun(/unknown member "oder" of the list newest/, 'run', await file('{url: x, lists: {newest: {oder: [id]}}}'))
  await cannotRun(/a list of a GraphQL API has "variables"/, 'run', await file('{url: x, graphql: {query: x}, lists: {newest: {query: {orderBy: a}}}}'))
  await cannotRun(/"variables", which only a GraphQL API has/, 'run', await file('{url: x, lists: {newest: {variables: {orderBy: a}}}}'))
  const server = await broken()
  const { write, ...config } = server.config()
  await cannotRun(/"write" has no "delete"/, 'run', await file({ ...config, write: { create: write.create } }))
  await cannotRun(/The file has no list "oldest", but newest, ranked, open/, 'run', await file(server.config()), '--list', 'oldest')
  await cannotRun(/cannot write: POST .* status 404/, 'run', await file({ ...server.config(), write: { ...write, create: { ...write.create, url: '/nowhere' } } }))
  await cannotRun(/does not accept the kit/, 'run', await file({ ...config, write: { sql: { url: 'postgresql://127.0.0.1:1/x', create: 'x', delete: 'x' } } }))
  assert.equal(server.rows.length, 0)
})

test('waits when the API limits the rate', async () => {
  const times = []
  const limited = await broken([], { face: (server, { response }) => {
    times.push(performance.now())
    if (times.length % 5 !== 1) return false
    response.writeHead(429, { 'retry-after': times.length === 1 ? '2' : '0' })
    response.end()
    return true
  } })
  const { status, out } = await kit('run', await file(limited.config()), '--profile', 'static', '--rows', '8', '--list', 'newest')
  assert.match(out, /status 429: waiting 2\.0 s, as the API asks/)
  // Timers of Node can end a millisecond early.
  assert.ok(times[1] - times[0] >= 1990, `${times[1] - times[0]} ms`)
  assert.equal(status, 0, out)
})

test('authenticates with a header, and with client credentials', async () => {
  const guarded = (token) => broken([], { face: (server, { request, response }) => {
    if (request.headers.authorization === `Bearer ${token}`) return false
    response.writeHead(401).end('{}')
    return true
  } })
  const byHeader = await guarded('one')
  assert.equal((await kit('run', await file(byHeader.config()), '--profile', 'static', '--list', 'newest', '--header', 'Authorization: Bearer one')).status, 0)

  const tokens = await serve(async (request, response) => {
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    const good = request.headers.authorization === `Basic ${btoa('kit:secret')}` && String(chunks).includes('grant_type=client_credentials')
    json(good ? { access_token: 'two', expires_in: 60 } : { error: 'invalid_client' }, good ? 200 : 401)(request, response)
  })
  const byToken = await guarded('two')
  const oauth = { 'token-url': tokens, 'client-id': 'kit', 'client-secret': 'secret' }
  assert.equal((await kit('run', await file({ ...byToken.config(), oauth }), '--profile', 'static', '--list', 'newest')).status, 0)
  await cannotRun(/gives no token: status 401, invalid_client/, 'run', await file({ ...byToken.config(), oauth: { ...oauth, 'client-secret': 'no' } }))
})

test('without a way to write, writes nothing, and holds what can be held', async () => {
  const methods = new Set()
  const server = await broken([], { face: (_, { request }) => {
    methods.add(request.method)
    return false
  } })
  for (let i = 0; i < 12; i++) server.write('POST', null, { created_at: `2026-01-16T12:00:${10 + i}.000001Z`, rank: i, status: 'open', mark: 'theirs' })
  const { status, out } = await kit('run', `${server.origin}/api/rows`)
  assert.equal(status, 0, out)
  assert.deepEqual([...methods], ['GET'])
  assert.match(out, /✔ static[^]*✔ backward[^]*– concurrent +skipped[^]*✔ depth/)
})

test('writes the reports, and the failure as a picture and a script', async () => {
  const server = await broken(['offset'])
  const reports = await temporaryDirectory()
  const { status, out } = await kit('run', await file(server.config()), '--profile', 'concurrent', '--seed', '3', '--seconds', '0', '--rounds', '4', '--rows', '12', '--report', reports)
  assert.equal(status, 1)
  assert.match(out, /calls, carried out as written; seed 3\n(row1=\$\()?curl/)
  const read = (name) => readFile(join(reports, name), 'utf8')
  assert.match(await read('junit.xml'), /<testcase classname="concurrent.newest" name="[\w-]+" assertions="\d+">\s*<failure/)
  assert.match(await read('report.html'), /<svg[^]*<circle[^]*curl/)
  assert.match(await read('badge.svg'), /fails concurrent/)
  const report = JSON.parse(await read('report.json'))
  assert.equal(report.seed, 3)
  const shrunk = report.results.flatMap(({ violations }) => violations).find((violation) => violation.shrunk)
  assert.ok(shrunk.shrunk.length <= 10)
  assert.ok(report.history.every((event) => event.start >= 0 && (event.end === null || event.end >= event.start)))
})

test('removes its rows after Ctrl-C', async () => {
  const server = await broken()
  const child = spawn(process.execPath, [new URL('../bin.js', import.meta.url).pathname, 'run', await file(server.config()), '--profile', 'load', '--seconds', '60'])
  let out = ''
  child.stdout.on('data', (text) => { out += text })
  while (server.rows.length < 24) await new Promise((resolve) => setTimeout(resolve, 20))
  child.kill('SIGINT')
  const [status] = await once(child, 'exit')
  assert.equal(status, 2)
  assert.match(out, /All rows of the run are removed/)
  assert.equal(server.rows.length, 0)
})

test('init writes a file with which the kit can run', async () => {
  const server = await broken([], { face: (_, { url, request }) => {
    // An API with one path for everything.
    if (request.method !== 'GET') url.pathname = url.pathname.replace('/api/rows', '/rows')
    return false
  } })
  server.write('POST', null, { created_at: '2026-01-16T12:00:00.000001Z', rank: 1, status: 'open', mark: 'theirs' })
  const output = join(await temporaryDirectory(), 'kit.yaml')
  const asked = await kit('init', '--write', `${server.origin}/api/rows`, '--output', output)
  assert.equal(asked.status, 0, asked.err)
  assert.match(asked.out, /creates an item[^]*rank \(number\?\)[^]*changes an item/)
  assert.equal(server.rows.length, 1, 'what init has created is removed')
  const { status, out } = await kit('run', output, '--rows', '12', '--seconds', '0.2', '--rounds', '4')
  assert.equal(status, 0, out)
  assert.match(out, /✔ concurrent/)
  await cannotRun(/exists already/, 'init', `${server.origin}/api/rows`, '--output', output)
})

for (const [described, body, expected] of [
  ['a cursor', { results: { rows: [{ uuid: 'a', at: 1 }] }, meta: { next_token: 'x', has_more: false } },
    /items: results\.rows\nkey: uuid\n[^]*paging: token\nnext:\n {2}param: cursor\n {2}token: meta\.next_token\n {2}more: meta\.has_more\nflags: reading/],
  ['a URL', { hits: [{ id: 1 }, { id: 2 }], paging: { nextPage: '/list?p=2' } }, /items: hits\nkey: id\n[^]*paging: url\nnext:\n {2}url: paging\.nextPage/],
  ['nothing', { people: [{ name: 'Ada' }], took: 3 }, /items: people\nkey: name\n[^]*paging: offset\nnext:\n {2}param: offset\nflags: none/],
]) {
  test(`init writes a file for an unknown API that leads on by ${described}`, async () => {
    const url = await serve((_, response) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body)))
    const output = join(await temporaryDirectory(), 'kit.yaml')
    const { status, out, err } = await kit('init', `${url}/list`, '--output', output)
    assert.equal(status, 0, err)
    assert.match(out, /dialect: none is known/)
    assert.match(await readFile(output, 'utf8'), expected)
    assert.match(await readFile(output, 'utf8'), /^# No dialect describes this API/)
  })
}

test('a list of 211 whose last page is full, and says that more follow, is seen', async () => {
  const rows = Array.from({ length: 211 }, (_, at) => ({ id: at + 1, at: at + 1 }))
  const url = await serve((request, response) => {
    const query = new URL(request.url, 'http://localhost').searchParams
    const [limit, from] = [Math.min(100, Number(query.get('limit') ?? 30)), query.get('cursor') === null ? 0 : Number(query.get('cursor').slice(1))]
    const items = rows.slice(from, from + limit)
    const more = guesses ? items.length === limit : from + limit < rows.length
    const answer = { items, next_cursor: more ? `c${from + limit}` : null, has_more: more, prev_cursor: from > 0 ? 'p' : null, has_prev: from > 0, cursors: {} }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  let guesses = true
  const file = join(await temporaryDirectory(), 'kit.yaml')
  await writeFile(file, stringify({ url: `${url}/list`, lists: { all: { order: ['id number'] } } }))
  const seen = await kit('run', file, '--profile', 'static')
  assert.match(seen.out, /a last page of exactly 11 items says that more items follow, and none do/)
  guesses = false
  const right = await kit('run', file, '--profile', 'static')
  assert.doesNotMatch(right.out, /more items follow/)
})
