import {el, userText} from './dom.js';

/** The row height from the style sheet. All rows have this height, so the visible rows can be computed. */
const ROW_HEIGHT = 34;

/**
 * A list that scrolls down automatically and records which items have been visible. It does not de-duplicate: an item that
 * is received twice is shown twice.
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

  /** The number of rows that have been visible, and the number of repetitions among them. */
  shown = 0;
  twice = 0;

  /** The last item, in list order, that has been visible. */
  deepest = null;

  /** The error that prevents loading more items. */
  error = null;

  /** @param next returns a promise of an array of the next items, `{id, subject, value}`, which is empty at the end of the list */
  constructor(scroller, next) {
    this.#scroller = scroller;
    this.#next = next;
    scroller.replaceChildren();
    scroller.scrollTop = 0;
  }

  /** Loads the first page, so that the two lists of a run can start together. */
  async loadFirstPage() {
    await this.#read();
    this.#recordVisible();
  }

  /** Scrolls down by a number of rows, or to the last row. */
  scroll(rows) {
    const most = Math.max(0, this.#rows.length * ROW_HEIGHT - this.#scroller.clientHeight);
    this.#at = Math.min(most, this.#at + rows * ROW_HEIGHT);
    this.#scroller.scrollTop = this.#at;
    this.#recordVisible();
    if (most - this.#at < 2 * this.#scroller.clientHeight && !this.#reading && !this.#ended) {
      this.#read().catch(error => (this.error = error));
    }
  }

  /**
   * Returns those ids whose items have never been visible, and marks the rows before which the items are missing.
   *
   * @param unmovedIds in list order
   */
  lostOf(unmovedIds) {
    let lost = [];
    let pending = 0;
    for (const id of unmovedIds) {
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
          el('span', {class: 'number'}, `#${item.id}`), el('span', {class: 'text', dir: 'auto'}, userText(item.subject))));
      this.#items.push(...items);
      this.#rows.push(...rows);
      this.#scroller.append(...rows);
    } finally {
      this.#reading = false;
    }
  }

  #recordVisible() {
    const onScreen = Math.min(this.#rows.length, Math.ceil((this.#at + this.#scroller.clientHeight) / ROW_HEIGHT));
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
