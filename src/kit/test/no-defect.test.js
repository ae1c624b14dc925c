import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { connect } from '../lib/config.js'
import { Kit } from '../lib/kit.js'
import { run } from '../lib/run.js'
import { BrokenServer } from './broken-server.js'

const RUNS = 50
const QUICK = { rows: 12, concurrent: { rounds: 6, seconds: 0.05 }, live: { writes: 4, patience: 60 }, refresh: { rounds: 2 } }

describe(`without a defect nothing fails, in ${RUNS} runs`, { concurrency: 4 }, () => {
  for (let seed = 1; seed <= RUNS; seed++) test(`seed ${seed}`, async () => {
    // Every fifth server has a replica.
    const server = await new BrokenServer([], { lag: seed % 5 ? 0 : 30 }).start()
    try {
      const report = await run(server.config(), { ...QUICK, seed })
      const failed = report.results.filter(({ status }) => status === 'failed')
      assert.deepEqual(failed.map(({ profile, check, list, violations }) => `${profile} ${check} ${list}: ${violations[0].message}`), [])
      const judged = new Set(report.results.filter(({ status }) => status === 'passed').map(({ profile }) => profile))
      assert.deepEqual([...judged].sort(), ['backward', 'concurrent', 'depth', 'live', 'refresh', 'static'])
      assert.equal(server.rows.length, 0)
    } finally {
      await server.stop()
    }
  })
})

test('a way back from an empty page does not pass what stands behind that page', async () => {
  const server = await new BrokenServer().start()
  try {
    const config = server.config()
    const kit = new Kit({ ...await connect(config, { allowEmpty: true }), fields: config.fields, seed: 1 })
    const list = kit.lists.find(({ name }) => name === 'newest')
    const create = (second) => kit.create({ created_at: `2026-01-16T12:00:0${second}.000000Z`, rank: 1, status: 'open', mark: `at ${second}` })
    for (const second of [1, 7, 8, 9]) await create(second)
    const forward = await kit.walk(list, { limit: 3, between: () => kit.remove(kit.rows.values().next().value) })
    assert.deepEqual(forward.pages.map(({ items }) => items.length), [3, 0])
    await create(2)
    const back = await kit.walk(list, { limit: 2, direction: 'previous', from: forward.pages.at(-1) })
    assert.deepEqual(back.pages.map(({ items }) => items.length), [2, 1])
    assert.deepEqual(kit.judgeWalk('concurrent', list, back), [])
    back.pages[0].items.shift()
    assert.deepEqual(kit.judgeWalk('concurrent', list, back).map(({ check }) => check), ['full-page', 'complete'])
  } finally {
    await server.stop()
  }
})
