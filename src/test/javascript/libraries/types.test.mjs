import assert from 'node:assert/strict';
import {readFile} from 'node:fs/promises';
import {test} from 'node:test';

test('what the declarations promise works against a server', async () => {
  const uses = await import('./compiled/uses.js');
  assert.equal((await uses.iterate()).length, 30);
  assert.ok((await uses.list()).every(item => item.status === 'open'));
  assert.equal(await uses.restore(), 12);
  assert.equal(await uses.live(), 0);
  assert.equal(await uses.listen(), 0);
  assert.equal(await uses.fail(), 'invalid_cursor');
  assert.equal(typeof (await uses.query()), 'string');
  assert.equal(await uses.endpoint(), 'pending');
});

test('what the declarations promise works with RTK Query', async () => {
  assert.equal(typeof (await (await import('./compiled/uses-rtk-query.js')).redux()), 'string');
});

test('what the declarations promise works with TanStack DB', async () => {
  assert.equal(typeof (await (await import('./compiled/uses-tanstack-db.js')).collect()), 'string');
});

for (const name of ['index', 'tanstack-query', 'tanstack-db', 'rtk-query', 'swr']) {
  test(`the declarations of ${name} name exactly what it exports`, async () => {
    const file = path => new URL(`node_modules/@tidemark/client/${path}`, import.meta.url);
    const declared = [...(await readFile(file(`${name}.d.ts`), 'utf8')).matchAll(/^export (?:class|function) (\w+)/gm)];
    assert.deepEqual(declared.map(([, one]) => one).sort(), Object.keys(await import(file(`${name}.js`))).sort());
  });
}
