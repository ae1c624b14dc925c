import { compare } from '../order.js'
import { placeOf } from '../oracle.js'
import { WriteFailed } from '../errors.js'

const PROFILE = 'concurrent'
const LARGEST_GROWTH = 2

/** Writes while walks are under way: first between the pages of one walk, step by step; then truly at the same time. */
export async function runConcurrent(kit, { rounds = 12, seconds = 3, writers = 2, walkers = 2 } = {}) {
  if (!kit.canWrite) {
    for (const list of kit.lists) kit.skipped(PROFILE, 'complete', list, 'the kit cannot write')
    return
  }
  const random = kit.random.fork()
  for (let round = 0; round < rounds; round++) {
    await kit.seedRows()
    const list = kit.lists[round % kit.lists.length]
    await walkWithWrites(kit, list, random, round % 3 === 2 && list.canGoBack)
  }
  if (seconds > 0) await race(kit, random, { seconds, writers, walkers, profile: PROFILE })
  await settle(kit, PROFILE)
}

/** When all is quiet again, every list shows every row that stands. */
async function settle(kit, profile) {
  for (const commit of [...kit.late]) await commit()
  await kit.settled()
  for (const list of kit.lists) kit.judgeWalk(profile, list, await kit.walk(list, { limit: list.maxLimit }))
}

async function walkWithWrites(kit, list, random, back) {
  const limit = random.pick([1, 2, 3, 5, 7])
  let from = null
  if (back) {
    const forward = await kit.walk(list, { limit: random.pick([5, 7, 11]) })
    kit.judgeWalk(PROFILE, list, forward)
    from = forward.pages.at(-1)
    if (!from?.previous || forward.failure) return
  }
  const direction = back ? 'previous' : 'next'
  const shown = new Set()
  const commits = []
  const walk = await kit.walk(list, {
    limit, direction, from, maxCalls: 80,
    between: async (page) => {
      page.items.forEach(({ key }) => shown.add(key))
      while (commits.length > 1 || (commits.length && random.chance(0.4))) await commits.shift()()
      for (let writes = random.below(3); writes > 0; writes--) await writeNear(kit, list, page, direction, shown, random, commits)
    },
  })
  for (const commit of commits) await commit()
  kit.judgeWalk(PROFILE, list, walk)
}

/** A write at the place where a wrong list breaks: at the cursor, in the next page, or in what has been shown. */
async function writeNear(kit, list, page, direction, shown, random, commits) {
  const standing = kit.standing()
  const edge = kit.rows.get(page.items.at(direction === 'next' ? -1 : 0)?.key)
  const isEdge = edge && standing.includes(edge) ? edge : null
  const ahead = nearest(kit, list, page, direction, standing.filter((row) => !shown.has(row.key)))
  const behind = standing.filter((row) => shown.has(row.key) && row !== isEdge)
  const grown = standing.length > kit.rowCount * LARGEST_GROWTH
  const rare = standing.length < kit.rowCount / 2
  const action = random.pick([
    'insert', 'insert', 'insert-here', 'late', 'delete-edge', 'delete-edge', 'delete-ahead', 'delete-behind', 'delete-behind',
    'edit-edge', 'move-edge', 'move-any', 'edit-any'])
  switch (action) {
    case 'insert':
      if (!grown) await kit.create(kit.values.draw(random))
      break
    case 'insert-here': {
      // Equal to the row at the cursor in all values that the kit chooses.
      if (!grown) await kit.create(isEdge ? { ...onlyFields(kit, isEdge), mark: kit.values.mark() } : kit.values.draw(random))
      break
    }
    case 'late':
      if (kit.writer.canCommitLate && !grown) commits.push((await kit.create(kit.values.draw(random), { late: true })).commit)
      break
    case 'delete-edge':
      if (isEdge && !rare) await kit.remove(isEdge)
      break
    case 'delete-ahead':
      if (ahead && !rare) await kit.remove(ahead)
      break
    case 'delete-behind':
      if (behind.length && !rare) await kit.remove(random.pick(behind))
      break
    default: {
      if (!kit.writer.canUpdate) break
      const row = action.endsWith('edge') ? isEdge : standing.length ? random.pick(standing) : null
      if (!row) break
      const fields = action.startsWith('move') ? kit.values.draw(random) : { ...onlyFields(kit, row), mark: kit.values.mark() }
      await kit.update(row, fields)
    }
  }
}

function onlyFields(kit, row) {
  const { fields } = row.versions.at(-1)
  return Object.fromEntries(Object.keys(kit.values.fields).map((name) => [name, fields[name]]))
}

/** The row that the walk should show next. */
function nearest(kit, list, page, direction, rows) {
  const edge = page.items.at(direction === 'next' ? -1 : 0)
  const sign = direction === 'next' ? 1 : -1
  let best = null
  for (const row of rows) {
    const place = placeOf(row.versions.at(-1), row, list)
    if (edge && !(sign * compare(list.order, place, edge.values) > 0)) continue
    if (!best || sign * compare(list.order, place, best.place) < 0) best = { row, place }
  }
  return best?.row ?? null
}

/** Writers and walkers that do not wait for one another. */
export async function race(kit, random, { seconds, writers, walkers, profile }) {
  const end = kit.client.now() + seconds * 1000
  const running = () => kit.client.now() < end && !kit.interrupted
  const busy = new Set()
  const write = async (own) => {
    while (running()) {
      const standing = kit.standing().filter((row) => !busy.has(row.key))
      const choice = own.next()
      try {
        if (standing.length < kit.rowCount || (choice < 0.35 && standing.length < kit.rowCount * LARGEST_GROWTH)) {
          const late = kit.writer.canCommitLate && own.chance(0.1)
          const created = await kit.create(kit.values.draw(own), { late })
          if (late) {
            await new Promise((resolve) => setTimeout(resolve, own.below(50)))
            await created.commit()
          }
          continue
        }
        const row = own.pick(standing)
        busy.add(row.key)
        try {
          if (choice < 0.7 || !kit.writer.canUpdate) await kit.remove(row)
          else await kit.update(row, choice < 0.85 ? kit.values.draw(own) : { ...onlyFields(kit, row), mark: kit.values.mark() })
        } finally {
          busy.delete(row.key)
        }
      } catch (error) {
        // Two writes at the same time may well conflict. The outcome is unknown, so the oracle claims nothing of the row.
        if (!(error instanceof WriteFailed)) throw error
        kit.note(profile, 'complete', null, `a write failed: ${error.message}`)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }
  }
  const walks = []
  const walk = async (own) => {
    while (running()) {
      const list = own.pick(kit.lists)
      const found = await kit.walk(list, { limit: own.pick([2, 3, 5, 7]) })
      walks.push([list, found])
      const last = found.pages.at(-1)
      if (list.canGoBack && last?.previous && own.chance(0.3)) {
        walks.push([list, await kit.walk(list, { limit: own.pick([2, 3, 5]), direction: 'previous', from: last })])
      }
    }
  }
  await allSettled([
    ...Array.from({ length: writers }, () => write(random.fork())),
    ...Array.from({ length: walkers }, () => walk(random.fork())),
  ])
  for (const [list, found] of walks) kit.judgeWalk(profile, list, found)
  return walks
}

/** Waits for all, so that nothing goes on in the background, and then throws the first error. */
async function allSettled(promises) {
  const results = await Promise.allSettled(promises)
  const failed = results.find(({ status }) => status === 'rejected')
  if (failed) throw failed.reason
}

/** Walks at a given concurrency while rows are written, and says how fast that was. */
export async function runLoad(kit, { seconds = 10, writers = 2, walkers = 20 } = {}) {
  if (!kit.canWrite) kit.note('load', 'complete', null, 'the kit cannot write: the walks are held against one another only by the oracle\'s order and repeats')
  if (kit.canWrite) await kit.seedRows()
  const before = kit.history.length
  const started = kit.client.now()
  await race(kit, kit.random.fork(), { seconds, writers: kit.canWrite ? writers : 0, walkers, profile: 'load' })
  if (kit.canWrite) await settle(kit, 'load')
  const pages = kit.history.slice(before).filter((event) => event.type === 'page')
  const times = pages.map(({ start, end }) => end - start).sort((a, b) => a - b)
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))]?.toFixed(1)
  const elapsed = (kit.client.now() - started) / 1000
  kit.note('load', 'complete', null, `${(pages.length / elapsed).toFixed(0)} pages/s at ${walkers} walkers; median ${at(0.5)} ms, p99 ${at(0.99)} ms`)
}
