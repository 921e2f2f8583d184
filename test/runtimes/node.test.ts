import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bundleSuite } from './bundle.js';
import { describeSuite } from './describe-suite.js';
import { nodes } from './nodes.js';

for (const { major, binary, absent } of nodes) {
  describeSuite(`Node ${major}`, absent, async () => {
    const folder = await bundleSuite(`node-${major}`, 'node-suite.ts', {
      platform: 'node',
      external: ['plumecast', 'plumecast/*'],
    });
    const { stdout } = await promisify(execFile)(binary, [join(folder, 'suite.js')], { timeout: 120_000 });
    const { version, results } = JSON.parse(stdout);
    if (!version.startsWith(`v${major}.`)) throw new Error(`${binary} is Node ${version}, not ${major}`);
    return results;
  });
}
