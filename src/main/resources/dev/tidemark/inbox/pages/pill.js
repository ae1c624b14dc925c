import {say} from './dom.js';
import {watchFresh} from './tidemark.js';

const BACK = 'Back to the newest';

/** The button above the list: how many are new, or the way back to the newest. */
export class Pill {
  #button;
  #url;
  #end = () => {};
  #said = 0;
  #list = null;
  #cursor = null;

  constructor(button, url) {
    this.#button = button;
    this.#url = url;
  }

  /** Follows the top of a list, or the bottom of one whose new items come there: `onTail` is then called. */
  watch(list, onTail = null) {
    // A hidden page holds no connection: browsers allow six to a server, for all tabs together.
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
      const onCount = onTail ? ({count}) => count > 0 && onTail() : fresh => this.#tell(fresh);
      this.#end = watchFresh(this.#url, list.parameters, cursor, onCount, {onRefused: onTail ?? (() => this.#show(BACK))});
    }
  }

  #tell({count, capped}) {
    const text = `${count}${capped ? '+' : ''} new message${count === 1 && !capped ? '' : 's'}`;
    this.#show(count > 0 ? text : null);
    // Under traffic, each of them would be too much to listen to.
    const now = Date.now();
    if (count > 0 && now - this.#said > 10_000) {
      this.#said = now;
      say(text);
    }
  }

  #show(text) {
    this.#button.hidden = text === null;
    this.#button.textContent = text === null ? '' : `↑ ${text}`;
  }
}
