/** Retries without delay. */
export const IMPATIENT = {attempts: 3, first: 1, most: 2, timeout: 1000};

/** A feed of numbers in memory, newest (largest) first, that keeps to the contract as far as the list client asks it. */
export class FeedServer {
  calls = [];
  headers = null;
  failures = [];

  constructor(...numbers) {
    this.rows = numbers;
  }

  /** In place of the browser's fetch. */
  fetch = async (url, {signal, headers} = {}) => {
    this.calls.push(url);
    this.headers = headers;
    signal?.throwIfAborted();
    const failure = this.failures.shift();
    if (failure === 'network') {
      throw new TypeError('fetch failed');
    } else if (failure === 'hang') {
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    } else if (failure) {
      return answer(failure.status, {code: failure.code, detail: failure.code}, failure.headers);
    }
    return answer(200, this.#page(new URL(url, 'http://server').searchParams));
  };

  #page(query) {
    const limit = Number(query.get('limit') ?? 3);
    const list = [...this.rows].sort((one, other) => other - one);
    // A cursor is a gap: a direction, and the number that it stands before or behind.
    const [, direction, at] = /^([<>])(.+)$/.exec(query.get('cursor') ?? '>Infinity');
    const end = Number(/^[<>](.+)$/.exec(query.get('until') ?? '>-Infinity')[1]);
    const beyond = direction === '>'
      ? list.filter(row => row < Number(at) && row > end)
      : list.filter(row => row > Number(at));
    const items = direction === '>' ? beyond.slice(0, limit) : beyond.slice(-limit);
    const [first, last] = [items[0] ?? at, items.at(-1) ?? at];
    const isMore = direction === '>' ? beyond.length > limit : list.some(row => row < last);
    const isBefore = direction === '<' ? beyond.length > limit : list.some(row => row > first);
    const isNowhere = items.length === 0 && !query.has('cursor') && !query.has('until');
    return {
      limit,
      has_more: isMore,
      has_prev: isBefore,
      items: items.map(id => ({id})),
      next_cursor: isMore ? `>${last}` : null,
      prev_cursor: isBefore ? `<${first}` : null,
      cursors: {top: isNowhere ? null : `<${first}`, last: isNowhere ? null : `>${last}`},
    };
  }
}

function answer(status, body, headers = {}) {
  return new Response(JSON.stringify(body), {status, headers: {'Content-Type': 'application/json', ...headers}});
}
