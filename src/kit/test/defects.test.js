import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { run } from '../lib/run.js'
import { BrokenServer, DEFECTS } from './broken-server.js'

const QUICK = { rows: 14, shrink: false, concurrent: { seconds: 0.1 }, live: { writes: 6, patience: 1 }, refresh: { rounds: 4 } }

describe('every defect is caught by the check that is meant for it', () => {
  for (const [defect, [profile, ...checks]] of Object.entries(DEFECTS)) {
    test(defect, async () => {
      const server = await new BrokenServer([defect]).start()
      try {
        const report = await run(server.config(), { ...QUICK, seed: 1, profiles: [profile] })
        const failed = report.results.filter(({ status }) => status === 'failed')
        assert.ok(failed.some((result) => result.profile === profile && checks.includes(result.check)),
          `expected ${profile}: ${checks.join(' or ')}; failed: ${failed.map(({ check, violations }) => `${check} (${violations[0].message})`).join(', ') || 'nothing'}`)
        assert.deepEqual(report.left, [])
        assert.equal(server.rows.length, 0, 'all rows are removed')
      } finally {
        await server.stop()
      }
    })
  }
})
