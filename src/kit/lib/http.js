import http from 'node:http'
import https from 'node:https'
import { CannotRun } from './errors.js'

const LONGEST_WAIT = 60_000
const MOST_RETRIES = 8
const MOST_REDIRECTS = 5

// Not fetch, which needs three times as much processor time per call: the kit makes thousands of calls.
const AGENTS = { 'http:': new http.Agent({ keepAlive: true }), 'https:': new https.Agent({ keepAlive: true }) }

/**
 * @typedef {object} Request
 * @property {string} [method]
 * @property {string} url
 * @property {Record<string, string>} [headers]
 * @property {unknown} [body] sent as JSON
 *
 * @typedef {object} Answer
 * @property {Request} request
 * @property {number} status
 * @property {Headers} headers
 * @property {string} text
 * @property {any} body the parsed JSON, or undefined
 * @property {number} start when the last attempt was sent, in ms on the clock of the run
 * @property {number} end when the answer had arrived
 */

/** Sends requests, one clock for all of them. Waits and tries again if the API limits the rate of requests. */
export class Client {
  /** @param {{headers?: Record<string, string>, oauth?: any, timeout?: number, say?: (text: string) => void}} options */
  constructor({ headers = {}, oauth, timeout = 10, say = () => {} } = {}) {
    this.headers = headers
    this.oauth = oauth
    this.timeout = timeout * 1000
    this.say = say
    this.calls = 0
    this.token = null
  }

  now() {
    return performance.now()
  }

  /**
   * @param {Request} request
   * @returns {Promise<Answer>}
   */
  async call(request) {
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#send(request, await this.#authorization())
      const limited = answer.status === 429 || answer.status === 503
      if (limited && attempt <= MOST_RETRIES) {
        const wait = retryAfter(answer.headers.get('retry-after'), attempt)
        if (wait > LONGEST_WAIT) {
          throw new CannotRun(`${request.url} asks to wait ${Math.round(wait / 1000)} s (status ${answer.status}): ` +
            'the kit waits a minute at most.')
        }
        this.say(`status ${answer.status}: waiting ${(wait / 1000).toFixed(1)} s, as the API asks`)
        await new Promise((resolve) => setTimeout(resolve, wait))
        continue
      }
      if (limited) {
        throw new CannotRun(`${request.url} still answers with status ${answer.status} after ${MOST_RETRIES} retries.`)
      }
      if (answer.status === 401 && this.oauth && attempt === 1) {
        this.token = null
        continue
      }
      return answer
    }
  }

  async #send(request, authorization) {
    this.calls++
    const method = request.method ?? 'GET'
    const body = request.body === undefined ? undefined : JSON.stringify(request.body)
    const headers = {
      accept: 'application/json, application/vnd.api+json;q=0.9, */*;q=0.1',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...lowerCaseNames(this.headers),
      ...authorization,
      ...lowerCaseNames(request.headers ?? {}),
    }
    const start = this.now()
    try {
      const { status, headers: answered, text } = await exchange(request.url, { method, headers, body, timeout: this.timeout })
      return { request, status, headers: answered, text, body: parseJson(text), start, end: this.now() }
    } catch (error) {
      throw new CannotRun(explain(error, method, request.url, this.timeout))
    }
  }

  async #authorization() {
    if (!this.oauth) return {}
    if (!this.token || this.token.expires < Date.now()) {
      this.token = await this.#fetchToken()
    }
    return { authorization: `Bearer ${this.token.value}` }
  }

  /** Client credentials, RFC 6749, section 4.4. */
  async #fetchToken() {
    const { 'token-url': url, 'client-id': id, 'client-secret': secret, scope } = this.oauth
    const form = new URLSearchParams({ grant_type: 'client_credentials', ...(scope ? { scope } : {}) })
    const basic = Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')
    let response
    try {
      response = await fetch(url, {
        method: 'POST', body: form, headers: { authorization: `Basic ${basic}` }, signal: AbortSignal.timeout(this.timeout),
      })
    } catch (error) {
      throw new CannotRun(explain(error, 'POST', url, this.timeout))
    }
    const body = parseJson(await response.text())
    if (!response.ok || !body?.access_token) {
      throw new CannotRun(`${url} gives no token: status ${response.status}${body?.error ? `, ${body.error}` : ''}.`)
    }
    return { value: body.access_token, expires: Date.now() + Math.max(1, (body.expires_in ?? 300) - 10) * 1000 }
  }
}

/** Makes one call, and follows redirects of reads. */
async function exchange(url, options, redirects = 0) {
  const response = await send(new URL(url), options)
  const location = response.headers.get('location')
  if (response.status < 301 || response.status > 308 || !location || options.method !== 'GET' || redirects === MOST_REDIRECTS) return response
  const target = new URL(location, url)
  // Credentials are for the host that the user has named.
  const headers = target.origin === new URL(url).origin ? options.headers : { accept: options.headers.accept }
  return exchange(target, { ...options, headers }, redirects + 1)
}

function send(url, { method, headers, body, timeout }) {
  return new Promise((resolve, reject) => {
    const late = () => request.destroy(Object.assign(new Error('no answer in time'), { code: 'TIMEOUT' }))
    const timer = setTimeout(late, timeout)
    const fail = (error) => {
      clearTimeout(timer)
      reject(error)
    }
    const module = url.protocol === 'https:' ? https : http
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
    const request = module.request(url, { method, headers: { ...headers, ...length }, agent: AGENTS[url.protocol] }, (response) => {
      const chunks = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('error', fail)
      response.on('end', () => {
        clearTimeout(timer)
        const names = Object.entries(response.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value])
        resolve({ status: response.statusCode, headers: new Headers(names), text: Buffer.concat(chunks).toString() })
      })
    })
    request.on('error', fail)
    request.end(body)
  })
}

function lowerCaseNames(headers) {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]))
}

/** Milliseconds to wait. Without a usable header, longer with each attempt. */
function retryAfter(header, attempt) {
  if (header !== null && /^\d+$/.test(header.trim())) return Number(header) * 1000
  const date = header === null ? NaN : Date.parse(header)
  return Number.isNaN(date) ? 250 * 2 ** attempt : Math.max(0, date - Date.now())
}

/** Parses JSON. Whole numbers that JavaScript cannot hold become strings, so that keys keep all of their digits. */
export function parseJson(text) {
  try {
    return JSON.parse(text.replace(/"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])/g,
      (token) => token[0] === '"' ? token : `"${token}"`))
  } catch {
    return undefined
  }
}

function explain(error, method, url, timeout) {
  const code = error.code ?? error.cause?.code
  if (code === 'TIMEOUT' || error.name === 'TimeoutError') {
    return `${method} ${url} has not answered within ${timeout / 1000} s. Set a longer time with --timeout.`
  }
  if (code === 'ECONNREFUSED') return `Nothing listens at ${new URL(url).origin}: the connection was refused.`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `The host ${new URL(url).hostname} is unknown.`
  return `${method} ${url} failed: ${error.cause?.message ?? error.message}`
}
