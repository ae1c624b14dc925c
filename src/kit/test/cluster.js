import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { appendFile, cp, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join, relative } from 'node:path'
import pg from 'pg'

export async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  return port
}

/** A primary and two standbys over the data of a server that has stopped. The second standby applies changes late. */
export class Cluster {
  /** @param {number} delay in seconds */
  static async start(data, directory, delay) {
    const [postgres] = (await readFile(join(data, 'postmaster.opts'), 'utf8')).match(/[^\s"]+/g)
    // The watchdog of the sample inbox stops the server a moment after the inbox has ended.
    while (existsSync(join(data, 'postmaster.pid'))) await new Promise((done) => setTimeout(done, 50))
    const cluster = new Cluster()
    cluster.hosts = []
    try {
      cluster.primary = await new Host('primary', postgres, data).start('-c', 'wal_level=replica', '-c', 'max_wal_senders=10', '-c', 'wal_keep_size=1GB')
      cluster.hosts.push(cluster.primary)
      await cluster.primary.query('grant pg_read_all_stats to tidemark_reader')
      for (const [name, ...settings] of [['standby'], ['late standby', `recovery_min_apply_delay = '${delay * 1000}ms'`]]) {
        const copy = join(directory, name)
        await cluster.primary.backUp(copy)
        await writeFile(join(copy, 'standby.signal'), '')
        await appendFile(join(copy, 'postgresql.auto.conf'), [`primary_conninfo = 'host=localhost user=postgres port=${cluster.primary.port}'`, ...settings, ''].join('\n'))
        cluster.hosts.push(await new Host(name, postgres, copy).start('-c', 'wal_level=replica', '-c', 'max_wal_senders=10'))
      }
      return cluster
    } catch (error) {
      await cluster.stop()
      throw error
    }
  }

  async stop() {
    await Promise.all(this.hosts.toReversed().map((host) => host.stop()))
  }
}

class Host {
  constructor(name, postgres, data) {
    Object.assign(this, { name, postgres, data, log: [] })
  }

  async start(...settings) {
    this.port = await freePort()
    const command = [this.postgres, '-D', this.data, '-p', String(this.port), '-c', 'listen_addresses=localhost', '-c', 'unix_socket_directories=', '-c', 'fsync=off', ...settings]
    // PostgreSQL does not run as root, so root starts it in a user namespace.
    if (process.getuid() === 0) command.unshift('unshare', '-U')
    this.child = spawn(command[0], command.slice(1))
    this.ended = once(this.child, 'exit')
    for (const stream of [this.child.stdout, this.child.stderr]) stream.on('data', (text) => this.log.push(text))
    while (!await this.query('select 1').then(() => true, () => false)) {
      if (this.child.exitCode !== null) throw new Error(`The ${this.name} did not start:\n${this.log.join('')}`)
      await new Promise((done) => setTimeout(done, 50))
    }
    return this
  }

  query(statement) {
    return this.#connected(async (client) => (await client.query(statement)).rows)
  }

  /** Copies the data as pg_basebackup does, which is not among the embedded binaries. */
  async backUp(copy) {
    await this.#connected(async (client) => {
      await client.query("select pg_backup_start('list kit', true)")
      await cp(this.data, copy, { recursive: true, filter: (file) => !/^(pg_wal\/.+|postmaster\.\w+)$/.test(relative(this.data, file)) })
      const { rows: [{ labelfile }] } = await client.query('select labelfile from pg_backup_stop(false)')
      await writeFile(join(copy, 'backup_label'), labelfile)
    })
    await cp(join(this.data, 'pg_wal'), join(copy, 'pg_wal'), { recursive: true })
  }

  async #connected(use) {
    const client = new pg.Client({ host: 'localhost', port: this.port, user: 'postgres', database: 'postgres' })
    await client.connect()
    try {
      return await use(client)
    } finally {
      await client.end()
    }
  }

  async stop() {
    this.child.kill('SIGINT')
    await this.ended
  }
}
