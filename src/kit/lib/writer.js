import { CannotRun, WriteFailed } from './errors.js'
import { fill, read } from './paths.js'

/**
 * Writes rows with requests that the configuration describes: `POST https://… ` or `{method, url, headers, body}`, where
 * `{{key}}` and `{{field}}` stand for values.
 */
export class HttpWriter {
  constructor(client, templates, dialect, base) {
    this.client = client
    this.templates = templates
    this.dialect = dialect
    this.base = base
    this.canCommitLate = false
  }

  get canUpdate() {
    return this.templates.update !== undefined
  }

  create(fields) {
    return this.#send('create', fields, (answer) => {
      const template = this.templates.create
      const body = answer.body ?? {}
      const path = template.answer
      const { key: keyPath } = this.dialect
      const own = template.key ?? keyPath
      const found = (path ? [path] : ['$', 'data', '[0]']).find((candidate) => read(read(body, candidate) ?? null, own) !== undefined)
      const item = found === undefined ? undefined : read(body, found)
      const key = item ? read(item, own) : answer.headers.get('location')?.split('/').at(-1)
      if (key === undefined || key === null) {
        throw new CannotRun(`${answer.request.method} ${answer.request.url} answers with status ${answer.status} and no ` +
          `${keyPath}: say where the key is with write.create.key, or write.create.answer.`)
      }
      return { key: String(key), keyPath: item && `${found === '$' ? '' : `${found}.`}${own}`, item: template.answer || read(item ?? null, keyPath) !== undefined ? item : undefined }
    })
  }

  update(key, fields) {
    return this.#send('update', { ...fields, key }, () => ({}))
  }

  remove(key) {
    return this.#send('delete', { key }, () => ({}), [404, 410])
  }

  async #send(name, values, read, alsoGood = []) {
    const request = this.#request(this.templates[name], values)
    const start = this.client.now()
    let answer
    try {
      answer = await this.client.call(request)
    } catch (error) {
      throw new WriteFailed(error.message, false)
    }
    const call = { start: answer.start ?? start, end: answer.end, request }
    if ((answer.status < 200 || answer.status > 299) && !alsoGood.includes(answer.status)) {
      const reason = `${request.method} ${request.url} was answered with status ${answer.status}: ${answer.text.slice(0, 300)}`
      throw new WriteFailed(reason, answer.status >= 400 && answer.status < 500)
    }
    if (answer.body?.errors?.length && request.body?.query) {
      throw new WriteFailed(`The mutation failed: ${answer.body.errors[0].message}`, true)
    }
    return { ...call, ...read(answer) }
  }

  #request(template, values) {
    if (typeof template === 'string') {
      const [, method, url] = /^([A-Z]+)\s+(\S+)$/.exec(template) ?? []
      template = { method, url }
    }
    const wholeUrl = /^\{\{\s*key\s*\}\}$/.test(template.url)
    const url = wholeUrl ? values.key : fill(template.url, values, (value) => encodeURIComponent(String(value)))
    return {
      method: template.method,
      url: new URL(url, this.base).href,
      headers: { ...this.dialect.create?.headers, ...fill(template.headers ?? {}, values, fill.plain) },
      ...(template.body === undefined ? {} : { body: fill(template.body, values, fill.plain) }),
    }
  }

  async close() {}
}

/** Writes rows with SQL statements. `{{field}}` becomes a parameter. Can also commit rows late. */
export class SqlWriter {
  static async connect(client, templates, connections = 4) {
    let pg
    try {
      pg = (await import('pg')).default
    } catch {
      throw new CannotRun('Writes in SQL need the package "pg": npm install pg')
    }
    pg.types.setTypeParser = pg.types.setTypeParser.bind(pg.types)
    // Times and whole numbers as texts, which keep all of their digits.
    const types = { getTypeParser: (oid, format) => [16].includes(oid) ? pg.types.getTypeParser(oid, format) : (text) => text }
    const pool = new pg.Pool({ connectionString: templates.url, max: connections, types, connectionTimeoutMillis: 10_000 })
    pool.on('error', () => {})
    try {
      await pool.query('select 1')
    } catch (error) {
      throw new CannotRun(`The database at write.sql.url does not accept the kit: ${error.message || error.code}`)
    }
    return new SqlWriter(client, templates, pool)
  }

  constructor(client, templates, pool) {
    this.client = client
    this.templates = templates
    this.pool = pool
    this.canCommitLate = true
  }

  get canUpdate() {
    return this.templates.update !== undefined
  }

  create(fields) {
    return this.#run(this.pool, this.templates.create, fields, keyOfRow)
  }

  /** Inserts a row in a transaction that stays open until `commit` is called. */
  async createLate(fields) {
    const connection = await this.pool.connect()
    let created
    try {
      await connection.query('begin')
      created = await this.#run(connection, this.templates.create, fields, keyOfRow)
    } catch (error) {
      await connection.query('rollback').catch(() => {})
      connection.release()
      throw error
    }
    const commit = async () => {
      try {
        const { start, end } = await this.#run(connection, 'commit', {}, () => ({}))
        return { start, end, sql: 'commit' }
      } finally {
        connection.release()
      }
    }
    return { ...created, sql: `begin; ${created.sql}`, commit }
  }

  update(key, fields) {
    return this.#run(this.pool, this.templates.update, { ...fields, key }, (answer) => ({ returned: answer.rows[0] }))
  }

  remove(key) {
    return this.#run(this.pool, this.templates.delete, { key }, () => ({}))
  }

  async #run(connection, template, values, result) {
    const { text, parameters, shown } = parameterize(template, values)
    const start = this.client.now()
    try {
      const answer = await connection.query(text, parameters)
      return { start, end: this.client.now(), sql: shown, ...result(answer) }
    } catch (error) {
      if (error.code) throw new WriteFailed(`${shown} failed: ${error.message}`, true)
      throw new WriteFailed(`${shown} failed: ${error.message}`, false)
    }
  }

  async close() {
    await this.pool.end()
  }
}

function keyOfRow(answer) {
  const row = answer.rows[0]
  if (!row) throw new CannotRun('write.sql.create returns no row: add "returning id", or the columns of the order.')
  return { key: String(Object.values(row)[0]), item: undefined, returned: row }
}

function parameterize(template, values) {
  const parameters = []
  const text = template.replace(/'?\{\{\s*([\w.-]+)\s*\}\}'?/g, (_, name) => {
    if (!(name in values)) throw new CannotRun(`The statement has {{${name}}}, but only ${Object.keys(values).join(', ')} exist.`)
    return `$${parameters.push(values[name])}`
  })
  const shown = text.replace(/\$(\d+)/g, (_, n) => literal(parameters[n - 1]))
  return { text, parameters, shown }
}

function literal(value) {
  return value === null ? 'null' : typeof value === 'number' || typeof value === 'boolean' ? String(value) : `'${String(value).replaceAll("'", "''")}'`
}
