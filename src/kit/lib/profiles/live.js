import { randomWrite } from './refresh.js'

const PROFILE = 'live'

/**
 * Follows the stream of a list while one writer writes. The kit reads the list after each write, so it knows all states
 * that the list has had: after each event the client must hold one of them, and never an earlier one than before.
 */
export async function runLive(kit, { writes = 8, limit = 15, patience = 10 } = {}) {
  const random = kit.random.fork()
  for (const list of kit.lists) {
    if (!kit.canWrite || !list.dialect.refresh?.live) {
      kit.skipped(PROFILE, 'state', list, kit.canWrite ? `${list.dialect.title} has no event stream` : 'the kit cannot write')
      continue
    }
    await kit.standRows()
    await follow(kit, list, random, writes, limit, patience * 1000)
  }
}

async function follow(kit, list, random, writes, limit, patience) {
  const url = new URL(list.url)
  url.pathname += list.dialect.refresh.live
  url.searchParams.set(list.dialect.limit, String(limit))
  const state = async () => {
    const page = await kit.page(list, null, limit)
    return { text: describe(page.items.map(({ raw }) => raw), page.hasNext), event: page.event, count: page.items.length }
  }
  const states = [await state()]
  const stream = new Stream(kit, list, url.href)
  const events = [states[0].event]
  let reached = 0
  try {
    await stream.open()
    const holdEvents = async () => {
      for (const held of stream.take()) {
        const at = states.findIndex(({ text }, i) => i >= reached && text === held)
        if (!kit.expect(PROFILE, 'state', list, at >= 0, states.some(({ text }) => text === held)
          ? 'after an event the client holds an earlier state of the list again' : 'after an event the client holds what the list never was', [...events.slice(-8), stream.event])) return false
        reached = at
      }
      return true
    }
    const arrive = async () => {
      const end = kit.client.now() + patience
      while (kit.client.now() < end) {
        if (!await holdEvents()) return false
        if (stream.held() === states.at(-1).text) return kit.expect(PROFILE, 'arrives', list, true, '')
        if (stream.failure) break
        await stream.next(end - kit.client.now())
      }
      return kit.expect(PROFILE, 'arrives', list, false, stream.failure ?? `a change has not arrived within ${patience / 1000} s`, [...events.slice(-8), stream.event])
    }
    if (!await arrive()) return
    for (let i = 0; i < writes; i++) {
      const from = kit.history.length
      const grown = kit.standing().length > kit.rowCount * 2
      if (grown) await kit.remove(random.pick(kit.standing()))
      else await randomWrite(kit, random)
      await kit.settled()
      states.push(await state())
      events.push(...Array.from({ length: kit.history.length - from }, (_, n) => from + n))
      if (!await arrive()) return
    }
  } finally {
    stream.close()
  }
}

function describe(items, hasMore) {
  return JSON.stringify([items, hasMore])
}

class Stream {
  constructor(kit, list, url) {
    this.kit = kit
    this.list = list
    this.url = url
    this.items = null
    this.waiting = []
    this.abort = new AbortController()
  }

  async open() {
    const request = { url: this.url, headers: { accept: 'text/event-stream' } }
    const start = this.kit.client.now()
    const response = await fetch(this.url, { headers: { ...this.kit.client.headers, ...request.headers }, signal: this.abort.signal })
    this.event = this.kit.history.push({ type: 'page', start, end: this.kit.client.now(), request, stream: true, status: response.status, list: this.list.name }) - 1
    if (!response.ok || !(response.headers.get('content-type') ?? '').startsWith('text/event-stream')) {
      this.failure = `the stream is answered with status ${response.status}`
      return
    }
    this.#read(response).catch((error) => {
      if (!this.abort.signal.aborted) this.failure = `the stream broke: ${error.message}`
      this.wake?.()
    })
  }

  async #read(response) {
    let text = ''
    const decoder = new TextDecoder()
    for await (const bytes of response.body) {
      text += decoder.decode(bytes, { stream: true })
      const blocks = text.split(/\r?\n\r?\n/)
      text = blocks.pop()
      for (const block of blocks) this.#event(block)
      this.wake?.()
    }
    this.failure = 'the stream has ended'
    this.wake?.()
  }

  #event(block) {
    const fields = { event: 'message', data: [] }
    for (const line of block.split(/\r?\n/)) {
      const [, name, value] = /^(\w+): ?(.*)$/.exec(line) ?? []
      if (name === 'data') fields.data.push(value)
      else if (name === 'event') fields.event = value
    }
    if (fields.data.length === 0) return
    const data = JSON.parse(fields.data.join('\n'))
    const keyOf = (item) => this.list.item(item).key
    if (fields.event === 'page') {
      const sent = new Map(data.items.map((item) => [keyOf(item), item]))
      const kept = new Map((this.items ?? []).map((item) => [keyOf(item), item]))
      this.items = data.keys.map((key) => sent.get(String(key)) ?? kept.get(String(key)))
    } else if (fields.event === 'change') {
      const items = new Map([...(this.items ?? []), ...data.items].map((item) => [keyOf(item), item]))
      const keys = this.items.map(keyOf).filter((key) => !data.removed.map(String).includes(key))
      for (const [key, after] of data.placed) keys.splice(after === null ? 0 : keys.indexOf(String(after)) + 1, 0, String(key))
      this.items = keys.map((key) => items.get(key))
    } else {
      return
    }
    this.hasMore = data.has_more
    this.waiting.push(this.held())
  }

  held() {
    return this.items && describe(this.items, this.hasMore)
  }

  take() {
    return this.waiting.splice(0)
  }

  async next(time) {
    if (this.waiting.length || this.failure) return
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.max(0, Math.min(time, 1000)))
      this.wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  close() {
    this.abort.abort()
  }
}
