import {announce} from './dom.js';

const BACK = 'Back to the newest';

/**
 * The button above the list. It shows the number of new messages, or offers to return to the newest ones. Its place says that
 * the list is up to date if there are none.
 */
export class Pill {
  #button;
  #current;
  #isCurrent = false;
  #lastAnnounced = 0;
  #list = null;
  #above = 0;

  /** @param current the element that says that the list is up to date */
  constructor(button, current) {
    this.#button = button;
    this.#current = current;
  }

  /** @param isCurrent whether the list is live, and the server has said what is new in it */
  setCurrent(isCurrent) {
    this.#isCurrent = isCurrent;
    this.#showCurrent();
  }

  /** Shows how many messages wait above a live list, or above its visible part. Null shows nothing. */
  show(list) {
    if (list !== this.#list) {
      this.#above = 0;
    }
    this.#list = list;
    const isOldest = list?.parameters.order === 'oldest';
    const isAway = list?.pages.length > 0 && !isOldest && (!list.atStart || list.liveError !== null);
    isAway ? this.#showText(BACK) : this.#showCount();
  }

  /** Also counts new messages that are in the list, above the visible part. */
  addAbove(above) {
    this.#above += above;
    this.#showCount();
  }

  /** Stops counting the messages in the list, because the user is at its top. */
  clear() {
    if (this.#above > 0) {
      this.#above = 0;
      this.#showCount();
    }
  }

  #showCount() {
    const waiting = this.#list?.waiting ?? {count: 0, capped: false};
    const count = waiting.count + this.#above;
    const text = `${count}${waiting.capped ? '+' : ''} new message${count === 1 && !waiting.capped ? '' : 's'}`;
    this.#showText(count > 0 ? text : null);
    // At most one announcement in 10 seconds, so that screen readers can announce other things while many changes arrive.
    const now = Date.now();
    if (count > 0 && now - this.#lastAnnounced > 10_000) {
      this.#lastAnnounced = now;
      announce(text);
    }
  }

  #showText(text) {
    this.#button.hidden = text === null;
    this.#button.textContent = text === null ? '' : `↑ ${text}`;
    this.#showCurrent();
  }

  #showCurrent() {
    this.#current.hidden = !this.#list || !this.#isCurrent || !this.#button.hidden;
  }
}
