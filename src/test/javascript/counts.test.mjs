import assert from 'node:assert/strict';
import {test} from 'node:test';
import {Feed} from '../../client/javascript/index.js';
import {IMPATIENT} from './feed-server.mjs';

const counts = (...numbers) => ({by: 'status', counts: numbers.map((count, at) => ({value: `s${at}`, count, capped: false})), complete: true});
const event = data => `event: counts\ndata: ${JSON.stringify(data)}\n\n`;

function feedThatAnswers(...answers) {
  const urls = [];
  const fetch = async (url, {headers}) => {
    urls.push(`${headers.Accept} ${url}`);
    return answers.shift();
  };
  return {feed: new Feed('/api/n', {fetch, retry: IMPATIENT, limit: 20, fields: ['id']}), urls};
}

const stream = text => new Response(text, {headers: {'Content-Type': 'text/event-stream'}});

test('the parameters of a list can be passed, of which only the filters are sent', async () => {
  const {feed, urls} = feedThatAnswers(Response.json(counts(1, 2)));
  const parameters = {order: 'newest', limit: 10, around_id: '5', assignee: 'ada', status: ['open', 'closed'], 'up-to': 50};
  assert.deepEqual(await feed.counts('status', parameters), counts(1, 2));
  assert.deepEqual(urls, ['application/json /api/n/counts?assignee=ada&status=open&status=closed&up-to=50&by=status']);
});

test('equal counts of a stream are not repeated', async () => {
  const {feed, urls} = feedThatAnswers(stream(event(counts(1, 2))), stream(event(counts(1, 2)) + event(counts(1, 3))));
  const found = [];
  for await (const each of feed.countsStream('status', {assignee: null})) {
    found.push(each);
    if (found.length === 2) break;
  }
  assert.deepEqual(found, [counts(1, 2), counts(1, 3)]);
  assert.deepEqual(urls, Array(2).fill('text/event-stream /api/n/counts?by=status'));
});

test('a problem ends the stream', async () => {
  const problem = new Response(JSON.stringify({status: 400, code: 'not_supported', parameter: 'by', detail: 'no'}),
      {status: 400, headers: {'Content-Type': 'application/problem+json'}});
  const {feed} = feedThatAnswers(problem);
  await assert.rejects(feed.countsStream('subject').next(), {code: 'not_supported', parameter: 'by'});
});
