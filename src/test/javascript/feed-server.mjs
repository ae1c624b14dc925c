/** Retries without delay. */
export const IMPATIENT = {attempts: 3, initialDelay: 1, maxDelay: 2, timeout: 1000};

/**
 * A feed of numbers in memory, newest (largest) first. It implements the part of the API that the list client uses.
 * With `delta`, it also has moments: the number of writes so far.
 */
export class FeedServer {
  calls = [];
  headers = null;
  failures = [];
  delta = false;
  maxLimit = 1000;
  /** A search: the rows that match, and how many rows each page looks at. A window looks at ten times as many. */
  matches = () => true;
  scan = Infinity;
  #written = new Map();
  #texts = new Map();
  #ranks = new Map();
  #writes = 0;
  #streams = new Set();

  constructor(...numbers) {
    this.rows = numbers;
  }

  /** Inserts or edits a row. The list is sorted by rank, largest first. */
  write(id, text, rank = id) {
    this.rows = [...this.rows.filter(row => row !== id), id];
    this.#texts.set(id, text);
    this.#ranks.set(id, rank);
    this.#written.set(id, ++this.#writes);
  }

  /** Simulates a write to another table. */
  writeElsewhere() {
    this.#writes++;
  }

  /** Makes a row visible without writing it. */
  reveal(id) {
    this.rows = [...this.rows, id];
  }

  remove(id) {
    this.rows = this.rows.filter(row => row !== id);
  }

  /** The current items of the list. */
  get list() {
    return this.#sorted().map(id => this.#itemOf(id));
  }

  #sorted() {
    return [...this.rows].sort((one, other) => this.#rankOf(other) - this.#rankOf(one));
  }

  #rankOf(id) {
    return this.#ranks.get(id) ?? id;
  }

  #itemOf(id) {
    return this.#texts.has(id) ? {id, text: this.#texts.get(id)} : {id};
  }

  /** Replaces the browser's `fetch`. */
  fetch = async (url, {signal, headers} = {}) => {
    this.calls.push(url);
    this.headers = headers;
    signal?.throwIfAborted();
    const failure = this.failures.shift();
    if (failure instanceof Promise) {
      // The answer is as old as the request.
      const page = this.#page(new URL(url, 'http://server').searchParams);
      await failure;
      return answer(200, page);
    } else if (failure === 'network') {
      throw new TypeError('fetch failed');
    } else if (failure === 'hang') {
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    } else if (failure) {
      return answer(failure.status, {code: failure.code, detail: failure.code, parameter: failure.parameter}, failure.headers);
    }
    const query = new URL(url, 'http://server').searchParams;
    if (query.has('from_id') && !this.rows.includes(Number(query.get('from_id')))) {
      return answer(404, {code: 'anchor_not_found'});
    }
    if (query.get('cursor')?.startsWith('<') && query.has('until') && !url.includes('/live?')) {
      return answer(400, {code: 'conflicting_parameters'});
    }
    if (url.includes('/fresh?')) {
      return answer(200, {count: this.#page(query).items.length, capped: false});
    }
    return url.includes('/live?') ? this.#openStream(query, signal) : answer(200, this.#page(query));
  };

  /** Sends the current windows to all live streams. */
  push() {
    this.#streams.forEach(send => send());
  }

  /** Breaks the connections of all live streams. */
  disconnect() {
    this.#streams.forEach(send => send(new TypeError('the connection broke')));
  }

  /** A stream sends only whole windows, which the server may do at any time. */
  #openStream(query, signal) {
    // A cursor that leads backward is a start, too.
    query.has('cursor') && query.set('cursor', gapOf(query.get('cursor')).forward);
    query.has('limit') || query.set('limit', this.maxLimit);
    const content = new ReadableStream({
      start: controller => {
        const send = error => {
          if (error) {
            this.#streams.delete(send);
            controller.error(error);
            return;
          }
          // A window can be full below its limit.
          const page = {...this.#page(query, 10 * this.scan), limit: 1000};
          query.set('since', page.moment);
          controller.enqueue(new TextEncoder().encode(`event: page\nid: ${page.moment}\ndata: ${JSON.stringify(page)}\n\n`));
        };
        this.#streams.add(send);
        signal.addEventListener('abort', () => this.#streams.delete(send) && controller.error(signal.reason));
        send();
      },
    });
    return new Response(content, {headers: {'Content-Type': 'text/event-stream'}});
  }

  #page(query, scan = this.scan) {
    const since = query.get('since');
    const limit = Math.min(this.maxLimit, Number(query.get('limit') ?? 3));
    const list = this.#sorted();
    const gap = gapOf(query.get('cursor') ?? '>Infinity');
    const end = gapOf(query.get('until') ?? '>-Infinity');
    const {direction} = gap;
    const isInside = row => !query.has('from_id') || this.#rankOf(row) <= this.#rankOf(Number(query.get('from_id')));
    const beyond = direction === '>'
      ? list.filter(row => !gap.isBelow(this.#rankOf(row)) && end.isBelow(this.#rankOf(row)) && isInside(row))
      : list.filter(row => gap.isBelow(this.#rankOf(row)));
    const scanned = direction === '>' ? beyond.slice(0, scan) : beyond.slice(-scan);
    const matching = scanned.filter(this.matches);
    const rows = direction === '>' ? matching.slice(0, limit) : matching.slice(-limit);
    const isCut = matching.length <= limit && scanned.length === scan;
    const scanEnd = isCut && this.#rankOf(direction === '>' ? scanned.at(-1) : scanned[0]);
    // An empty page keeps its place on both sides.
    const [top, last] = rows.length > 0 ? [`<${this.#rankOf(rows[0])}`, `>${this.#rankOf(rows.at(-1))}`] : [gap.backward, gap.forward];
    const isMore = direction === '>' ? isCut || matching.length > limit : list.some(row => !gapOf(last).isBelow(this.#rankOf(row)));
    const isBefore = direction === '<' ? isCut || matching.length > limit : list.some(row => gapOf(top).isBelow(this.#rankOf(row)));
    const isNowhere = rows.length === 0 && !query.has('cursor') && (isCut || !query.has('until'));
    const isSent = row => since === null || (this.#written.get(row) ?? 0) > Number(since);
    return {
      ...(since === null ? {} : {keys: rows}),
      items: rows.filter(isSent).map(id => this.#itemOf(id)),
      limit,
      has_more: isMore,
      has_prev: isBefore,
      next_cursor: isMore ? (isCut && direction === '>' ? `>${scanEnd}` : last) : null,
      prev_cursor: isBefore ? (isCut && direction === '<' ? `<${scanEnd}` : top) : null,
      ...(isCut && rows.length < limit ? {partial: true} : {}),
      cursors: {top: isNowhere ? null : top, last: isNowhere ? null : last},
      ...(this.delta ? {moment: String(this.#writes)} : {}),
    };
  }
}

/**
 * A cursor is the gap before (`<`) or after (`>`) a rank, and is read away from that rank. With `=`, it is read over that
 * rank.
 */
function gapOf(cursor) {
  const [, direction, isOver, at] = /^([<>])(=?)(.+)$/.exec(cursor);
  const rank = Number(at);
  const isBefore = (direction === '<') !== (isOver === '=');
  return {
    direction,
    backward: `${isBefore ? '<' : '<='}${rank}`,
    forward: `${isBefore ? '>=' : '>'}${rank}`,
    isBelow: other => other > rank || (other === rank && !isBefore),
  };
}

function answer(status, body, headers = {}) {
  return new Response(JSON.stringify(body), {status, headers: {'Content-Type': 'application/json', ...headers}});
}
