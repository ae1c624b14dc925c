import assert from 'node:assert/strict';
import {test} from 'node:test';
import {gzipSync} from 'node:zlib';
import {build} from 'esbuild';

async function bundle(source, target = 'es2022') {
  const {outputFiles} = await build({
    stdin: {contents: source, resolveDir: import.meta.dirname ?? process.cwd()},
    bundle: true,
    minify: true,
    format: 'esm',
    target,
    write: false,
  });
  return outputFiles[0].contents;
}

const sizeOf = async source => gzipSync(await bundle(source), {level: 9}).length;

test('the package is smaller than 9.4 kB, minified and compressed', async t => {
  const size = await sizeOf("export * from '@tidemark/client';");
  t.diagnostic(`${size} bytes`);
  assert.ok(size < 9400, `${size} bytes`);
});

test('each adapter is smaller than 1 kB, and that of TanStack DB smaller than 2.3 kB, minified and compressed', async t => {
  const core = await sizeOf("export * from '@tidemark/client';");
  for (const [name, limit] of [['tanstack-query', 1000], ['tanstack-db', 2300], ['rtk-query', 1000], ['swr', 1000]]) {
    const size = (await sizeOf(`export * from '@tidemark/client'; export * from '@tidemark/client/${name}';`)) - core;
    t.diagnostic(`${name}: ${size} bytes`);
    assert.ok(size < limit, `${name}: ${size} bytes`);
  }
});

test('the package has no syntax that iOS 15 and Chrome 91 do not understand', async () => {
  for (const name of ['', '/persist', '/tanstack-query', '/tanstack-db', '/rtk-query', '/swr']) {
    const source = `export * from '@tidemark/client${name}';`;
    assert.deepEqual(await bundle(source, ['ios15', 'chrome91']), await bundle(source), name);
  }
});
