// Scrolls a feed forward and back with the types that openapi-typescript generates from the server's document.
import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { components, paths } from "./openapi.js";

type Letter = components["schemas"]["LettersItem"];
type Problem = components["schemas"]["Problem"];

const client = createClient<paths, "application/json" | "application/problem+json">({ baseUrl: process.env["TIDEMARK_URL"]! });

async function page(cursor: string | null): Promise<components["schemas"]["LettersPage"]> {
  const { data, error } = await client.GET("/api/letters", {
    params: { query: { limit: 7, order: "oldest", status: ["sad", "very happy"], ...(cursor && { cursor }) } },
  });
  if (error) {
    throw new Error(error.detail);
  }
  return data;
}

const forward: Letter[] = [];
let last = await page(null);
forward.push(...last.items);
while (last.next_cursor !== null) {
  last = await page(last.next_cursor);
  forward.push(...last.items);
}

const back: Letter[] = [...last.items];
while (last.prev_cursor !== null) {
  last = await page(last.prev_cursor);
  back.unshift(...last.items);
}

const ids = forward.map((letter) => BigInt(letter.id ?? -1));
assert.equal(ids.length, 66);
assert.equal(new Set(ids).size, 66);
assert.deepEqual(ids, ids.toSorted((a, b) => (a < b ? -1 : 1)));
assert.deepEqual(back, forward);

const fresh = await client.GET("/api/letters/fresh", {
  params: { query: { cursor: last.cursors.last!, order: "oldest", status: ["sad", "very happy"] } },
});
assert.deepEqual(fresh.data, { count: 59, capped: false });

const universal = await client.GET("/v3/letters", { params: { query: { limit: 3 } } });
assert.equal(universal.data?.result.rows.length, 3);

// The types do not say that fields are separated by commas.
const specimens = await client.GET("/api/specimens", {
  params: { query: { fields: ["ints", "exact"] } },
  querySerializer: { array: { style: "form", explode: false } },
});
assert.deepEqual(specimens.data?.items[1]?.ints, [[1, 2], [3, null]]);
assert.equal(specimens.data?.items[2]?.exact, "NaN");

const refused = await client.GET("/api/letters", { params: { query: { cursor: "made-up" } } });
const problem: Problem = refused.error!;
assert.equal(refused.response.status, 400);
assert.equal(problem.code, "invalid_cursor");
assert.equal(problem.parameter, "cursor");

console.log(`${forward.length} letters forward and ${back.length} back`);
