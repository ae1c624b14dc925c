import assert from 'node:assert/strict';
import {test} from 'node:test';
import {buildSchema, graphql} from 'graphql';
import relay from 'relay-runtime';
import {connection, liveConnections} from '@tidemark/client/relay';
import messagesQuery from './messagesQuery.graphql.js';
import {edit, feedOf, idsInOrder, remove} from './server.mjs';

const {Environment, Network, RecordSource, Store, createOperationDescriptor, fetchQuery} = relay;

const schema = buildSchema(`
  type Query { messages(first: Int, after: String, last: Int, before: String): MessageConnection }
  type MessageConnection { edges: [MessageEdge] pageInfo: PageInfo! }
  type MessageEdge { node: Message! cursor: String }
  type PageInfo { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }
  type Message { id: ID! subject: String! }
`);

/** A Relay client of a GraphQL schema with one field, which is a connection over the feed. */
function clientOf(feed, parameters = {}) {
  const rootValue = {messages: args => connection(feed, parameters, args)};
  const network = Network.create((request, variableValues) => graphql({schema, source: request.text, rootValue, variableValues}));
  const environment = new Environment({network, store: new Store(new RecordSource())});
  const read = args => fetchQuery(environment, messagesQuery, args).toPromise();
  const shown = () => environment.lookup(createOperationDescriptor(messagesQuery, {}).fragment).data.messages;
  return {read, shown, ids: () => shown().edges.map(edge => edge.node.id)};
}

test('Relay appends pages to a connection while rows at their borders are deleted', async () => {
  const all = await idsInOrder({});
  const client = clientOf(feedOf().feed);
  await client.read({first: 10});
  await remove(all[9]);
  await remove(all[10]);
  await client.read({first: 10, after: client.shown().pageInfo.endCursor});
  assert.deepEqual(client.ids(), [...all.slice(0, 10), ...all.slice(11, 21)]);
  assert.equal(client.shown().pageInfo.hasNextPage, true);
});

test('Relay prepends pages to a connection that started in the middle', async () => {
  const all = await idsInOrder({});
  const {feed} = feedOf();
  const client = clientOf(feed, {from_id: all[50]});
  await client.read({first: 10});
  const {startCursor, hasPreviousPage} = client.shown().pageInfo;
  assert.equal(hasPreviousPage, true);
  await client.read({last: 10, before: startCursor});
  assert.deepEqual(client.ids(), all.slice(40, 60));
});

test('Relay reaches both ends of a list', async () => {
  const parameters = {status: 'open', assignee: 'julia'};
  const client = clientOf(feedOf().feed, parameters);
  await client.read({first: 40});
  assert.equal(client.shown().pageInfo.hasPreviousPage, false);
  while (client.shown().pageInfo.hasNextPage) {
    await client.read({first: 40, after: client.shown().pageInfo.endCursor});
  }
  assert.deepEqual(client.ids(), await idsInOrder(parameters));
});

test('arguments that do not describe a page are rejected', async () => {
  const {feed, urls} = feedOf();
  const {pageInfo} = await connection(feed, {}, {first: 1});
  await assert.rejects(connection(feed, {}, {last: 3}), TypeError);
  await assert.rejects(connection(feed, {}, {first: 3, before: pageInfo.startCursor}), TypeError);
  await assert.rejects(connection(feed, {}, {first: 3, after: pageInfo.startCursor}), TypeError);
  await assert.rejects(connection(feed, {}, {last: 3, before: pageInfo.endCursor}), TypeError);
  assert.equal(urls.length, 1);
});

test('an empty list is a connection without edges and cursors', async () => {
  const {edges, pageInfo} = await connection(feedOf().feed, {assignee: 'nobody of this name'}, {first: 3});
  assert.deepEqual(edges, []);
  assert.deepEqual(pageInfo, {hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null});
});

test('a live list yields a connection after each change', async () => {
  const {feed} = feedOf({limit: 10});
  const connections = liveConnections(feed.list({order: 'oldest'}));
  const {value: first} = await connections.next();
  assert.equal(first.edges.length, 10);
  assert.equal(first.pageInfo.hasNextPage, true);
  await edit(first.edges[2].node.id, {subject: 'Seen through the connection'});
  for await (const {edges} of connections) {
    if (edges.some(({node}) => node.subject === 'Seen through the connection')) break;
  }
  assert.equal((await connections.next()).done, true);
});

test('ending the iteration ends a wait for the next connection', async () => {
  const connections = liveConnections(feedOf().feed.list({order: 'oldest'}));
  await connections.next();
  const waiting = connections.next();
  await connections.return();
  assert.equal((await waiting).done, true);
});
