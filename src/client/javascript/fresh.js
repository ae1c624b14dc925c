import {follow} from './stream.js';

/** Yields the JSON of an address at once and whenever it changes. See `Feed.fresh`. */
export async function* fresh(requests, url, options) {
  let latest = null;
  for await (const {data} of follow(requests, () => url, signal => requests.json(url, signal), options)) {
    const text = JSON.stringify(data);
    if (latest !== text) {
      latest = text;
      yield data;
    }
  }
}
