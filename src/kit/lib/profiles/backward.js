const PROFILE = 'backward'

/** Reads back from the end, and from places within the list. */
export async function runBackward(kit) {
  if (kit.canWrite) await kit.standRows()
  for (const list of kit.lists) {
    if (!list.canGoBack) {
      kit.skipped(PROFILE, 'complete', list, `${list.dialect.title} has no way back`)
      continue
    }
    for (const limit of [1, 3, 5]) {
      const forward = await kit.walk(list, { limit })
      if (!forward.pages.length || forward.loop || forward.failure) {
        kit.judgeWalk(PROFILE, list, forward)
        continue
      }
      const last = forward.pages.at(-1)
      if (forward.pages.length < 2) {
        kit.skipped(PROFILE, 'complete', list, 'the list has only one page')
        continue
      }
      if (!kit.expect(PROFILE, 'way-back', list, last.previous !== null, `page ${forward.pages.length} with limit ${limit} has no way back`, [last.event])) continue
      const back = await kit.walk(list, { limit, direction: 'previous', from: last, maxCalls: forward.pages.length + 3 })
      kit.judgeWalk(PROFILE, list, back)
      holdFlags(kit, list, back, forward.pages[0].items[0]?.key)
      const ahead = forward.pages.slice(0, -1).flatMap((page) => page.items.map(({ key }) => key))
      const behind = back.pages.toReversed().flatMap((page) => page.items.map(({ key }) => key))
      kit.expect(PROFILE, 'same-items', list, JSON.stringify(ahead) === JSON.stringify(behind),
        `reading back with limit ${limit} shows ${behind.length} items, where reading on has shown ${ahead.length}${sameSet(ahead, behind) ? ', in another sequence' : ''}`,
        [last.event, ...back.pages.slice(0, 2).map((page) => page.event)])
      await holdNeighbours(kit, list, forward)
    }
  }
}

function sameSet(a, b) {
  return a.length === b.length && a.every((key) => b.includes(key))
}

function holdFlags(kit, list, back, firstKey) {
  for (const [index, page] of back.pages.entries()) {
    const last = index === back.pages.length - 1
    if (page.hasPrevious !== undefined && back.ended) {
      const first = last && (page.items.length === 0 || page.items[0].key === firstKey)
      kit.expect(PROFILE, 'flags', list, page.hasPrevious === !first, first ? 'the first page says that items stand before it' : 'a page says that no items stand before it, and some do', [page.event])
    }
    if (page.hasNext !== undefined && list.dialect.flags === 'both') {
      kit.expect(PROFILE, 'flags', list, page.hasNext, 'a page that was reached by reading back says that no items follow it', [page.event])
    }
  }
}

/** The page before the page after a page is that page. */
async function holdNeighbours(kit, list, forward) {
  for (const index of new Set([1, forward.pages.length >> 1])) {
    const [before, page] = [forward.pages[index - 1], forward.pages[index]]
    if (!before || !page?.previous) continue
    const again = await kit.page(list, page.previous, before.limit)
    kit.expect(PROFILE, 'neighbour', list, JSON.stringify(again.items.map(({ key }) => key)) === JSON.stringify(before.items.map(({ key }) => key)),
      `the page before page ${index + 1} is not page ${index} (limit ${before.limit})`, [before.event, page.event, again.event])
    if (again.next) {
      const on = await kit.page(list, again.next, page.limit)
      kit.expect(PROFILE, 'neighbour', list, JSON.stringify(on.items.map(({ key }) => key)) === JSON.stringify(page.items.map(({ key }) => key)),
        `the page after the page before page ${index + 1} is not page ${index + 1}`, [page.event, again.event, on.event])
    }
  }
}
