import {follow} from './stream.js';

/** Yields `{count, capped}` at once and whenever one of them changes. See `Feed.fresh`. */
export async function* fresh(requests, url, options) {
  let latest = null;
  for await (const {data} of follow(requests, () => url, signal => requests.json(url, signal), options)) {
    if (latest?.count !== data.count || latest.capped !== data.capped) {
      latest = data;
      yield data;
    }
  }
}
