import { connect } from './config.js'
import { CannotRun, WriteFailed } from './errors.js'
import { Interrupted, Kit } from './kit.js'
import { NoPage } from './list.js'
import { compareValues, formatOrder, guessOrder, microseconds } from './order.js'
import { runBackward } from './profiles/backward.js'
import { runConcurrent, runLoad } from './profiles/concurrent.js'
import { runDepth } from './profiles/depth.js'
import { runLive } from './profiles/live.js'
import { runRefresh } from './profiles/refresh.js'
import { runStatic } from './profiles/static.js'
import { read } from './paths.js'
import { shrink } from './shrink.js'

export const PROFILES = {
  static: runStatic, backward: runBackward, concurrent: runConcurrent, refresh: runRefresh, live: runLive, depth: runDepth, load: runLoad,
}
/** Without a choice, all profiles but load. */
export const DEFAULT_PROFILES = ['static', 'backward', 'concurrent', 'refresh', 'live', 'depth']

/**
 * Holds a list against the profiles. Deletes all rows that it has written, also if it fails or is interrupted.
 *
 * @param {any} config
 * @param {{profiles?: string[], seed?: number, say?: (text: string) => void, rows?: number, onKit?: (kit: Kit) => void,
 *   concurrent?: any, load?: any, shrink?: boolean|{only: (result: any) => boolean}, ratio?: number}} options
 */
export async function run(config, options = {}) {
  const say = options.say ?? (() => {})
  const seed = options.seed ?? Math.floor(Math.random() * 2 ** 31)
  const connection = await connect(config, { say })
  const kit = new Kit({ ...connection, fields: config.fields, seed, rows: options.rows, maxCalls: options.maxCalls, lag: config.lag, say })
  options.onKit?.(kit)
  const started = kit.client.now()
  const profiles = options.profiles ?? DEFAULT_PROFILES
  let interrupted = false
  let left
  try {
    await prepare(kit, say)
    for (const profile of profiles) {
      say(`profile ${profile} …`)
      await runProfile(kit, profile, options)
    }
    if (options.shrink !== false) await shrink(kit, PROFILES, say, { options, only: options.shrink?.only })
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error
    interrupted = true
  } finally {
    left = await kit.cleanUp()
    await connection.writer?.close()
  }
  if (left.length > 0) say(`The kit could not delete the rows ${left.join(', ')}`)
  return {
    url: config.url, dialect: connection.dialect.title, seed, profiles, interrupted, left, calls: kit.client.calls,
    lists: kit.lists.map((list) => ({ name: list.name, order: formatOrder(list.order), declared: list.declared })),
    seconds: (kit.client.now() - started) / 1000,
    results: [...kit.results.values()], history: kit.history, walks: kit.walks, rows: kit.rows, kit,
  }
}

async function runProfile(kit, profile, options) {
  const before = kit.history.length
  try {
    await PROFILES[profile](kit, { ...options[profile], ...(options.ratio ? { ratio: options.ratio } : {}) })
  } catch (error) {
    if (error instanceof NoPage) {
      kit.failed(profile, 'answers', null, { message: `${error.answer.request.url} was answered with ${error.message}`, events: [error.answer.event] })
    } else if (error instanceof WriteFailed) {
      if (before === kit.history.length || kit.rows.size === 0) throw new CannotRun(`The kit cannot write: ${error.message}`)
      kit.failed(profile, 'writes', null, { message: error.message, events: [kit.history.length - 1] })
    } else {
      throw error
    }
  }
}

/** Writes the first rows, and finds out the order where it is not declared. */
async function prepare(kit, say) {
  if (kit.canWrite) {
    try {
      await kit.standRows()
    } catch (error) {
      throw error instanceof WriteFailed ? new CannotRun(`The kit cannot write: ${error.message}`) : error
    }
  }
  for (const list of kit.lists) {
    const walk = await kit.walk(list, { limit: list.maxLimit, maxCalls: 5 })
    if (walk.failure && walk.pages.length === 0) throw new CannotRun(`The list "${list.name}" gives no page: ${walk.failure}`)
    const items = walk.pages.flatMap((page) => page.items)
    const largest = Math.max(0, ...walk.pages.map((page) => page.items.length))
    if (largest > 0 && walk.pages[0].next && largest < list.maxLimit) list.maxLimit = largest
    if (!list.declared) {
      list.order = guessOrder(items.map(({ raw }) => raw), list.dialect.key) ?? []
      say(`order of "${list.name}": ${list.order.length ? `${formatOrder(list.order).join(', ')} (as its items suggest)` : 'none that the items show; the sequence is held against itself'}`)
    }
    markCoarse(kit, list, items)
  }
}

/** The API shows fewer digits of a time than the kit has written: within a millisecond, the kit cannot tell. */
function markCoarse(kit, list, items) {
  for (const column of list.order) {
    const field = column.path.split('.').at(-1)
    let finer = 0
    let equal = 0
    for (const { key, raw } of items) {
      const sent = kit.rows.get(key)?.versions.at(-1).fields[field]
      const shown = read(raw, column.path)
      if (typeof sent !== 'string' || microseconds(sent) === null || typeof shown !== 'string') continue
      if (compareValues('time', sent, shown) === 0) equal++
      else finer++
    }
    if (finer > 0 && (column.coarse = finer > 0 && equal < finer + equal)) {
      kit.values.precision = 'milliseconds'
      kit.note('static', 'order', list, `${column.path} is shown with fewer digits than were written: ties within a millisecond are not judged`)
    }
  }
}
