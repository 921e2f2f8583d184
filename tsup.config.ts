import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { defineConfig, type Options } from 'tsup';
import manifest from './package.json' with { type: 'json' };

/** What the command carries in itself: one script starts several times faster than hundreds of modules. */
const BUNDLED = ['apache-arrow', 'flatbuffers', 'tslib', '@hono/node-server'];

const common: Options = {
  format: 'esm',
  target: 'es2022',
  silent: true,
  // '#wasm', '#pool-worker' and '#inflate' stay imports of the package itself, so that whoever loads it applies the conditions of package.json.
  external: [
    '#wasm',
    '#pool-worker',
    '#inflate',
    './plumecast.wasm',
    /^node:/,
    ...Object.keys(manifest.optionalDependencies),
  ],
  loader: { '.wasm': 'base64' },
};

export default defineConfig([
  {
    ...common,
    entry: {
      index: 'src/index.ts',
      arrays: 'src/arrays.ts',
      core: 'src/core/index.ts',
      period: 'src/period/index.ts',
      pool: 'src/pool/index.ts',
      'start-worker': 'src/pool/start-worker.ts',
      'start-worker.node': 'src/pool/start-worker.node.ts',
      'start-no-worker': 'src/pool/start-no-worker.ts',
      variable: 'src/variable/index.ts',
      blend: 'src/blend/index.ts',
      climate: 'src/climate/index.ts',
      derive: 'src/derive/index.ts',
      history: 'src/history/index.ts',
      store: 'src/store/index.ts',
      'store-folder': 'src/store/folder-face.node.ts',
      ingest: 'src/ingest/index.ts',
      respond: 'src/respond/index.ts',
      serve: 'src/serve/index.ts',
      client: 'src/client/index.ts',
      formats: 'src/formats/index.ts',
      inflate: 'src/formats/codecs/inflate.ts',
      'inflate.node': 'src/formats/codecs/inflate.node.ts',
      stream: 'src/stream/index.ts',
      'stream-file': 'src/stream/file-face.node.ts',
      daily: 'src/daily/index.ts',
      grid: 'src/grid/index.ts',
      'grid-file': 'src/grid/file-face.node.ts',
      archive: 'src/archive/index.ts',
      batch: 'src/batch/index.ts',
      'batch-worker': 'src/batch/batch-worker.ts',
      demo: 'src/demo/index.ts',
      'wasm-bytes': 'src/core/wasm-bytes.ts',
      'wasm-bytes.node': 'src/core/wasm-bytes.node.ts',
      'wasm-module': 'src/core/wasm-module.ts',
    },
    platform: 'neutral',
    splitting: true,
    onSuccess: () => copyFile('build/plumecast.wasm', 'dist/plumecast.wasm'),
  },
  {
    ...common,
    entry: { cli: 'src/cli/main.ts' },
    platform: 'node',
    noExternal: BUNDLED,
    splitting: false,
    onSuccess: writeLicences,
  },
]);

/** The licences of what is bundled, as they ask for. */
async function writeLicences(): Promise<void> {
  const texts = BUNDLED.map(async (name) => {
    const folder = `node_modules/${name}`;
    const file = (
      await readFile(`${folder}/LICENSE`, 'utf8').catch(() => readFile(`${folder}/LICENSE.txt`, 'utf8'))
    ).trim();
    const notice = await readFile(`${folder}/NOTICE.txt`, 'utf8').catch(() => '');
    return `# ${name}\n\n${file}\n${notice && `\n${notice.trim()}\n`}`;
  });
  await writeFile('dist/cli-licenses.txt', (await Promise.all(texts)).join('\n\n'));
}
