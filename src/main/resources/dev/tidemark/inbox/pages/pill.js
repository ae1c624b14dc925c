import {say} from './dom.js';
import {watchFresh} from './tidemark.js';

/** The button above the list: how many are new, or the way back to the newest. */
export class Pill {
  #button;
  #url;
  #end = () => {};
  #said = 0;

  constructor(button, url) {
    this.#button = button;
    this.#url = url;
  }

  /** Follows the top of a list, or the bottom of one whose new items come there: `onTail` is then called. */
  watch(list, onTail = null) {
    this.#end();
    this.#end = () => {};
    this.#show(null);
    // A hidden page holds no connection: browsers allow six to a server, for all tabs together.
    if (!list || list.pages.length === 0 || document.hidden) {
      return;
    }
    if (onTail) {
      if (list.atEnd && list.last) {
        this.#follow(list, list.last, ({count}) => count > 0 && onTail());
      }
    } else if (!list.atStart) {
      this.#show('Back to the newest');
    } else if (list.top) {
      this.#follow(list, list.top, fresh => this.#tell(fresh));
    }
  }

  #follow(list, cursor, onCount) {
    this.#end = watchFresh(this.#url, list.parameters, cursor, onCount);
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
