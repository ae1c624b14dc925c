import { placeOf } from '../oracle.js'
import { compare } from '../order.js'

const PROFILE = 'refresh'

/** Brings a page that a client keeps up to date: new items at the top, the hole below them, and what has changed. */
export async function runRefresh(kit, { rounds = 4, most = 4 } = {}) {
  const random = kit.random.fork()
  for (const list of kit.lists) {
    const { top, refresh } = list.dialect
    if (!kit.canWrite || (!top && !refresh)) {
      kit.skipped(PROFILE, 'new-items', list, kit.canWrite ? `${list.dialect.title} has no way to ask for what is new` : 'the kit cannot write')
      continue
    }
    for (let round = 0; round < rounds; round++) {
      await kit.standRows()
      if (top) await holdNewItems(kit, list, random, most)
      if (refresh) await holdDelta(kit, list, random, most)
    }
  }
}

async function holdNewItems(kit, list, random, most) {
  const limit = random.pick([2, 3, 5])
  const kept = await kit.page(list, null, limit)
  if (!kept.top) {
    kit.failed(PROFILE, 'new-items', list, { message: 'the first page has no cursor that leads to what is new', events: [kept.event] })
    return
  }
  for (let i = random.below(most + 1); i > 0; i--) await kit.create(nearTop(kit, list, random))
  await kit.settled()
  const walk = await kit.walk(list, { limit, direction: 'previous', from: { ...kept, previous: kept.top }, maxCalls: 60 })
  kit.judgeWalk(PROFILE, list, walk)
  const first = kept.items[0]
  const expected = walk.pages.toReversed().flatMap((page) => page.items.map(({ key }) => key))
  kit.passed(PROFILE, 'new-items', list)
  const { refresh } = list.dialect
  if (refresh?.fresh) {
    const url = new URL(list.url)
    url.pathname += refresh.fresh
    url.searchParams.set('cursor', kept.top.token)
    const answer = await kit.ask({ url: url.href }, { list: list.name })
    kit.expect(PROFILE, 'fresh', list, answer.status === 200 && answer.body?.count === Math.min(100, expected.length),
      `the count of new items is ${answer.body?.count ?? `missing (status ${answer.status})`}, ${expected.length} items are new`, [kept.event, answer.event])
  }
  if (refresh?.until && first) await holdHole(kit, list, kept, expected, limit)
}

/** The first of some random values in the order of the list. */
function nearTop(kit, list, random) {
  const place = (fields) => placeOf({ fields }, { key: undefined }, list)
  return Array.from({ length: 8 }, () => kit.values.draw(random))
    .reduce((best, fields) => compare(list.order, place(fields), place(best)) < 0 ? fields : best)
}

/** From the first page down to the place where the kept page starts: exactly the new items. */
async function holdHole(kit, list, kept, expected, limit) {
  const shown = []
  const events = [kept.event]
  let place = null
  do {
    const { answer, page, error } = await kit.tryPage(list, place, limit, { more: { [list.dialect.refresh.until]: kept.top.token } })
    events.push(answer.event)
    if (error) {
      kit.failed(PROFILE, 'hole', list, { message: error.message, events })
      return
    }
    shown.push(...page.items.map(({ key }) => key))
    place = page.next
  } while (place && shown.length <= expected.length + limit)
  kit.expect(PROFILE, 'hole', list, JSON.stringify(shown) === JSON.stringify(expected),
    `down to the kept page stand ${shown.length} items, ${expected.length} are new`, events.slice(0, 6))
}

async function holdDelta(kit, list, random, most) {
  const { refresh } = list.dialect
  const limit = random.pick([5, 10, 20])
  const kept = await kit.page(list, null, limit)
  const moment = kept.answer.body?.[refresh.moment]
  if (moment === undefined) {
    kit.skipped(PROFILE, 'delta', list, 'the list gives no moment')
    return
  }
  const from = kit.history.length
  for (let i = 1 + random.below(most); i > 0; i--) await randomWrite(kit, random)
  await kit.settled()
  const { answer, page } = await kit.tryPage(list, null, limit, { more: { [refresh.since]: moment } })
  const now = await kit.page(list, null, limit)
  const writes = kit.history.slice(from).flatMap((event, i) => event.type === 'write' ? [from + i] : [])
  const events = [kept.event, ...writes, answer.event, now.event]
  const keys = answer.body?.[refresh.keys]
  const whole = now.items.map(({ key }) => key)
  if (!kit.expect(PROFILE, 'delta', list, Array.isArray(keys) && JSON.stringify(keys.map(String)) === JSON.stringify(whole),
    `the keys since the moment are ${JSON.stringify(keys)}, the page is ${JSON.stringify(whole)}`, events)) return
  const sent = new Map((page?.items ?? []).map((item) => [item.key, item.raw]))
  const copies = new Map(kept.items.map((item) => [item.key, item.raw]))
  for (const { key, raw } of now.items) {
    const item = sent.get(key) ?? copies.get(key)
    // A row that was not written may move up into the page: the client has no copy of it, and reads it by its key.
    const written = writes.some((event) => kit.history[event].key === key)
    if (!item && !written) continue
    kit.expect(PROFILE, 'delta', list, JSON.stringify(item) === JSON.stringify(raw), item
      ? `row ${key} has changed since the moment, and is not sent` : `row ${key} is new since the moment, and is not sent`, events)
  }
  // A moment of one replica may mean nothing to another, which then sends everything.
  if (kit.lag > 0) return
  const unchanged = [...sent].filter(([key, raw]) => JSON.stringify(copies.get(key)) === JSON.stringify(raw))
  kit.expect(PROFILE, 'delta-small', list, unchanged.length < Math.max(3, now.items.length), 'the answer since the moment sends every item again', events)
}

export async function randomWrite(kit, random) {
  const standing = kit.standing()
  const choice = random.below(kit.writer.canUpdate ? 4 : 2)
  if (choice === 0 || standing.length < Math.min(8, kit.rowCount)) return kit.create(kit.values.draw(random))
  const row = random.pick(standing)
  if (choice === 1) return kit.remove(row)
  const fields = kit.values.draw(random)
  if (choice === 2) for (const name of Object.keys(kit.values.fields)) fields[name] = row.versions.at(-1).fields[name]
  return kit.update(row, fields)
}
