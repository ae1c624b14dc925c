/** Random numbers that depend only on a seed (the generator mulberry32), so that a run can be repeated. */
export class Random {
  constructor(seed) {
    this.state = seed >>> 0
  }

  /** A number from 0 (inclusive) to 1 (exclusive). */
  next() {
    this.state = (this.state + 0x6d2b79f5) >>> 0
    let t = this.state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }

  /** A whole number from 0 to `n - 1`. */
  below(n) {
    return Math.floor(this.next() * n)
  }

  pick(values) {
    return values[this.below(values.length)]
  }

  chance(probability) {
    return this.next() < probability
  }

  /** A generator for a part of the run, whose numbers do not depend on how many numbers other parts have drawn. */
  fork() {
    return new Random(Math.floor(this.next() * 4294967296))
  }
}
