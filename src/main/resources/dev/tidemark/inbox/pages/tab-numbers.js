const MAX = 999;

const POLL_EVERY = 3_000;

/**
 * Whether this window follows the numbers with a stream. A browser opens only six connections to a server, and each stream
 * holds one, so that only one window has a stream of numbers, and the others poll.
 */
const streams = new Promise(resolve => window === top && navigator.locks
  ? navigator.locks.request('tidemark.tab-numbers', {ifAvailable: true}, lock => {
    resolve(lock !== null);
    // The window keeps the lock until it is closed.
    return lock && new Promise(() => {});
  })
  : resolve(false));

/** The numbers of messages on the tabs of the status, which follow the changes of others. */
export class TabNumbers {
  #feed;
  #tabs;
  #shown = null;
  #ended = new AbortController();

  /** @param tabs have their status as `data-status`, and an element with the class `number` */
  constructor(feed, tabs) {
    this.#feed = feed;
    this.#tabs = [...tabs];
  }

  /** Counts the messages with these filters besides the status, until the filters change. */
  show(filters) {
    const shown = JSON.stringify(filters);
    if (shown !== this.#shown) {
      this.#shown = shown;
      this.#ended.abort();
      this.#ended = new AbortController();
      this.#write([]);
      this.#follow({...filters, status: this.#tabs.map(tab => tab.dataset.status), 'up-to': MAX}, this.#ended.signal);
    }
  }

  async #follow(parameters, signal) {
    try {
      const numbers = (await streams) ? this.#feed.countsStream('status', parameters, {signal}) : this.#poll(parameters, signal);
      for await (const {counts} of numbers) {
        signal.aborted || this.#write(counts);
      }
    } catch (error) {
      if (!signal.aborted) {
        this.#shown = null;
        this.#write([]);
        console.info(`The messages could not be counted: ${error.message}`);
      }
    }
  }

  async *#poll(parameters, signal) {
    while (!signal.aborted) {
      if (!document.hidden) {
        yield await this.#feed.counts('status', parameters, {signal});
      }
      await new Promise(resolve => setTimeout(resolve, POLL_EVERY));
    }
  }

  #write(counts) {
    for (const tab of this.#tabs) {
      const found = counts.find(({value}) => value === tab.dataset.status);
      tab.querySelector('.number').textContent = found ? `${found.count}${found.capped ? '+' : ''}` : '';
    }
  }
}
