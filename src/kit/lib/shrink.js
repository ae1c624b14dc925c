import { belongs, judge, placeOf } from './oracle.js'
import { compare } from './order.js'
import { WriteFailed } from './errors.js'
import { NoPage } from './list.js'
import { read } from './paths.js'
import { labelsOf, lineCount } from './reports/script.js'

const MOST_LINES = 10
const SEEDS = 6
const GAPS = new Set(['complete', 'ties', 'nulls', 'microseconds', 'end'])
const WALKS = new Set([...GAPS, 'no-row-twice', 'order', 'answers', 'gone', 'limit', 'full-page'])
/** How little of a profile a small case needs. */
const SMALL = { refresh: { rounds: 1, most: 2 }, live: { writes: 3 }, depth: { pages: 4, limits: [2] } }

/**
 * Looks for a small case that fails in the same way: first some rows, a walk with a small limit, and one write between two
 * pages; then the whole profile over few rows. The calls that the failure needs are carried out again by themselves, and are
 * its reproduction if the answers are the same.
 *
 * @param {Record<string, (kit: any, options: any) => Promise<void>>} profiles
 * @param {{seconds?: number, options?: any, only?: (result: any) => boolean}} more how long to look, the options of the profiles,
 *   and for which failures
 */
export async function shrink(kit, profiles, say, { seconds = 40, options = {}, only = () => true } = {}) {
  if (!kit.canWrite) return
  const failed = [...kit.results.values()].filter(({ profile, status, list }) => status === 'failed' && list && profiles[profile])
    .filter(only)
  if (failed.length === 0) return
  say(`looking for the shortest reproductions, for at most ${seconds} s …`)
  await kit.cleanUp()
  const end = kit.client.now() + seconds * 1000
  const found = new Map()
  for (const result of failed) {
    const { profile, check } = result
    const list = kit.lists.find(({ name }) => name === result.list)
    const writes = profile === 'concurrent' || profile === 'load'
    const back = profile === 'backward' || result.violations.every(({ walk }) => kit.walks[walk]?.direction === 'previous')
    const name = `${list.name} ${back} ${writes} ${GAPS.has(check) ? 'gap' : `${profile} ${check}`}`
    if (!found.has(name)) {
      found.set(name, (WALKS.has(check) && profile !== 'refresh' ? await searchWalks(kit, list, check, back, writes, end) : null)
        ?? (writes ? null : await searchRuns(kit, list, profiles[profile], profile, check, options, end)))
    }
    if (found.get(name)) result.violations.unshift({ ...found.get(name), check, profile, list: list.name })
  }
  // What has no case of its own has one in common with another failure of the same list, more likely than not.
  for (const result of failed) {
    if (result.violations[0].shrunk) continue
    const other = failed.find(({ profile, list, violations }) => profile === result.profile && list === result.list && violations[0].shrunk)?.violations[0]
    if (other) result.violations.unshift({ ...other, message: `${other.message} (the shortest case is of ${other.check})`, check: result.check })
  }
}

/** Runs the profile over few rows. */
async function searchRuns(kit, list, run, profile, check, options, end) {
  const lists = check === 'other-list' ? [list, ...kit.lists.filter((other) => other !== list)] : [list]
  // The rows of the last case are alike, so that one line can write them.
  for (const [rows, alike] of [[1], [2], [3], [4], [6], [14, true]]) {
    for (let seed = 1; seed <= SEEDS; seed++) {
      if (kit.client.now() > end || kit.stopped) return null
      const carryOut = () => smallRun(kit.part({ lists, rows, seed }), list, run, { ...options[profile], ...SMALL[profile] }, check, alike)
      const violation = await carryOut()
      if (!violation) continue
      // What a stream tells depends on the moment, so its case is repeated as a whole.
      const small = profile === 'live' ? await carryOut() : await again(kit, violation)
      if (small && lineCount(small.shrunk.events) <= MOST_LINES) return small
    }
  }
  return null
}

async function smallRun(part, list, run, options, check, alike) {
  if (alike) {
    const fields = part.values.special(0)
    part.values.draw = part.values.special = () => ({ ...fields })
  }
  try {
    await run(part, options)
  } catch (error) {
    if (!(error instanceof WriteFailed) && !(error instanceof NoPage)) throw error
  } finally {
    await part.cleanUp()
  }
  const violations = [...part.results.values()].filter((result) => result.check === check && result.list === list.name).flatMap((result) => result.violations)
  const small = violations.map((violation) => ({ ...violation, shrunk: { events: needed(part.history, violation), part } }))
  return small.toSorted((a, b) => a.shrunk.events.length - b.shrunk.events.length)[0] ?? null
}

/** The calls that a failure needs: those that show it, those whose places these use, and all writes before. */
function needed(history, violation) {
  const chosen = new Set(violation.events)
  for (const index of chosen) {
    for (const token of used(history[index])) {
      const source = history.findLastIndex((event, i) => i < index && Object.values(event.tokens ?? {}).includes(token))
      if (source >= 0) chosen.add(source)
    }
  }
  const last = Math.max(...chosen)
  history.forEach((event, index) => {
    if (event.type === 'write' && event.ok && index < last) chosen.add(index)
  })
  return [...chosen].sort((a, b) => a - b).map((index) => history[index])
}

function used({ request, place }) {
  return request?.url ? [request.url, ...new URL(request.url).searchParams.values(), place?.token].filter(Boolean) : []
}

/** Carries the calls of a failure out again, and nothing else. Returns the failure with these calls, or null if an answer differs. */
async function again(kit, violation) {
  const { events } = violation.shrunk
  const part = kit.part()
  /** What the first calls have named, as it is named now. */
  const now = new Map()
  const done = []
  try {
    for (const event of events) {
      if (event.type === 'write') await repeatWrite(part, event, now)
      else if (!await repeatRead(part, event, now, labelsOf(events))) return null
      done.push(part.history.at(-1))
    }
    if (violation.check === 'cost' && !(duration(done.at(-1)) > 2 * duration(done.find(({ type }) => type === 'page')))) return null
  } catch (error) {
    if (error instanceof WriteFailed) return null
    throw error
  } finally {
    await part.cleanUp()
  }
  const labels = labelsOf(events)
  const message = violation.message.replace(/(\brow )?([^\s(),]+)/g, (all, _, word) => labels.get(word) ?? all)
  return { ...violation, message, key: now.get(violation.key), walk: undefined, shrunk: { events: done } }
}

function duration({ start, end }) {
  return end - start
}

async function repeatWrite(part, { op, key, fields }, now) {
  if (op === 'create') now.set(key, (await part.create(fields)).key)
  else if (op === 'delete') await part.remove(part.rows.get(now.get(key)))
  else await part.update(part.rows.get(now.get(key)), fields)
}

async function repeatRead(part, event, now, labels) {
  const renamed = (text) => now.get(text) ?? text
  let answer
  if (event.place === undefined) {
    const url = new URL(event.request.url)
    for (const [name, value] of [...url.searchParams]) url.searchParams.set(name, renamed(value))
    answer = await part.ask({ ...event.request, url: url.href }, { list: event.list })
  } else {
    const { place, more, limit } = event
    const list = part.lists.find(({ name }) => name === event.list)
    const at = place && { ...place, ...(place.token ? { token: renamed(place.token) } : {}), ...(place.url ? { url: renamed(place.url) } : {}) };
    ({ answer } = await part.tryPage(list, at, limit, { more: Object.fromEntries(Object.entries(more).map(([name, value]) => [name, renamed(value)])) }))
  }
  const repeated = part.history[answer.event]
  for (const [path, token] of Object.entries(event.tokens ?? {})) if (repeated.tokens?.[path]) now.set(token, repeated.tokens[path])
  const made = new Set()
  addNumbers(read(event.body, part.lists[0].dialect.items), made)
  Object.keys(part.values.fields).forEach((name) => made.delete(name))
  return event.status === repeated.status && sameAnswer(event.body, labels, repeated.body, labelsOf(part.history), made)
}

/** Adds the names of all numbers. */
function addNumbers(value, names) {
  if (value === null || typeof value !== 'object') return
  for (const [name, member] of Object.entries(value)) {
    if (typeof member === 'number') names.add(name)
    else addNumbers(member, names)
  }
}

/**
 * Whether two answers show the same, apart from what an API makes anew each time: keys, places, and other texts.
 *
 * @param {Set<string>} made the names of numbers that the API makes
 */
export function sameAnswer(a, labelsOfA, b, labelsOfB, made) {
  const outline = (value, labels) => JSON.stringify(value, (name, member) => typeof member === 'string' || typeof member === 'number'
    ? labels.get(String(member)) ?? (typeof member === 'number' && !made.has(name) ? member : '') : member)
  return outline(a, labelsOfA) === outline(b, labelsOfB)
}

async function searchWalks(kit, list, check, back, writes, end) {
  const kinds = ['distinct', 'ties', 'microseconds', 'nulls']
  const actions = writes ? ['delete-first', 'delete-edge', 'insert-high', 'insert-low', 'delete-ahead', 'insert-tie', 'move-edge', 'leave', 'delete-between', 'insert-between'] : ['nothing', 'twice']
  for (const settle of kit.lag > 0 ? [false, true] : [true]) {
    for (const rows of [2, 3, 4]) {
      for (const limit of [1, 2]) {
        for (const kind of kinds) {
          for (const action of actions) {
            if (kit.client.now() > end || kit.stopped) return null
            const violation = await tryWalk(kit.part(), list, { rows, limit, kind, action, back, settle }, check)
            const small = violation && await again(kit, violation)
            if (small) return small
          }
        }
      }
    }
  }
  return null
}

async function tryWalk(kit, list, { rows, limit, kind, action, back, settle }, check) {
  const create = (number, valueKind = kind) => kit.create(valuesOf(kit, list, valueKind, number))
  const made = () => [...kit.rows.values()]
  let acted = false
  const act = async (page) => {
    if (acted || !page.items.some(({ key }) => kit.rows.has(key))) return
    acted = true
    await carryOut(kit, list, action, made(), page, back, create)
  }
  try {
    for (let i = 0; i < rows; i++) await create(i)
    if (settle) await kit.settled()
    const twice = action === 'twice' || action.endsWith('-between')
    let walk = back || twice ? await kit.walk(list, { limit }) : null
    if (twice && !back) {
      if (action === 'delete-between') await kit.remove(made()[0])
      if (action === 'insert-between') await create(9, 'distinct')
      walk = await kit.walk(list, { limit })
    } else if (back) {
      const last = walk.pages.at(-1)
      if (!last?.previous || walk.failure) return null
      walk = await kit.walk(list, { limit, direction: 'previous', from: last, between: act })
    } else {
      walk = await kit.walk(list, { limit, between: act })
    }
    const violations = judge(walk, kit.rows, list, kit.lag)
    if (walk.failure) violations.push({ check: 'answers', message: walk.failure, walk: walk.id, events: [walk.failureEvent] })
    const same = violations.find((violation) => violation.check === check)
      ?? violations.find((violation) => GAPS.has(check) && GAPS.has(violation.check))
    if (!same) return null
    const last = Math.max(...same.events)
    const first = kit.history.findIndex((event) => event.keys?.some((key) => kit.rows.has(key)))
    const events = kit.history.filter((event, index) => index <= last && (event.type === 'write' || index >= first || same.events.includes(index)))
    return lineCount(events) > MOST_LINES ? null : { ...same, shrunk: { events } }
  } catch (error) {
    if (error instanceof WriteFailed || error instanceof NoPage) return null
    throw error
  } finally {
    await kit.cleanUp()
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
    case 'leave':
      if (ahead && kit.writer.canUpdate) await kit.update(ahead, outside(kit, list, ahead))
      break
  }
}

/** The values of a row with which it leaves a list that is filtered. */
function outside(kit, list, row) {
  const fields = { ...row.versions.at(-1).fields, mark: kit.values.mark() }
  for (const [name, value] of Object.entries(list.where)) {
    const type = kit.values.fields[name]
    if (Array.isArray(type)) fields[name] = type.find((other) => other !== value) ?? value
  }
  return fields
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
