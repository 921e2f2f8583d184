import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bundleSuite, root } from './bundle.js';
import { chromiumAbsent, evaluateInChromium } from './chromium.js';
import type { CheckResult } from './core-suite.js';
import { describeSuite } from './describe-suite.js';

describeSuite('headless Chromium', chromiumAbsent, async () => {
  const folder = await bundleSuite('chromium', 'browser-suite.ts', { platform: 'browser' });
  const files = new Map([
    ['/suite.js', { type: 'text/javascript', body: await readFile(join(folder, 'suite.js')) }],
    ['/plumecast.wasm', { type: 'application/wasm', body: await readFile(join(root, 'dist', 'plumecast.wasm')) }],
  ]);
  for (const [name, type] of [
    ['openjpegwasm_decode.js', 'text/javascript'],
    ['openjpegwasm_decode.wasm', 'application/wasm'],
  ]) {
    const body = await readFile(join(root, 'node_modules', '@cornerstonejs', 'codec-openjpeg', 'dist', name));
    files.set(`/${name}`, { type, body });
  }
  return evaluateInChromium<CheckResult[]>(files, "import('/suite.js').then((suite) => suite.run())");
});
