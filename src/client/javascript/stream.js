import {listen, throwIfAborted} from './platform.js';
import {FeedError, isTemporary, limitTime, reach} from './requests.js';

/** The number of failures beyond which the delays get no longer: by default, they are then from one to two seconds. */
const MAX_FAILURES = 3;

/** The longest time of a timer. */
const FOR_EVER = 2 ** 31 - 1;

/**
 * Yields the events of a stream, `{event, id, data}`. Opens the stream again after an interruption. Where there are no
 * streams, polls, and yields what was polled as `{event: 'poll', id: null, data}`. While the web page is hidden, does
 * neither.
 *
 * @param url returns the address of the stream, for each attempt
 * @param poll takes a signal, and returns a promise of the data
 * @param options those of `Feed.fresh`
 */
export async function* follow(requests, url, poll, {signal, openWhenHidden, onState = () => {}, ...times}) {
  const page = openWhenHidden ? null : globalThis.document;
  for (let isResumed = false; ; isResumed = true) {
    throwIfAborted(signal);
    // Ends whenever the page is hidden or shown, or is online again.
    const phase = new AbortController();
    const end = () => phase.abort();
    const stops = [listen(page, 'visibilitychange', end), listen(globalThis, 'online', end), listen(signal, 'abort', end)];
    try {
      if (page?.visibilityState === 'hidden') {
        onState('hidden');
        await requests.pause(FOR_EVER, phase.signal);
      } else {
        isResumed && onState('connecting');
        yield* followShown(requests, url, poll, times, phase.signal, onState);
      }
    } catch (error) {
      throwIfAborted(signal);
      if (!phase.signal.aborted) {
        throw error;
      }
    } finally {
      stops.forEach(stop => stop());
      end();
    }
  }
}

async function* followShown(requests, url, poll, {pollEvery = 5_000, streamAgainAfter = 60_000, silence = 40_000}, signal, onState) {
  for (let failures = 0, isPolling = requests.isPolled; ; ) {
    let error = null;
    const events = stream(requests, url, signal, silence);
    let streamAgain;
    let next = isPolling
      ? new Promise(resolve => requests.pause(streamAgainAfter, signal).then((streamAgain = resolve), resolve)).then(() => events.next())
      : events.next();
    let isSettled = !isPolling;
    const settled = next.catch(() => {}).then(() => (isSettled = true));
    while (!isSettled) {
      let failure = null;
      requests.hasFailed = false;
      const data = await poll(signal).catch(caught => (failure = requireTemporary(caught, signal)));
      if (!failure) {
        yield {event: 'poll', id: null, data};
      }
      onState(failure ? 'connecting' : 'polling');
      // The stream was lost with the network, not to a proxy that lets no stream through.
      requests.hasFailed && streamAgain();
      await Promise.race([settled, requests.pause(failure ? Math.max(pollEvery, requests.delay(1, failure)) : pollEvery, signal)]);
    }
    try {
      for (let result; !(result = await next).done; next = events.next()) {
        failures = 0;
        requests.isPolled = false;
        yield result.value;
        onState('streaming');
      }
    } catch (caught) {
      error = caught;
    }
    throwIfAborted(signal);
    if (error && !isTemporary(error) && !isNotStream(error)) {
      throw error;
    }
    requests.isPolled ||= isNotStream(error);
    // The server has no room for another stream, or a proxy does not pass the stream on.
    isPolling = error?.status ? !isAway(error) : failures === MAX_FAILURES;
    // A long delay would keep the client waiting after the interruption.
    failures = Math.min(failures + 1, MAX_FAILURES);
    if (!isPolling || isTemporary(error)) {
      onState('connecting');
      await requests.pause(requests.delay(failures, error), signal);
    }
  }
}

/**
 * Yields the events of one stream until the connection closes. Throws if the server sends a problem, or nothing for too
 * long.
 */
async function* stream(requests, url, signal, silence) {
  const limit = limitTime(silence, signal);
  // More than 1 after a heartbeat or a second event. A proxy that buffers may let the first event through.
  let heard = 0;
  try {
    const response = requests.canStream() && (await requests.open(url(), 'text/event-stream', limit.signal));
    if (!response?.body) {
      throw new FeedError(200, {detail: 'this platform cannot read event streams'});
    }
    const decoder = new TextDecoder();
    let text = '';
    let event = '';
    let id = null;
    const reader = response.body.getReader();
    // Not every `fetch` ends the body when its signal aborts.
    listen(limit.signal, 'abort', () => reader.cancel().catch(() => {}));
    for (;;) {
      const {value, done} = await reach(() => reader.read());
      throwIfAborted(limit.signal);
      if (done) {
        return;
      }
      limit.restart();
      const chunk = decoder.decode(value, {stream: true});
      text += chunk;
      if (!chunk.includes('\n')) {
        continue;
      }
      const lines = text.split(/\r?\n/);
      text = lines.pop();
      for (const line of lines) {
        if (line.startsWith(':')) {
          heard += 2;
        } else if (line.startsWith('event:')) {
          event = line.slice(6).trim();
        } else if (line.startsWith('id:')) {
          id = line.slice(3).trim();
        } else if (line.startsWith('data:')) {
          const data = JSON.parse(line.slice(5));
          if (event === 'problem') {
            throw new FeedError(data.status, data);
          }
          heard++;
          yield {event, id, data};
        }
      }
    }
  } catch (error) {
    // A stream that has had heartbeats is only interrupted.
    if (limit.reason()?.name === 'TimeoutError' && heard < 2) {
      throw new FeedError(200, {detail: 'the event stream has no heartbeats: a proxy may buffer it'});
    }
    throw limit.reason() ?? error;
  } finally {
    limit.abort();
  }
}

/** Whether a response was successful but not an event stream. Such a response comes from a proxy. */
const isNotStream = error => error?.status >= 200 && error.status < 300;

/** Whether the database or the server is away, so that polling would fail, too. */
const isAway = ({code, status}) => (code === null ? status === 502 || status === 503 : ['unavailable', 'feed_unavailable'].includes(code));

function requireTemporary(error, signal) {
  throwIfAborted(signal);
  if (!isTemporary(error)) {
    throw error;
  }
  return error;
}
