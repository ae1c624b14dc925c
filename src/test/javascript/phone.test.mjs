import assert from 'node:assert/strict';
import {execFile} from 'node:child_process';
import {createServer} from 'node:http';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import {FeedServer} from './feed-server.mjs';

/** Serves a feed of the numbers 1 to 9 over HTTP, and returns its address. */
async function listen(t) {
  const feed = new FeedServer(1, 2, 3, 4, 5, 6, 7, 8, 9);
  feed.delta = true;
  const server = createServer(async (request, response) => {
    const {pathname, searchParams} = new URL(request.url, 'http://server');
    if (pathname === '/write') {
      feed.write(Number(searchParams.get('id')), searchParams.get('text'));
      feed.push();
      response.end();
    } else if (!searchParams.has('hang')) {
      const ended = new AbortController();
      response.on('close', () => ended.abort());
      const stream = pathname.endsWith('/fresh') && request.headers.accept === 'text/event-stream';
      const answer = stream
          ? new Response('event: fresh\ndata: {"count": 2, "capped": false}\n\n', {headers: {'Content-Type': 'text/event-stream'}})
          : await feed.fetch(request.url, {signal: ended.signal, headers: request.headers});
      response.writeHead(answer.status, {'Content-Type': answer.headers.get('Content-Type')});
      try {
        for await (const part of answer.body) {
          response.write(part);
        }
        response.end();
      } catch {
        response.destroy();
      }
    }
  });
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return {feed, address: `http://127.0.0.1:${server.address().port}/api/n`};
}

for (const [platform, state] of [['React Native', 'polling'], ['iOS 15', 'streaming']]) {
  test(`on ${platform}, lists are read, refreshed, restored, and kept live by ${state}`, async t => {
    const {feed, address} = await listen(t);
    const program = fileURLToPath(new URL('phone.mjs', import.meta.url));

    const {stdout} = await promisify(execFile)(process.execPath, [program, platform, address], {timeout: 60_000});

    assert.deepEqual(JSON.parse(stdout), {
      backward: [3, 4, 5, 6, 7, 8, 9],
      refreshed: ['refreshed'],
      restored: [9, 8, 7, 6, 5, 4],
      errors: ['TimeoutError', 'AbortError', 'AbortError'],
      states: ['connecting', state, null],
      fresh: [2, state, 'AbortError'],
    });
    const {searchParams} = new URL(feed.calls.find(url => url.includes('text=')), address);
    assert.deepEqual(searchParams.getAll('text'), ['ä&b', 'half \ufffd']);
    assert.equal(feed.calls.some(url => url.includes('/live')), state === 'streaming');
  });
}
