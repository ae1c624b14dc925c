import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DIALECTS } from '../lib/dialects.js'
import { run } from '../lib/run.js'
import { BrokenServer } from './broken-server.js'
import { FACES, faceOf } from './faces.js'

const QUICK = { rows: 12, seed: 1, shrink: false, concurrent: { rounds: 4, seconds: 0.05 } }

function configure(server, name) {
  const { order = '', key, graphql } = FACES[name]
  const { lists, ...config } = server.config()
  return {
    ...config, total: undefined, lists: { newest: { order: [`${order}created_at time desc nulls last`, 'id number desc'] } },
    ...(key ? { key } : {}), ...(graphql ? { graphql } : {}),
  }
}

for (const [name, { cursors, back }] of Object.entries(FACES)) {
  test(`recognizes and holds ${name}`, async () => {
    const server = await new BrokenServer([], { face: faceOf(name) }).start()
    try {
      // More than one page, so that the answer has a way on. They belong to somebody else.
      for (let i = 0; i < 11; i++) server.write('POST', null, { created_at: '2026-01-16T11:00:00.000001Z', rank: 1, status: 'open', mark: 'theirs' })
      const said = []
      const report = await run(configure(server, name), { ...QUICK, profiles: ['static', 'backward', ...(cursors ? ['concurrent'] : [])], say: (text) => said.push(text) })
      assert.match(said[0], new RegExp(`^dialect: ${DIALECTS[name].title.replace(/[()/]/g, '\\$&')}.*recognized`))
      const failed = report.results.filter(({ status }) => status === 'failed')
      assert.deepEqual(failed.map(({ profile, check, violations }) => `${profile} ${check}: ${violations[0].message}`), [])
      const passed = (profile, check) => report.results.find((result) => result.profile === profile && result.check === check)?.status
      assert.equal(passed('static', 'complete'), 'passed')
      assert.equal(passed('backward', 'same-items'), back ? 'passed' : undefined)
      assert.deepEqual(server.rows.map(({ mark }) => mark), Array(11).fill('theirs'), 'only the rows of the kit are removed')
    } finally {
      await server.stop()
    }
  })
}

for (const name of Object.keys(FACES).filter((face) => !FACES[face].cursors)) {
  test(`a list that counts, as ${name}, fails concurrent`, async () => {
    const server = await new BrokenServer([], { face: faceOf(name) }).start()
    try {
      for (let i = 0; i < 11; i++) server.write('POST', null, { created_at: '2026-01-16T11:00:00.000001Z', rank: 1, status: 'open', mark: 'theirs' })
      const report = await run(configure(server, name), { ...QUICK, concurrent: { rounds: 8, seconds: 0 }, profiles: ['concurrent'] })
      assert.ok(report.results.some(({ status }) => status === 'failed'))
    } finally {
      await server.stop()
    }
  })
}

test('every dialect has a face', () => {
  assert.deepEqual(Object.keys(DIALECTS).sort(), ['tidemark', ...Object.keys(FACES)].sort())
})
