/** Error codes after which a list must be read again without a cursor. */
const RESTART_CODES = new Set(['invalid_cursor', 'cursor_mismatch', 'cursor_expired']);

/** Statuses of temporary failures: overload, an unavailable or slow database, and failures of proxies. */
const TEMPORARY_STATUSES = new Set([429, 502, 503, 504]);

export const UNREACHABLE = 'unreachable';

const UNEXPECTED = 'unexpected_response';

const DEFAULT_RETRY = {attempts: 5, initialDelay: 500, maxDelay: 15_000, maxRetryAfter: 120_000, timeout: 20_000};

/**
 * Thrown for a response other than the expected one, or for none. `code` is one of the server's error codes; `unreachable`, with the
 * error of `fetch` as the cause; `unexpected_response` if a proxy has sent a successful response; or null if it has sent another one.
 */
export class FeedError extends Error {
  constructor(status, problem = {}, retryAfter = 0) {
    super(problem.detail ?? `the server responded with status ${status}`);
    this.name = 'FeedError';
    this.status = status;
    this.code = problem.code ?? null;
    this.parameter = problem.parameter ?? null;
    this.requestId = problem.request_id ?? null;
    this.retryAfter = retryAfter;
  }

  /** Whether the cursor is invalid, so that the list must be read again from the start. */
  get mustStartAgain() {
    return RESTART_CODES.has(this.code);
  }
}

/**
 * Whether a retry can succeed: the network failed, the request timed out, or the server is overloaded or unavailable.
 */
export function isTemporary(error) {
  return error instanceof FeedError ? TEMPORARY_STATUSES.has(error.status) || error.code === UNREACHABLE : error?.name === 'TypeError' || error?.name === 'TimeoutError';
}

/** Sends the requests of one feed, and retries temporary failures. */
export class Requests {
  #fetch;
  #headers;
  #retry;
  #onRetry;
  #wakeUp = new EventTarget();

  constructor({fetch, headers = {}, retry = {}, onRetry = () => {}}) {
    this.#fetch = fetch ?? ((...request) => globalThis.fetch(...request));
    this.#headers = headers;
    this.#retry = {...DEFAULT_RETRY, ...retry};
    this.#onRetry = onRetry;
  }

  /** Requests JSON, and retries temporary failures. */
  async json(url, signal) {
    const {attempts, maxRetryAfter} = this.#retry;
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.jsonOnce(url, signal);
      } catch (error) {
        // The caller's signal can abort with a TimeoutError, which looks like a temporary failure.
        signal?.throwIfAborted();
        const delay = this.delay(attempt, error);
        if (attempt >= attempts || delay > maxRetryAfter || !isTemporary(error)) {
          throw error;
        }
        this.#onRetry({error, attempt, delay});
        await this.pause(delay, signal);
      }
    }
  }

  async jsonOnce(url, signal) {
    const limit = new TimeLimit(this.#retry.timeout, signal);
    try {
      return await (await this.open(url, 'application/json', limit.signal)).json();
    } catch (error) {
      limit.signal.throwIfAborted();
      throw error instanceof SyntaxError ? new FeedError(200, {code: UNEXPECTED, detail: 'the response is not valid JSON'}) : error;
    } finally {
      limit.stop();
    }
  }

  /** Sends a request, and returns a response of this media type, whose content has not been read. There is no time limit. */
  async open(url, type, signal) {
    signal?.throwIfAborted();
    const custom = typeof this.#headers === 'function' ? await this.#headers() : this.#headers;
    const headers = {...(custom instanceof Headers ? Object.fromEntries(custom) : custom), Accept: type};
    requireValid(headers);
    const response = await this.#send(url, {headers, signal});
    const contentType = response.headers.get('Content-Type') ?? '';
    if (response.ok && contentType.startsWith(type)) {
      return response;
    }
    // The error response of a proxy can be empty, or a page of its own.
    const unexpected = {code: UNEXPECTED, detail: `the response has the type "${contentType}" instead of ${type}: a proxy may have sent it`};
    const problem = response.ok ? unexpected : contentType.includes('json') ? await response.json().catch(() => ({})) : {};
    throw new FeedError(response.status, problem, parseRetryAfter(response.headers.get('Retry-After')));
  }

  async #send(url, init) {
    try {
      return await this.#fetch(url, init);
    } catch (cause) {
      init.signal?.throwIfAborted();
      const detail = 'the server cannot be reached: there is no network, or the browser does not allow the request (CORS)';
      throw cause?.name === 'TypeError' ? Object.assign(new FeedError(0, {code: UNREACHABLE, detail}), {cause}) : cause;
    }
  }

  /**
   * Returns the delay before the next attempt, in milliseconds. The delay is random, so that clients that failed together
   * do not retry together.
   */
  delay(attempt, error) {
    const backOff = Math.min(this.#retry.maxDelay, this.#retry.initialDelay * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);
    return Math.max(backOff, (error?.retryAfter ?? 0) * 1000);
  }

  /** Waits until the delay is over or `retryNow` is called. Throws if the signal aborts. */
  async pause(delay, signal) {
    signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      const ended = new AbortController();
      const end = (act, value) => () => {
        clearTimeout(timer);
        ended.abort();
        act(value?.());
      };
      const timer = setTimeout(end(resolve), delay);
      this.#wakeUp.addEventListener('wake', end(resolve), {signal: ended.signal});
      signal?.addEventListener('abort', end(reject, () => signal.reason), {signal: ended.signal});
    });
  }

  retryNow() {
    this.#wakeUp.dispatchEvent(new Event('wake'));
  }
}

/**
 * Has a `signal` that aborts when another signal aborts, or after a delay with a TimeoutError. Unlike the timer of
 * `AbortSignal.timeout`, the timer of this class keeps a Node.js process alive.
 */
export class TimeLimit {
  #delay;
  #timer;
  #abortController = new AbortController();

  constructor(delay, signal) {
    this.#delay = delay;
    this.signal = AbortSignal.any([signal, this.#abortController.signal].filter(Boolean));
    this.restart();
  }

  restart() {
    this.stop();
    this.#timer = setTimeout(() => this.abort(new DOMException('the server did not respond in time', 'TimeoutError')), this.#delay);
  }

  stop() {
    clearTimeout(this.#timer);
  }

  abort(reason) {
    this.#abortController.abort(reason);
  }
}

/** Throws if a header is invalid. `fetch` would throw a TypeError instead, which would be retried like a network failure. */
function requireValid(headers) {
  try {
    new Headers(headers);
  } catch (cause) {
    throw new Error(`the request cannot be sent: ${cause.message}`, {cause});
  }
}

/** Parses `Retry-After`, which is a number of seconds or a date. */
function parseRetryAfter(retryAfter) {
  const seconds = Number(retryAfter ?? 0);
  return Math.max(0, Number.isNaN(seconds) ? (Date.parse(retryAfter) - Date.now()) / 1000 || 0 : seconds);
}
