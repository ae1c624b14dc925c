import {FeedError, isTemporary, TimeLimit} from './requests.js';

/** Yields `{count, capped}` at once and whenever one of them changes. See `Feed.fresh`. */
export async function* fresh(requests, url, {signal, pollEvery = 5_000, streamAgainAfter = 60_000, silence = 45_000}) {
  let latest = null;
  const updateLatest = counted => {
    const isSame = latest?.count === counted.count && latest.capped === counted.capped;
    latest = counted;
    return !isSame;
  };
  for (let failures = 0; ; ) {
    let error = null;
    try {
      for await (const counted of stream(requests, url, signal, silence)) {
        failures = 0;
        if (updateLatest(counted)) {
          yield counted;
        }
      }
    } catch (caught) {
      signal?.throwIfAborted();
      error = caught;
    }
    if (error && !isTemporary(error) && !isNotStream(error)) {
      throw error;
    }
    if (error instanceof FeedError) {
      // The server has no room for another stream, or a proxy does not pass the stream on.
      const until = Date.now() + streamAgainAfter;
      if (isTemporary(error)) {
        await requests.pause(requests.delay(1, error), signal);
      }
      do {
        let failure = null;
        const counted = await requests.json(url, signal).catch(caught => (failure = requireTemporary(caught, signal)));
        if (!failure && updateLatest(counted)) {
          yield counted;
        }
        await requests.pause(failure ? Math.max(pollEvery, requests.delay(1, failure)) : pollEvery, signal);
      } while (Date.now() < until);
    } else {
      await requests.pause(requests.delay(++failures), signal);
    }
  }
}

/**
 * Yields the data of one stream until the connection closes. Throws if the server sends a problem, or nothing for too
 * long.
 */
async function* stream(requests, url, signal, silence) {
  const limit = new TimeLimit(silence, signal);
  try {
    const response = await requests.open(url, 'text/event-stream', limit.signal);
    const decoder = new TextDecoder();
    let text = '';
    let event = '';
    for (const reader = response.body.getReader(); ; ) {
      const {value, done} = await reader.read();
      if (done) {
        return;
      }
      limit.restart();
      const lines = (text + decoder.decode(value, {stream: true})).split(/\r?\n/);
      text = lines.pop();
      for (const line of lines) {
        if (line.startsWith('event:')) {
          event = line.slice(6).trim();
        } else if (line.startsWith('data:')) {
          const data = JSON.parse(line.slice(5));
          if (event === 'problem') {
            throw new FeedError(data.status, data);
          }
          yield data;
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

function requireTemporary(error, signal) {
  signal?.throwIfAborted();
  if (!isTemporary(error)) {
    throw error;
  }
  return error;
}
