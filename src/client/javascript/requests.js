import {listen, namedError, reasonOf, throwIfAborted} from './platform.js';

/** Error codes after which a list must be read again without a cursor. */
const RESTART_CODES = new Set(['invalid_cursor', 'cursor_mismatch', 'cursor_expired']);

/** Statuses of temporary failures: overload, an unavailable or slow database, and failures of proxies. */
const TEMPORARY_STATUSES = new Set([429, 502, 503, 504]);

export const UNREACHABLE = 'unreachable';

const UNEXPECTED = 'unexpected_response';

/** How often the clock is looked at, in milliseconds. */
const TICK = 1_000;

const DEFAULT_RETRY = {attempts: 5, initialDelay: 500, maxDelay: 15_000, maxRetryAfter: 120_000, timeout: 20_000};

/**
 * Thrown for a response other than the expected one, or for none. `code` is one of the server's error codes; `unreachable` if there
 * was none or it broke off, with the error of `fetch` as the cause; `unexpected_response` if a proxy has sent a successful response;
 * or null if it has sent another one.
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

/**
 * Calls `fetch`, or reads its response. If the network fails, throws UNREACHABLE, because implementations of `fetch` have different
 * names for that error.
 */
export async function reach(act) {
  try {
    return await act();
  } catch (cause) {
    throw ['AbortError', 'TimeoutError', 'FeedError', 'SyntaxError'].includes(cause?.name)
      ? cause
      : Object.assign(new FeedError(0, {code: UNREACHABLE, detail: 'the server cannot be reached, or the browser does not allow the request (CORS)'}), {cause});
  }
}

/** Returns null if the server responds with this error code. */
export const unless = (code, response) => response.catch(error => (error.code === code ? null : Promise.reject(error)));

/** Sends the requests of one feed, and retries temporary failures. */
export class Requests {
  #fetch;
  #headers;
  #retry;
  #onRetry;
  /** Ends the delays of the requests that wait. */
  #wakeUps = new Set();

  constructor({fetch, headers = {}, retry = {}, onRetry = () => {}}) {
    // The global `fetch` of React Native responds only when the stream has ended.
    this.canStream = () => globalThis.TextDecoder && (fetch || 'body' in (globalThis.Response?.prototype ?? {}));
    // Whether the last stream has shown that streams do not come through. A list that grows begins with polling then.
    this.isPolled = false;
    // Whether the network has failed under a request for JSON since this was last set to false.
    this.hasFailed = false;
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
        throwIfAborted(signal);
        this.hasFailed ||= error.code === UNREACHABLE;
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
    const limit = limitTime(this.#retry.timeout, signal);
    try {
      const response = await this.open(url, 'application/json', limit.signal);
      return await reach(() => response.json());
    } catch (error) {
      throw limit.reason() ?? (error instanceof SyntaxError ? new FeedError(200, {code: UNEXPECTED, detail: 'the response is not valid JSON'}) : error);
    } finally {
      limit.stop();
    }
  }

  /** Sends a request, and returns a response of this media type, whose content has not been read. There is no time limit. */
  async open(url, type, signal) {
    throwIfAborted(signal);
    const custom = typeof this.#headers === 'function' ? await this.#headers() : this.#headers;
    const headers = {...(custom instanceof Headers ? Object.fromEntries(custom) : custom), Accept: type};
    requireValid(headers);
    const response = await reach(() => this.#fetch(url, {headers, signal}));
    const contentType = response.headers.get('Content-Type') ?? '';
    if (response.ok && contentType.startsWith(type)) {
      return response;
    }
    // The error response of a proxy can be empty, or a page of its own.
    const unexpected = {code: UNEXPECTED, detail: `the response has the type "${contentType}" instead of ${type}: a proxy may have sent it`};
    const problem = response.ok ? unexpected : contentType.includes('json') ? await response.json().catch(() => ({})) : {};
    throw new FeedError(response.status, problem, parseRetryAfter(response.headers.get('Retry-After')));
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
    throwIfAborted(signal);
    await new Promise(resolve => {
      const end = () => {
        clearTimeout(timer);
        this.#wakeUps.delete(end);
        stopListening();
        resolve();
      };
      const timer = setTimeout(end, delay);
      const stopListening = listen(signal, 'abort', end);
      this.#wakeUps.add(end);
    });
    throwIfAborted(signal);
  }

  retryNow() {
    this.#wakeUps.forEach(end => end());
  }
}

/**
 * Returns a `signal` that aborts when another signal aborts, or with a TimeoutError if `restart` has not been called
 * for a time. The clock decides, because timers stand still while a computer sleeps. `reason()` is that of the signal,
 * which may not have it.
 */
export function limitTime(delay, outer) {
  throwIfAborted(outer);
  const controller = new AbortController();
  let last = Date.now();
  let reason;
  const stop = () => {
    clearInterval(timer);
    stopListening();
  };
  const abort = cause => {
    reason ??= cause;
    stop();
    controller.abort(cause);
  };
  const timer = setInterval(
      () => Date.now() - last < delay || abort(namedError('TimeoutError', 'the server did not respond in time')), Math.min(delay, TICK));
  const stopListening = listen(outer, 'abort', () => abort(reasonOf(outer)));
  return {signal: controller.signal, reason: () => reason, restart: () => (last = Date.now()), stop, abort};
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
