import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
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
