// Scrolls a feed that declares a scope, as the tenant that a token names, with the types that openapi-typescript generates.
import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { components, paths } from "./openapi.js";

type Media = "application/json" | "application/problem+json";

const baseUrl = process.env["TIDEMARK_URL"]!;
const client = createClient<paths, Media>({ baseUrl, headers: { Authorization: process.env["TIDEMARK_TOKEN"]! } });

async function page(cursor: string | null): Promise<components["schemas"]["TicketsPage"]> {
  const { data, error } = await client.GET("/api/tickets", {
    params: { query: { limit: 7, ...(cursor && { cursor }) } },
  });
  if (error) {
    throw new Error(error.detail);
  }
  return data;
}

let last = await page(null);
const tickets = [...last.items];
while (last.next_cursor !== null) {
  last = await page(last.next_cursor);
  tickets.push(...last.items);
}
assert.equal(new Set(tickets.map((ticket) => ticket.id)).size, 20);

const refused = await createClient<paths, Media>({ baseUrl }).GET("/api/tickets");
assert.equal(refused.response.status, 401);
assert.equal(refused.error!.code, "unauthorized");

console.log(`${tickets.length} tickets of the tenant`);
