/**
 * Holds Tidemark against the kit: /api with all profiles, /v3 with cursors, and /v3 with offsets, which cannot pass
 * "concurrent" and must fail it; a run that is interrupted; then /api over a primary and two standbys, of which one is late.
 * Starts the sample inbox with its own PostgreSQL, as `./mvnw package -Ptry-it` builds it.
 *
 *     node test/tidemark.js ../../target/try-it/quarkus-run.jar [directory for the reports]
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { stringify } from 'yaml'
import { main } from '../lib/cli.js'
import { Cluster, freePort } from './cluster.js'

/** Each feed shows the rows that are written for it, so that they can be held at the same time. */
const FEEDS = stringify({ tidemark: { feeds: {
  all: feed('all', { delta: true, count: 'estimate' }),
  cursors: feed('cursors', { universal: { strategy: 'cursor', backward: true } }),
  offsets: feed('offsets', { universal: { strategy: 'offset', backward: true }, count: 'exact' }),
  // Without delta, the standbys take turns.
  turns: feed('turns', {}),
} } })

function feed(name, more) {
  return {
    table: 'public.messages', key: 'id', columns: ['id', 'created_at', 'edited_at', 'subject', 'status'],
    orders: { newest: 'created_at desc', oldest: 'created_at', edited: 'edited_at desc nulls last' }, 'default-order': 'newest', 'live-orders': ['edited'],
    visible: `deleted_at is null and body = '${name}'`, filters: { status: 'equals' }, ...more,
  }
}

const NEWEST = { order: ['created_at time desc', 'id number desc'] }
const OPEN = { query: { status: 'open' }, where: { status: 'open' }, ...NEWEST }
const EDITED = { query: { order: 'edited' }, order: ['edited_at time desc nulls last', 'id number desc'], live: true }
const OLDEST = { query: { order: 'oldest' }, order: ['created_at time', 'id number'] }

/** How late the second standby applies changes, and how old a page may be, in seconds. */
const [DELAY, LAG] = [0.3, 1]

function configuration(url, database, lists, more = {}) {
  return {
    url, lists, ...more, fields: { created_at: 'time', edited_at: 'time?', status: ['open', 'open', 'closed'] },
    write: { sql: {
      url: database,
      create: 'insert into public.messages (created_at, edited_at, subject, body, status)'
        + ` values ({{created_at}}, {{edited_at}}, {{mark}}, '${url.split('/').at(-1)}', {{status}}::public.message_status) returning id, edited_at`,
      update: 'update public.messages set created_at = {{created_at}}, subject = {{mark}}, status = {{status}}::public.message_status'
        + ' where id = {{key}} returning edited_at',
      delete: 'delete from public.messages where id = {{key}}',
    } },
  }
}

const [jar, reports] = process.argv.slice(2)
const directory = await mkdtemp(join(tmpdir(), 'list-kit-'))
const home = join(directory, 'postgres')
await writeFile(join(directory, 'feeds.yaml'), FEEDS)

/** Starts Tidemark, and waits until it serves pages. */
async function start(environment) {
  const port = await freePort()
  const log = []
  const child = spawn('java', ['-Xmx256m', '-jar', resolve(jar)], {
    cwd: directory,
    env: {
      ...process.env, QUARKUS_HTTP_PORT: port, TIDEMARK_INBOX_ROWS: '20',
      QUARKUS_CONFIG_LOCATIONS: join(directory, 'feeds.yaml'), ...environment,
    },
  })
  const ended = new Promise((done) => child.on('exit', done))
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => log.push(text))
  const origin = `http://127.0.0.1:${port}`
  let exited = false
  ended.then(() => { exited = true })
  while (!await fetch(`${origin}/api/all?limit=1`).then(({ ok }) => ok, () => false)) {
    if (exited) throw new Error(`Tidemark did not start:\n${log.join('')}`)
    await new Promise((done) => setTimeout(done, 100))
  }
  const reads = async () => {
    const metrics = await fetch(`${origin}/q/metrics`).then((response) => response.text())
    return Object.fromEntries([...metrics.matchAll(/^tidemark_host_reads_total\{host="([^"]+)"\} (\S+)$/gm)].map(([, host, count]) => [host, Number(count)]))
  }
  return { origin, reads, stop: () => { child.kill(); return ended } }
}

let wrong = 0
async function hold(name, expected, options, config) {
  const file = join(directory, `${name}.yaml`)
  await writeFile(file, stringify(config))
  const report = reports ? ['--report', join(reports, name)] : []
  const started = performance.now()
  let said = ''
  const status = await main(['run', file, '--quiet', '--seconds', '2', ...options, ...report], { out: (text) => { said += text } })
  console.log(`${said}${name}: exit status ${status}, expected ${expected}, ${((performance.now() - started) / 1000).toFixed(1)} s`)
  if (status !== expected) wrong++
}

/** Interrupts a run that writes with SQL. */
async function interrupt(config) {
  const { sql: { url } } = config.write
  const file = join(directory, 'interrupted.yaml')
  await writeFile(file, stringify(config))
  const client = new pg.Client(url)
  await client.connect()
  try {
    const count = async () => Number((await client.query("select count(*) from public.messages where body = 'all'")).rows[0].count)
    const child = spawn(process.execPath, [new URL('../bin.js', import.meta.url).pathname, 'run', file, '--profile', 'load', '--seconds', '60'], { stdio: ['ignore', 'inherit', 'inherit'] })
    const ended = once(child, 'exit')
    let running = true
    ended.then(() => { running = false })
    while (running && await count() < 24) await new Promise((done) => setTimeout(done, 20))
    child.kill('SIGINT')
    const [status] = await ended
    const left = await count()
    console.log(`interrupted: exit status ${status}, expected 2; rows left: ${left}`)
    if (status !== 2 || left !== 0) wrong++
  } finally {
    await client.end()
  }
}

/** @returns {Promise<string>} the data directory */
async function holdOneHost() {
  const server = await start({ TRY_IT_POSTGRES_DIRECTORY: home })
  try {
    const data = join(home, (await readdir(home)).find((name) => /^postgresql-\d+$/.test(name)))
    const [, , , port] = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')
    const database = `postgresql://postgres@localhost:${port}/postgres`
    const all = configuration(`${server.origin}/api/all`, database, { newest: NEWEST, oldest: OLDEST, edited: EDITED, open: OPEN })
    const offsets = configuration(`${server.origin}/v3/offsets`, database, { newest: NEWEST })
    await Promise.all([
      hold('api', 0, [], all),
      hold('v3', 0, [], configuration(`${server.origin}/v3/cursors`, database, { newest: NEWEST, open: OPEN }))
        .then(() => hold('v3-offset-quiet', 0, ['--profile', 'static,backward'], offsets))
        .then(() => hold('v3-offset', 1, ['--profile', 'concurrent', '--no-shrink'], offsets)),
    ])
    await interrupt(all)
    return data
  } finally {
    await server.stop()
  }
}

async function holdReplicas(data) {
  const cluster = await Cluster.start(data, directory, DELAY)
  try {
    const { primary, hosts } = cluster
    const urlOf = ({ port }) => `postgresql://localhost:${port}/postgres`
    const server = await start({
      QUARKUS_DATASOURCE_REACTIVE_URL: hosts.map(urlOf).join(','), QUARKUS_DATASOURCE_INBOX_REACTIVE_URL: urlOf(primary),
      QUARKUS_DATASOURCE_LATE_REACTIVE_URL: urlOf(primary), TRY_IT_POSTGRES_READER: 'tidemark_reader', TRY_IT_POSTGRES_WRITER: 'postgres',
      TIDEMARK_REPLICA_MAX_LAG: '1h',
    })
    try {
      const database = `postgresql://postgres@localhost:${primary.port}/postgres`
      await Promise.all([
        hold('replicas', 0, [], configuration(`${server.origin}/api/all`, database, { newest: NEWEST }, { lag: LAG })),
        hold('replicas-in-turn', 0, ['--profile', 'static,backward,concurrent,depth'],
          configuration(`${server.origin}/api/turns`, database, { newest: NEWEST, edited: EDITED, open: OPEN }, { lag: LAG })),
      ])
      const reads = await server.reads()
      for (const { name, port } of hosts) {
        const count = reads[`localhost:${port}`] ?? 0
        console.log(`pages read on the ${name}: ${count}`)
        if (count === 0) wrong++
      }
    } finally {
      await server.stop()
    }
  } finally {
    await cluster.stop()
  }
}

try {
  await holdReplicas(await holdOneHost())
} finally {
  await rm(directory, { recursive: true, force: true })
}
process.exitCode = wrong === 0 ? 0 : 1
