import {announce} from './dom.js';
import {watchFresh} from './tidemark.js';

const BACK = 'Back to the newest';

/** The button above the list. It shows the number of new messages, or returns to the newest ones. */
export class Pill {
  #button;
  #url;
  #end = () => {};
  #lastAnnounced = 0;
  #list = null;
  #cursor = null;

  constructor(button, url) {
    this.#button = button;
    this.#url = url;
  }

  /** Watches the top of a list, or its end if new items are appended there. In that case `onTail` is called. */
  watch(list, onTail = null) {
    // A hidden page closes its connection, because browsers allow six per server for all tabs together.
    const isRead = list !== null && list.pages.length > 0 && !document.hidden;
    const isAside = isRead && !onTail && !list.atStart;
    const cursor = !isRead || isAside ? null : !onTail ? list.top : list.atEnd ? list.last : null;
    if (cursor !== null && list === this.#list && cursor === this.#cursor) {
      return;
    }
    this.#end();
    this.#end = () => {};
    this.#list = list;
    this.#cursor = cursor;
    this.#show(isAside ? BACK : null);
    if (cursor !== null) {
      const onCount = onTail ? ({count}) => count > 0 && onTail() : fresh => this.#showCount(fresh);
      this.#end = watchFresh(this.#url, list.parameters, cursor, onCount, {onRefused: onTail ?? (() => this.#show(BACK))});
    }
  }

  #showCount({count, capped}) {
    const text = `${count}${capped ? '+' : ''} new message${count === 1 && !capped ? '' : 's'}`;
    this.#show(count > 0 ? text : null);
    // With much traffic, announcing each change would be too much.
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
