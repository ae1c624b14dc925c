import {el, stranger} from './dom.js';

/** As in the style sheet. All rows are of one height, so that what came on the screen is plain arithmetic. */
const ROW = 34;

/**
 * A list that scrolls down by itself and keeps account of what came on the screen. It does nothing about what it is given:
 * an item that is given twice is shown twice.
 */
export class LabList {
  #scroller;
  #next;
  #items = [];
  #rows = [];
  #seen = new Map();
  #at = 0;
  #reading = false;
  #ended = false;

  /** How many rows came on the screen, and how many of them had been there before. */
  shown = 0;
  twice = 0;

  /** The lowest item in the list's order that came on the screen. */
  deepest = null;

  /** Why it cannot read on. */
  error = null;

  /** @param next gives a promise of the next items, none at the end: `{id, subject, value}` */
  constructor(scroller, next) {
    this.#scroller = scroller;
    this.#next = next;
    scroller.replaceChildren();
    scroller.scrollTop = 0;
  }

  /** The first page, so that both lists start together. */
  async ready() {
    await this.#read();
    this.#account();
  }

  /** Scrolls on by so many rows, or as far as there are any. */
  scroll(rows) {
    const most = Math.max(0, this.#rows.length * ROW - this.#scroller.clientHeight);
    this.#at = Math.min(most, this.#at + rows * ROW);
    this.#scroller.scrollTop = this.#at;
    this.#account();
    if (most - this.#at < 2 * this.#scroller.clientHeight && !this.#reading && !this.#ended) {
      this.#read().catch(error => (this.error = error));
    }
  }

  /** What of these ids, in the list's order, never came on the screen. Where it should have, it is marked. */
  lostOf(standing) {
    let lost = [];
    let pending = 0;
    for (const id of standing) {
      const row = this.#seen.get(String(id));
      if (!row) {
        lost.push(id);
        pending++;
      } else if (pending > 0) {
        row.dataset.lost = `${pending} lost here`;
        pending = 0;
      } else {
        delete row.dataset.lost;
      }
    }
    return lost;
  }

  async #read() {
    this.#reading = true;
    try {
      const items = await this.#next();
      this.#ended = items.length === 0;
      const rows = items.map(item => el('div', {class: 'lab-row', role: 'listitem', 'data-id': item.id},
          el('span', {class: 'number'}, `#${item.id}`), el('span', {class: 'text', dir: 'auto'}, stranger(item.subject))));
      this.#items.push(...items);
      this.#rows.push(...rows);
      this.#scroller.append(...rows);
    } finally {
      this.#reading = false;
    }
  }

  #account() {
    const onScreen = Math.min(this.#rows.length, Math.ceil((this.#at + this.#scroller.clientHeight) / ROW));
    for (; this.shown < onScreen; this.shown++) {
      const item = this.#items[this.shown];
      const row = this.#rows[this.shown];
      if (this.#seen.has(item.id)) {
        this.twice++;
        row.classList.add('again');
      } else {
        this.#seen.set(item.id, row);
        this.deepest = item;
      }
    }
  }
}
