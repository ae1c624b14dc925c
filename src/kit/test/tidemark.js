/**
 * Holds Tidemark against the kit: /api with all profiles, /v3 with cursors, and /v3 with offsets, which cannot pass
 * "concurrent" and must fail it. Starts the sample inbox with its own PostgreSQL, as `./mvnw package -Ptry-it` builds it.
 *
 *     node test/tidemark.js ../../target/try-it/quarkus-run.jar [directory for the reports]
 */
import { spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { stringify } from 'yaml'
import { main } from '../lib/cli.js'

const FEEDS = `
tidemark:
  feeds:
    numbered:
      table: public.messages
      key: id
      columns: [id, created_at, subject, status]
      orders: {newest: created_at desc}
      visible: deleted_at is null
      universal: {strategy: offset, backward: true}
      count: exact
`

const NEWEST = ['created_at time desc', 'id number desc']

const SQL = {
  create: 'insert into public.messages (created_at, edited_at, subject, body, status)'
    + ' values ({{created_at}}, {{edited_at}}, {{mark}}, \'of the list kit\', {{status}}::public.message_status) returning id, edited_at',
  update: 'update public.messages set created_at = {{created_at}}, subject = {{mark}}, status = {{status}}::public.message_status'
    + ' where id = {{key}} returning edited_at',
  delete: 'delete from public.messages where id = {{key}}',
}

function configuration(url, database, lists) {
  return { url, lists, fields: { created_at: 'time', edited_at: 'time?', status: ['open', 'open', 'closed'] }, write: { sql: { url: database, ...SQL } } }
}

async function freePort() {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => done(port))
    })
  })
}

async function start(jar, directory) {
  const [port, managementPort] = [await freePort(), await freePort()]
  await writeFile(join(directory, 'feeds.yaml'), FEEDS)
  const log = []
  const child = spawn('java', ['-Xmx256m', '-jar', resolve(jar)], {
    cwd: directory,
    env: {
      ...process.env, QUARKUS_HTTP_PORT: port, QUARKUS_MANAGEMENT_PORT: managementPort, TRY_IT_POSTGRES_DIRECTORY: join(directory, 'postgres'),
      TIDEMARK_INBOX_ROWS: '20', QUARKUS_CONFIG_LOCATIONS: join(directory, 'feeds.yaml'),
    },
  })
  const ended = new Promise((done) => child.on('exit', done))
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => log.push(text))
  const origin = `http://127.0.0.1:${port}`
  for (let exited = false; ;) {
    ended.then(() => { exited = true })
    if (await fetch(`${origin}/api/messages?limit=1`).then(({ ok }) => ok, () => false)) break
    if (exited) throw new Error(`Tidemark did not start:\n${log.join('')}`)
    await new Promise((done) => setTimeout(done, 200))
  }
  const home = join(directory, 'postgres')
  const data = (await readdir(home)).find((name) => /^postgresql-\d+$/.test(name))
  const [, , , postgresPort] = (await readFile(join(home, data, 'postmaster.pid'), 'utf8')).split('\n')
  return { origin, database: `postgresql://postgres:postgres@127.0.0.1:${postgresPort}/postgres`, stop: () => { child.kill(); return ended } }
}

const [jar, reports] = process.argv.slice(2)
const directory = await mkdtemp(join(tmpdir(), 'list-kit-'))
const server = await start(jar, directory)
let wrong = 0
try {
  const open = { query: { status: 'open' }, where: { status: 'open' }, order: NEWEST }
  const runs = [
    ['api', 0, [], configuration(`${server.origin}/api/messages`, server.database, {
      newest: { order: NEWEST },
      oldest: { query: { order: 'oldest' }, order: ['created_at time', 'id number'] },
      edited: { query: { order: 'edited' }, order: ['edited_at time desc nulls last', 'id number desc'], live: true },
      open,
    })],
    ['v3', 0, [], configuration(`${server.origin}/v3/messages`, server.database, { newest: { order: NEWEST }, open })],
    ['v3-offset-quiet', 0, ['--profile', 'static,backward'], configuration(`${server.origin}/v3/numbered`, server.database, { newest: { order: NEWEST } })],
    ['v3-offset', 1, ['--profile', 'concurrent', '--no-shrink'], configuration(`${server.origin}/v3/numbered`, server.database, { newest: { order: NEWEST } })],
  ]
  for (const [name, expected, options, config] of runs) {
    const file = join(directory, `${name}.yaml`)
    await writeFile(file, stringify(config))
    const report = reports ? ['--report', join(reports, name)] : []
    const started = performance.now()
    const status = await main(['run', file, '--quiet', '--seconds', '2', ...options, ...report])
    console.log(`${name}: exit status ${status}, expected ${expected}, ${((performance.now() - started) / 1000).toFixed(1)} s`)
    if (status !== expected) wrong++
  }
} finally {
  await server.stop()
  await rm(directory, { recursive: true, force: true })
}
process.exitCode = wrong === 0 ? 0 : 1
