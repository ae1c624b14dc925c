import {FeedError, isTemporary, TimeLimit, UNREACHABLE} from './requests.js';

/** The number of failures beyond which the delays get no longer: by default, they are then from one to two seconds. */
const MAX_FAILURES = 3;

/**
 * Yields the events of a stream, `{event, id, data}`. Opens the stream again after an interruption. If streams are rejected,
 * polls, and yields what was polled as `{event: 'poll', id: null, data}`.
 *
 * @param url returns the address of the stream, for each attempt
 * @param poll returns a promise of the data
 */
export async function* follow(requests, url, poll, {signal, pollEvery = 5_000, streamAgainAfter = 60_000, silence = 45_000}) {
  for (let failures = 0; ; ) {
    let error = null;
    try {
      for await (const event of stream(requests, url(), signal, silence)) {
        failures = 0;
        yield event;
      }
    } catch (caught) {
      signal?.throwIfAborted();
      error = caught;
    }
    if (error && !isTemporary(error) && !isNotStream(error)) {
      throw error;
    }
    if (error instanceof FeedError && !isAway(error)) {
      // The server has no room for another stream, or a proxy does not pass the stream on.
      const until = Date.now() + streamAgainAfter;
      if (isTemporary(error)) {
        await requests.pause(requests.delay(1, error), signal);
      }
      do {
        let failure = null;
        const data = await poll().catch(caught => (failure = requireTemporary(caught, signal)));
        if (!failure) {
          yield {event: 'poll', id: null, data};
        }
        await requests.pause(failure ? Math.max(pollEvery, requests.delay(1, failure)) : pollEvery, signal);
      } while (Date.now() < until);
    } else {
      // A long delay would keep the client waiting after the interruption.
      failures = Math.min(failures + 1, MAX_FAILURES);
      await requests.pause(requests.delay(failures, error), signal);
    }
  }
}

/**
 * Yields the events of one stream until the connection closes. Throws if the server sends a problem, or nothing for too
 * long.
 */
async function* stream(requests, url, signal, silence) {
  const limit = new TimeLimit(silence, signal);
  try {
    const response = await requests.open(url, 'text/event-stream', limit.signal);
    const decoder = new TextDecoder();
    let text = '';
    let event = '';
    let id = null;
    for (const reader = response.body.getReader(); ; ) {
      const {value, done} = await reader.read();
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
        if (line.startsWith('event:')) {
          event = line.slice(6).trim();
        } else if (line.startsWith('id:')) {
          id = line.slice(3).trim();
        } else if (line.startsWith('data:')) {
          const data = JSON.parse(line.slice(5));
          if (event === 'problem') {
            throw new FeedError(data.status, data);
          }
          yield {event, id, data};
        }
      }
    }
  } catch (error) {
    limit.signal.throwIfAborted();
    throw error;
  } finally {
    limit.stop();
    limit.abort();
  }
}

/** Whether a response was successful but not an event stream. Such a response comes from a proxy. */
const isNotStream = error => error instanceof FeedError && error.status < 300;

/** Whether the database or the server is away, so that polling would fail, too. */
const isAway = ({code, status}) => (code === null ? status === 502 || status === 503 : ['unavailable', 'feed_unavailable', UNREACHABLE].includes(code));

function requireTemporary(error, signal) {
  signal?.throwIfAborted();
  if (!isTemporary(error)) {
    throw error;
  }
  return error;
}
