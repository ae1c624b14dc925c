import assert from 'node:assert/strict';
import {readFile} from 'node:fs/promises';
import {test} from 'node:test';

// The feed browser has no package.json that would declare its files to be modules.
const file = new URL('../../main/resources/dev/tidemark/http/browser/pages/sql-lines.js', import.meta.url);
const {sqlLines} = await import(`data:text/javascript,${encodeURIComponent(await readFile(file, 'utf8'))}`);

const assertLines = (sql, ...lines) => assert.equal(sqlLines(sql), lines.join('\n'));

test('each clause and each condition begins a line', () => {
  assertLines('SELECT "id", "name" FROM "public"."users" WHERE "id" > $1 AND "name" = $2 ORDER BY "id" DESC LIMIT 30',
    'SELECT "id", "name"', 'FROM "public"."users"', 'WHERE "id" > $1', 'AND "name" = $2', 'ORDER BY "id" DESC', 'LIMIT 30');
});

test('subqueries are indented', () => {
  assertLines('SELECT * FROM ((SELECT 1 LIMIT 1) UNION ALL (SELECT 2 FROM b)) page LEFT JOIN LATERAL (SELECT true FROM c OFFSET 0) e1 ON true',
    'SELECT *', 'FROM (', '  (', '    SELECT 1', '    LIMIT 1', '  )', '  UNION ALL (', '    SELECT 2', '    FROM b', '  )', ') page',
    'LEFT JOIN LATERAL (', '  SELECT true', '  FROM c OFFSET 0', ') e1 ON true');
});

test('literals, quoted identifiers, and comments stay as they are', () => {
  for (const quoted of ["' FROM  x AND ''y'' LIMIT '", '" FROM ""x"" AND  y"', "E'\\' AND ''  FROM '", 'e\'\\\\\'', '$$ FROM  x AND $$', '$a$ $$ FROM  (SELECT $a$',
    "U&'\\0041 AND  '", '/* FROM  a\n AND */']) {
    assertLines(`SELECT ${quoted} FROM t WHERE a = ${quoted} AND b`, `SELECT ${quoted}`, 'FROM t', `WHERE a = ${quoted}`, 'AND b');
  }
});

test('nothing is moved into a line comment', () => {
  assertLines('SELECT a FROM t WHERE ( -- FROM  here\nb AND c\n) AND d', 'SELECT a', 'FROM t', 'WHERE ( -- FROM  here', 'b AND c )', 'AND d');
  assertLines('SELECT a -- one\n-- two\nFROM t', 'SELECT a -- one', '-- two', 'FROM t');
});

test('keywords of expressions begin no line', () => {
  for (const expression of ['extract(epoch FROM a)', 'row_number() OVER (ORDER BY a)', 'a IS DISTINCT FROM b', 'a BETWEEN $1 AND $2', 'from_date < $1', 'a.and_b', 'limit$1']) {
    assertLines(`SELECT a FROM t WHERE ${expression} AND c`, 'SELECT a', 'FROM t', `WHERE ${expression}`, 'AND c');
  }
});

test('only white space changes', () => {
  const pieces = ["'", '"', '$', '$$', '$a$', '--', '/*', '*/', '\\', 'E', '(', ')', '\n', ' ', 'SELECT', 'FROM', 'AND', 'ORDER BY', 'a', '1', 'é', '😀'];
  // The same random numbers in each run.
  let state = 1;
  const random = bound => (state = (state * 48_271) % 2_147_483_647) % bound;
  for (let round = 0; round < 5_000; round++) {
    const sql = Array.from({length: random(25)}, () => pieces[random(pieces.length)]).join('');
    const dense = text => text.replaceAll(/\s+/g, '');
    assert.equal(dense(sqlLines(sql)), dense(sql));
    assert.equal(sqlLines(sqlLines(sql)), sqlLines(sql));
  }
});
