/**
 * The values that the kit chooses for its rows: `time`, `number`, `text`, each with `?` if it may be null, `boolean`, or
 * a list of values. Many values are equal, differ by a microsecond, or are null, because lists break at these.
 */
export class Values {
  /**
   * @param {Record<string, string|any[]>} fields
   * @param {import('./random.js').Random} random
   * @param {string} run a text that marks the rows of the run
   */
  constructor(fields, random, run) {
    this.fields = fields
    this.random = random
    this.run = run
    this.count = 0
    this.precision = 'microseconds'
  }

  /** Values for a new row, or new values for a row that moves. */
  draw(random = this.random) {
    const values = { mark: this.mark() }
    for (const [name, type] of Object.entries(this.fields)) values[name] = this.#value(type, random)
    return values
  }

  /** Values for the first rows of a run: ties, neighbours in the same millisecond, and nulls are surely among them. */
  special(number) {
    const values = this.draw()
    for (const [name, type] of Object.entries(this.fields)) {
      if (Array.isArray(type)) continue
      const kind = number % 4
      if (kind === 2 && type.endsWith('?')) values[name] = null
      if (kind < 2 && type.startsWith('time')) values[name] = this.time(5, kind * (1 + (number >> 2)))
      if (kind === 0 && type.startsWith('number')) values[name] = 5
    }
    return values
  }

  mark() {
    return `${this.run}n${++this.count}`
  }

  #value(type, random) {
    if (Array.isArray(type)) return random.pick(type)
    if (type.endsWith('?')) {
      if (random.chance(0.2)) return null
      type = type.slice(0, -1)
    }
    switch (type) {
      case 'time':
        return this.time(random.chance(0.3) ? 0 : random.below(40), random.chance(0.5) ? 0 : random.below(3))
      case 'number':
        return random.below(12)
      case 'boolean':
        return random.chance(0.5)
      case 'text':
        return `${'abcdef'[random.below(6)]}${'abcdef'[random.below(6)]}`
      default:
        throw new Error(`unknown type "${type}" of a field: time, number, text, boolean, each with ? for null, or a list of values`)
    }
  }

  /** A time, some seconds and microseconds after noon of a fixed day. */
  time(seconds, microsecond) {
    const second = new Date(Date.UTC(2026, 0, 16, 12) + seconds * 1000).toISOString().slice(0, 19)
    return `${second}.${this.precision === 'microseconds' ? `25${String(microsecond).padStart(4, '0')}` : `25${microsecond}`}Z`
  }
}
