import { compare } from '../order.js'
import { NoPage } from '../list.js'

const PROFILE = 'static'

/** Holds a list that nobody writes to against every page size, wrong limits, and wrong cursors. */
export async function runStatic(kit) {
  if (kit.canWrite) await kit.standRows()
  for (const list of kit.lists) {
    const reference = await kit.walk(list, { limit: list.maxLimit })
    kit.judgeWalk(PROFILE, list, reference)
    const keys = keysOf(reference)
    if (keys.length === 0) {
      kit.skipped(PROFILE, 'complete', list, 'the list is empty')
      continue
    }
    await holdSizes(kit, list, reference)
    await holdLimits(kit, list, keys)
    await holdCursors(kit, list, keys)
  }
  await holdOtherLists(kit)
}

export function keysOf(walk) {
  return walk.pages.flatMap((page) => page.items.map(({ key }) => key))
}

async function holdSizes(kit, list, reference) {
  const keys = keysOf(reference)
  const n = keys.length
  const known = keys.every((key) => key !== undefined)
  kit.expect(PROFILE, 'keys', list, known, `items have no ${list.dialect.key}: say with "key" where their key is`, [reference.pages[0].event])
  if (!known) return
  holdTruth(kit, list, reference, reference.ended ? n : undefined)
  const whole = reference.ended && n <= list.maxLimit
  const sizes = new Set([7, 5, 3, 2, 1, ...(whole ? [n, Math.ceil(n / 2), n > 1 ? n - 1 : n] : [])])
  await holdEnd(kit, list, reference)
  const walks = []
  for (const limit of sizes) {
    if (limit > list.maxLimit) continue
    const walk = await kit.walk(list, { limit })
    walks.push(walk)
    kit.judgeWalk(PROFILE, list, walk)
    holdTruth(kit, list, walk, reference.ended ? n : undefined)
    if (limit === 3 || limit === 7) await holdRetries(kit, list, walk)
  }
  const again = await kit.walk(list, { limit: list.maxLimit })
  if (JSON.stringify(keysOf(again)) !== JSON.stringify(keys)) {
    if (kit.canWrite && [...kit.rows.keys()].length >= n) {
      kit.failed(PROFILE, 'order', list, { message: 'the same walk gives another sequence when it is repeated', events: [reference.pages[0].event, again.pages[0].event] })
    } else {
      kit.note(PROFILE, 'order', list, 'others write to the list: only the rows of the kit are judged')
    }
    return
  }
  for (const walk of walks) {
    const same = keysOf(walk)
    const prefix = walk.ended && reference.ended ? keys : keys.slice(0, same.length)
    const at = same.findIndex((key, i) => key !== prefix[i])
    const shorter = same.slice(0, prefix.length)
    // What the oracle has found in this walk is not reported again.
    const repeats = new Set(same).size !== same.length
    if (repeats || walk.loop || walk.failure) {
      if (repeats && !kit.rows.size) continue
      continue
    }
    if (same.length < prefix.length && shorter.every((key, i) => key === prefix[i])) {
      kit.failed(PROFILE, 'end', list, { message: `a walk with limit ${walk.limit} ends after ${same.length} of ${prefix.length} items`, events: [walk.pages.at(-1).event], walk: walk.id })
    } else if (at >= 0) {
      const missing = prefix.filter((key) => !same.includes(key))
      const check = missing.length > 0 ? gapKind(list, reference, missing[0], walk) : 'order'
      kit.failed(PROFILE, check, list, {
        message: missing.length > 0 ? `a walk with limit ${walk.limit} does not show row ${missing[0]}` : `a walk with limit ${walk.limit} gives another sequence than one with limit ${reference.limit}, from item ${at + 1} on`,
        events: around(walk, at), walk: walk.id, key: missing[0],
      })
    } else {
      kit.passed(PROFILE, 'complete', list)
    }
  }
}

/** Names the gap by the values of the missing row and the row before it, as the oracle does for the kit's own rows. */
function gapKind(list, reference, key, walk) {
  const items = reference.pages.flatMap((page) => page.items)
  const index = items.findIndex((item) => item.key === key)
  const last = list.order.slice(0, 1)
  const boundary = walk.pages.map((page) => page.items.at(-1)).filter(Boolean)
    .findLast((item) => items.findIndex(({ key: other }) => other === item.key) < index)
  if (last.length === 0 || !boundary) return 'complete'
  if (items[index].values[0] === null || boundary.values[0] === null) return 'nulls'
  return compare(last, items[index].values, boundary.values) === 0 ? 'ties' : 'complete'
}

function around(walk, index) {
  let count = 0
  for (const [i, page] of walk.pages.entries()) {
    count += page.items.length
    if (count > index) return walk.pages.slice(Math.max(0, i - 1), i + 1).map(({ event }) => event)
  }
  return [walk.pages.at(-1)?.event]
}

/** Flags and counts are true: they agree with the walk. */
function holdTruth(kit, list, walk, n) {
  const { dialect } = list
  for (const [index, page] of walk.pages.entries()) {
    const last = index === walk.pages.length - 1
    if (page.hasNext !== undefined && !walk.loop && (last ? walk.ended : true)) {
      const empty = walk.pages.slice(index + 1).every(({ items }) => items.length === 0)
      if (!last && empty && dialect.emptyLastPage) continue
      kit.expect(PROFILE, 'flags', list, last || !empty, `page ${index + 1} with limit ${page.limit} says that more items follow, and none do`,
        walk.pages.slice(index, index + 2).map(({ event }) => event))
    }
    if (page.hasPrevious !== undefined) {
      kit.expect(PROFILE, 'flags', list, page.hasPrevious === index > 0,
        index > 0 ? `page ${index + 1} says that no items stand before it` : 'the first page says that items stand before it',
        walk.pages.slice(Math.max(0, index - 1), index + 1).map(({ event }) => event))
    }
    if (page.hasNext === false && page.tokens?.next && dialect.flags === 'both') {
      kit.failed(PROFILE, 'flags', list, { message: `page ${index + 1} has a next cursor, and says that no items follow`, events: [page.event] })
    }
    if (page.hasNext === true && page.next === null) {
      kit.failed(PROFILE, 'flags', list, { message: `page ${index + 1} says that items follow, and has no cursor to them`, events: [page.event] })
    }
    if (page.total !== undefined && n !== undefined && walk.ended) {
      kit.expect(PROFILE, 'total', list, page.total === n, `the total is ${page.total}, the list has ${n} items`, [page.event])
    }
  }
}

/**
 * Reads the last page with a limit that meets the end of the list. A server that guesses from a full page that more items
 * follow is right about all other pages, and the list may be too long for a walk with limit 1.
 */
async function holdEnd(kit, list, reference) {
  const [before, last] = reference.pages.slice(-2)
  const full = last?.items.length ?? 0
  // Where the limit is part of the place, another limit is another place.
  if (!reference.ended || full === 0 || list.limitOf(before.next) !== undefined) return
  const walk = await kit.walk(list, { limit: full, from: before, maxCalls: 3 })
  kit.judgeWalk(PROFILE, list, walk)
  const [page, ...rest] = walk.pages
  const follow = rest.some(({ items }) => items.length > 0)
  if (page?.hasNext && !list.dialect.emptyLastPage) {
    kit.expect(PROFILE, 'flags', list, follow, `a last page of exactly ${full} items says that more items follow, and none do`,
      walk.pages.slice(0, 2).map(({ event }) => event))
  }
}

async function holdRetries(kit, list, walk) {
  const places = [null, ...walk.pages.map((page) => page.next).filter(Boolean)]
  for (const i of [0, Math.floor(places.length / 2), places.length - 1]) {
    const first = walk.pages[i]
    if (!first) continue
    try {
      const again = await kit.page(list, places[i], walk.limit)
      kit.expect(PROFILE, 'retry', list, JSON.stringify(again.items.map(({ raw }) => raw)) === JSON.stringify(first.items.map(({ raw }) => raw))
        && (again.next === null) === (first.next === null), `page ${i + 1} with limit ${walk.limit} is another page when it is asked for again`, [first.event, again.event])
    } catch (error) {
      if (!(error instanceof NoPage)) throw error
      kit.failed(PROFILE, 'retry', list, { message: `page ${i + 1} with limit ${walk.limit} asked for again: ${error.message}`, events: [first.event, error.answer.event] })
    }
  }
}

async function holdLimits(kit, list, keys) {
  if (!list.dialect.limit && !list.dialect.graphql && list.dialect.paging !== 'range') {
    kit.skipped(PROFILE, 'limits', list, 'the list has no limit')
    return
  }
  const usual = await kit.tryPage(list, null, undefined)
  for (const limit of [0, -1, 1_000_000_000, '9'.repeat(30), 'abc']) {
    // A GraphQL server checks the types of variables itself, and a range is not a limit.
    if ((list.dialect.graphql && typeof limit === 'string') || (list.dialect.paging === 'range' && !(limit > 0))) continue
    const { answer, page } = await kit.tryPage(list, null, limit)
    const ok = (condition, message) => kit.expect(PROFILE, 'limits', list, condition, `limit ${limit}: ${message}`, [answer.event])
    if (!ok(answer.status < 500, `status ${answer.status}`) || !page) continue
    const shown = page.items.map(({ key }) => key)
    if (!ok(shown.every((key, i) => key === keys[i]), 'the items are not those from the start of the list')) continue
    if (limit === 0 && usual.page) ok(shown.length <= usual.page.items.length, `${shown.length} items are given, more than without a limit`)
    if (shown.length === 0 && limit !== 0) ok(false, 'no items, and no error')
    if (limit !== 0 && !(limit > 0)) kit.note(PROFILE, 'limits', list, `limit ${limit} is no error: ${shown.length} items are given`)
  }
}

const RUBBISH = ['rubbish', 'AAAAAAAA', '-1', '0x', '%00', "'", 'eyJpZCI6MX0', 'x'.repeat(3000)]

async function holdCursors(kit, list, keys) {
  const first = await kit.page(list, null, Math.max(1, Math.min(3, Math.floor(keys.length / 3))))
  if (!first.next) {
    kit.skipped(PROFILE, 'rubbish-cursor', list, 'the list has only one page')
    return
  }
  const shown = first.items.map(({ key }) => key)
  const hold = async (check, name, place, strict) => {
    if (!place) return
    const { answer, page } = await kit.tryPage(list, place, first.limit)
    if (!kit.expect(PROFILE, check, list, answer.status < 500, `${name}: status ${answer.status}`, [answer.event]) || !page) return
    const same = page.items.length > 0 && page.items.every(({ key }, i) => key === shown[i] || key === keys[i])
    if (strict) kit.expect(PROFILE, check, list, false, same ? `${name} gives page one` : `${name} gives status ${answer.status} and ${page.items.length} items`, [first.event, answer.event])
    else kit.expect(PROFILE, check, list, !same, `${name} gives page one`, [first.event, answer.event])
  }
  for (const rubbish of RUBBISH) {
    if (list.dialect.paging === 'range') break
    await hold('rubbish-cursor', `${list.dialect.paging === 'page' || list.dialect.paging === 'offset' ? list.dialect.next.param : 'cursor'} ${rubbish.length > 20 ? 'of 3000 letters' : JSON.stringify(rubbish)}`, list.withToken(first.next, () => rubbish), true)
  }
  const token = list.opaque ? list.token(first.next) : null
  if (token && token.length > 6) {
    await hold('altered-cursor', 'a cursor cut in half', list.withToken(first.next, () => token.slice(0, token.length >> 1)), false)
    for (const at of [1, token.length >> 1, token.length - 2]) {
      const other = token[at] === 'A' ? 'B' : 'A'
      await hold('altered-cursor', `a cursor with another letter at ${at + 1}`, list.withToken(first.next, () => token.slice(0, at) + other + token.slice(at + 1)), false)
    }
  } else {
    kit.skipped(PROFILE, 'altered-cursor', list, 'the places of the list are no tokens')
  }
}

/** A cursor of one list is no cursor of another. */
async function holdOtherLists(kit) {
  for (const list of kit.lists) {
    for (const other of kit.lists) {
      if (other === list || !list.opaque) continue
      const page = await kit.page(other, null, 2)
      const token = other.token(page.next)
      const own = await kit.page(list, null, 2)
      if (!token || !own.next || /^\d{1,6}$/.test(token)) {
        kit.skipped(PROFILE, 'other-list', list, 'the list gives no tokens')
        continue
      }
      const { answer, page: taken } = await kit.tryPage(list, list.withToken(own.next, () => token), 2)
      kit.expect(PROFILE, 'other-list', list, answer.status < 500 && taken === null,
        taken ? `a cursor of the list "${other.name}" is taken` : `a cursor of the list "${other.name}": status ${answer.status}`, [page.event, answer.event])
    }
  }
}
