import {announce} from './dom.js';

const BACK = 'Back to the newest';

/** The button above the list. It shows the number of new messages, or offers to return to the newest ones. */
export class Pill {
  #button;
  #feed;
  #ended = new AbortController();
  #lastAnnounced = 0;
  #list = null;
  #cursor = null;
  #count = {count: 0, capped: false};
  #above = 0;

  constructor(button, feed) {
    this.#button = button;
    this.#feed = feed;
  }

  /**
   * Watches the top of a list for new items. With `onTail`, watches the end instead, and calls `onTail` when items are appended
   * or watching fails.
   */
  watch(list, onTail = null) {
    // A hidden page closes its connection, because browsers allow six per server for all tabs together.
    const isRead = list !== null && list.pages.length > 0 && !document.hidden;
    const isAwayFromStart = isRead && !onTail && !list.atStart;
    const cursor = !isRead || isAwayFromStart ? null : !onTail ? list.top : list.atEnd ? list.last : null;
    if (cursor !== null && list === this.#list && cursor === this.#cursor) {
      return;
    }
    this.#ended.abort();
    this.#ended = new AbortController();
    if (list !== this.#list) {
      this.#above = 0;
    }
    this.#list = list;
    this.#cursor = cursor;
    this.#count = {count: 0, capped: false};
    isAwayFromStart ? this.#show(BACK) : this.#showCount();
    if (cursor !== null) {
      const onCount = onTail ? ({count}) => count > 0 && onTail() : fresh => this.#showCount(fresh);
      this.#listen(cursor, list.parameters, onCount, onTail ?? (() => this.#show(BACK)));
    }
  }

  /** @param onFailed called when counting fails, for example because the cursor is no longer valid */
  async #listen(cursor, parameters, onCount, onFailed) {
    const {signal} = this.#ended;
    try {
      for await (const fresh of this.#feed.fresh(cursor, parameters, {signal})) {
        onCount(fresh);
      }
    } catch {
      signal.aborted || onFailed();
    }
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

  #showCount(fresh = this.#count) {
    this.#count = fresh;
    const count = fresh.count + this.#above;
    const {capped} = fresh;
    const text = `${count}${capped ? '+' : ''} new message${count === 1 && !capped ? '' : 's'}`;
    this.#show(count > 0 ? text : null);
    // At most one announcement in 10 seconds, so that screen readers can announce other things while many changes arrive.
    const now = Date.now();
    if (count > 0 && now - this.#lastAnnounced > 10_000) {
      this.#lastAnnounced = now;
      announce(text);
    }
  }

  #show(text) {
    this.#button.hidden = text === null;
    this.#button.textContent = text === null ? '' : `↑ ${text}`;
  }
}
