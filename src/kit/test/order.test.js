import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compare, formatOrder, guessOrder, microseconds, parseOrderColumn } from '../lib/order.js'

const columns = (...texts) => texts.map(parseOrderColumn)
const guess = (items, key = 'id') => formatOrder(guessOrder(items, key) ?? [])

test('compares times to the microsecond, numbers beyond 2^53, and nulls where they are declared', () => {
  assert.equal(microseconds('2026-01-16T12:00:00.000001Z') - microseconds('2026-01-16 13:00:00+01'), 1n)
  assert.equal(microseconds('noon'), null)
  assert.equal(compare(columns('t time desc'), ['2026-01-16T12:00:00.000002Z'], ['2026-01-16T12:00:00.000001Z']), -1)
  assert.equal(compare(columns('n number'), ['9007199254740993'], ['9007199254740992']), 1)
  assert.equal(compare(columns('n number nulls first'), [null], [1]), -1)
  assert.equal(compare(columns('n number'), [null], [1]), undefined)
})

test('does not pretend to know a collation', () => {
  assert.equal(compare(columns('name text'), ['abc'], ['abd']), -1)
  assert.equal(compare(columns('name text'), ['Ähre'], ['zoo']), undefined)
})

test('guesses an order only as far as the items show it', () => {
  const at = (second) => `2026-01-16T12:00:0${second}.000Z`
  assert.deepEqual(guess([{ id: 3, at: at(2) }, { id: 2, at: at(1) }]), ['id desc'])
  assert.deepEqual(guess([{ id: 1, at: at(2) }, { id: 3, at: at(1) }, { id: 2, at: at(1) }]), ['at desc', 'id desc'])
  assert.deepEqual(guess([{ doc: 'x', at: at(1) }, { doc: 'q', at: at(2) }], 'doc').slice(0, 1), ['doc desc'])
  assert.deepEqual(guess([{ id: 2, rank: 1 }, { id: 1, rank: 2 }, { id: 3, rank: null }]), ['rank nulls last'])
  assert.deepEqual(guess([{ id: 2, name: 'Ü' }, { id: 1, name: 'b' }, { id: 3, name: 'a' }]), [])
})
