const PROFILE = 'depth'
const TIMES = 7
/** What a page may cost in addition, whatever the ratio: a busy machine and a network are no defect. */
const ALLOWANCE_MS = 40

/** Compares the time of a deep page with the time of the first page. */
export async function runDepth(kit, { ratio = 5, pages = 100, limits = [30, 5] } = {}) {
  if (kit.canWrite) await kit.standRows()
  for (const list of kit.lists) {
    let limit, walk, deep, places
    for (limit of limits) {
      limit = Math.min(limit, list.maxLimit)
      walk = await kit.walk(list, { limit, maxCalls: pages })
      places = [null, ...walk.pages.map((page) => page.next)].slice(0, walk.pages.length)
      deep = places.findLast((place, i) => place && walk.pages[i].items.length >= Math.min(limit, 2))
      if (deep || walk.failure) break
    }
    if (!deep || walk.failure) {
      kit.skipped(PROFILE, 'cost', list, 'the list has only one page')
      continue
    }
    const first = await fastest(kit, list, null, limit)
    const last = await fastest(kit, list, deep, limit)
    const depth = places.indexOf(deep) * limit
    const text = `the page at item ${depth} takes ${last.time.toFixed(1)} ms, the first page ${first.time.toFixed(1)} ms (the fastest of ${TIMES}): ratio ${(last.time / first.time).toFixed(1)}`
    kit.note(PROFILE, 'cost', list, text)
    if (depth < 1000) kit.note(PROFILE, 'cost', list, 'below 1000 items, the ratio says little')
    kit.expect(PROFILE, 'cost', list, last.time <= first.time * ratio + ALLOWANCE_MS, text, [first.event, last.event])
  }
}

async function fastest(kit, list, place, limit) {
  let best = null
  for (let i = 0; i < TIMES; i++) {
    const page = await kit.page(list, place, limit)
    const time = page.end - page.start
    if (!best || time < best.time) best = { time, event: page.event }
  }
  return best
}
