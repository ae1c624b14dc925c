import { belongs, judge, placeOf } from './oracle.js'
import { compare } from './order.js'
import { WriteFailed } from './errors.js'
import { NoPage } from './list.js'

const MOST_CALLS = 10
const GAPS = new Set(['complete', 'ties', 'nulls', 'microseconds', 'end'])
const OTHERS = new Set(['no-row-twice', 'order', 'answers', 'gone'])

/**
 * Looks for the smallest case that fails in the same way: some rows, a walk with a small limit, and one write between two
 * pages. All such cases are tried, the simplest first, and the calls of the first that fails are the reproduction.
 */
export async function shrink(kit, say, { seconds = 20 } = {}) {
  if (!kit.canWrite) return
  const failed = [...kit.results.values()].filter(({ profile, check, status, list }) => status === 'failed' && list
    && ['static', 'backward', 'concurrent', 'load'].includes(profile) && (GAPS.has(check) || OTHERS.has(check)))
  if (failed.length === 0) return
  say('looking for the shortest reproductions …')
  await kit.cleanUp()
  const end = kit.client.now() + seconds * 1000
  const found = new Map()
  for (const result of failed) {
    const list = kit.lists.find(({ name }) => name === result.list)
    const back = result.profile === 'backward' || result.violations.every(({ walk }) => kit.walks[walk]?.direction === 'previous')
    const writes = result.profile === 'concurrent' || result.profile === 'load'
    const name = `${list.name} ${back} ${writes} ${GAPS.has(result.check) ? 'gap' : result.check}`
    if (!found.has(name)) found.set(name, await search(kit, list, result.check, back, writes, end))
    const small = found.get(name)
    if (small) result.violations.unshift({ ...small, check: result.check, profile: result.profile, list: list.name })
  }
}

async function search(kit, list, check, back, writes, end) {
  const kinds = ['distinct', 'ties', 'microseconds', 'nulls']
  const actions = writes ? ['delete-first', 'delete-edge', 'insert-high', 'insert-low', 'delete-ahead', 'insert-tie', 'move-edge'] : ['nothing']
  for (const rows of [2, 3, 4]) {
    for (const limit of [1, 2]) {
      for (const kind of kinds) {
        for (const action of actions) {
          if (kit.client.now() > end || kit.interrupted) return null
          const small = await tryCase(kit, list, { rows, limit, kind, action, back }, check)
          if (small) return small
        }
      }
    }
  }
  return null
}

async function tryCase(kit, list, { rows, limit, kind, action, back }, check) {
  const from = kit.history.length
  const made = []
  const create = async (number, valueKind = kind) => {
    const { key } = await kit.create(valuesOf(kit, list, valueKind, number))
    made.push(kit.rows.get(key))
    return key
  }
  let acted = false
  const act = async (page) => {
    if (acted || !page.items.some(({ key }) => made.some((row) => row.key === key))) return
    acted = true
    await carryOut(kit, list, action, made, page, back, create)
  }
  try {
    for (let i = 0; i < rows; i++) await create(i)
    let walk
    if (back) {
      const forward = await kit.walk(list, { limit, maxCalls: 60 })
      const last = forward.pages.at(-1)
      if (!last?.previous || forward.failure) return null
      walk = await kit.walk(list, { limit, direction: 'previous', from: last, between: act, maxCalls: 60 })
    } else {
      walk = await kit.walk(list, { limit, between: act, maxCalls: 60 })
    }
    const violations = judge(walk, kit.rows, list)
    if (walk.failure) violations.push({ check: 'answers', message: walk.failure, walk: walk.id, events: [walk.failureEvent] })
    const same = violations.find((violation) => violation.check === check)
      ?? violations.find((violation) => GAPS.has(check) && GAPS.has(violation.check))
    if (!same) return null
    const events = kit.history.map((event, index) => ({ ...event, index })).slice(from)
    const ours = (event) => event.keys?.some((key) => made.some((row) => row.key === key))
    const firstPage = events.find((event) => event.type === 'page' && ours(event))?.index ?? from
    const needed = events.filter((event) => event.type === 'write' || (event.index >= firstPage && event.index <= Math.max(...same.events)))
    return needed.length > MOST_CALLS ? null : { ...same, shrunk: { events: needed } }
  } catch (error) {
    if (error instanceof WriteFailed || error instanceof NoPage) return null
    throw error
  } finally {
    for (const row of made) if (!row.gone) await kit.remove(row)
  }
}

async function carryOut(kit, list, action, made, page, back, create) {
  const keys = page.items.map(({ key }) => key)
  const edge = made.find((row) => row.key === keys.at(back ? 0 : -1))
  const shown = made.find((row) => keys.includes(row.key) && row !== edge) ?? edge
  const sign = back ? -1 : 1
  const ahead = made.filter((row) => !keys.includes(row.key) && edge && belongs(row.versions.at(-1), list)
    && sign * compare(list.order, placeOf(row.versions.at(-1), row, list), placeOf(edge.versions.at(-1), edge, list)) > 0)[0]
  switch (action) {
    case 'delete-first':
      if (shown) await kit.remove(shown)
      break
    case 'delete-edge':
      if (edge) await kit.remove(edge)
      break
    case 'delete-ahead':
      if (ahead) await kit.remove(ahead)
      break
    case 'insert-high':
      await create(9, 'distinct')
      break
    case 'insert-low':
      await create(-1, 'distinct')
      break
    case 'insert-tie':
      await create(0)
      break
    case 'move-edge':
      if (edge && kit.writer.canUpdate) await kit.update(edge, valuesOf(kit, list, 'distinct', 9))
      break
  }
}

function valuesOf(kit, list, kind, number) {
  const fields = { mark: kit.values.mark() }
  for (const [name, type] of Object.entries(kit.values.fields)) {
    const nullable = typeof type === 'string' && type.endsWith('?')
    if (name in list.where) fields[name] = list.where[name]
    else if (Array.isArray(type)) fields[name] = type[0]
    else if (type.startsWith('boolean')) fields[name] = true
    else if (kind === 'nulls' && nullable) fields[name] = number % 2 ? null : valueOf(kit, type, 'distinct', number)
    else fields[name] = valueOf(kit, type, kind, number)
  }
  return fields
}

function valueOf(kit, type, kind, number) {
  const step = kind === 'distinct' ? number + 1 : 5
  if (type.startsWith('time')) return kit.values.time(step, kind === 'microseconds' ? number : 0)
  return type.startsWith('number') ? step : 'abcdefghijk'[step]
}
