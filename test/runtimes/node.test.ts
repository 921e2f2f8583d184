import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bundleSuite } from './bundle.js';
import { describeSuite } from './describe-suite.js';

const others = [22, 24].map((major) => {
  const variable = `PLUMECAST_NODE_${major}`;
  const binary = process.env[variable];
  const absent = binary ? `${variable} names no file: ${binary}` : `${variable} is not set`;
  return { major, binary, absent: binary && existsSync(binary) ? undefined : absent };
});
const [present] = process.versions.node.split('.').map(Number);

for (const { major, binary, absent } of [{ major: present, binary: process.execPath, absent: undefined }, ...others]) {
  describeSuite(`Node ${major}`, absent, async () => {
    const folder = await bundleSuite(`node-${major}`, 'node-suite.ts', {
      platform: 'node',
      external: ['plumecast', 'plumecast/*'],
    });
    const { stdout } = await promisify(execFile)(binary as string, [join(folder, 'suite.js')], { timeout: 120_000 });
    const { version, results } = JSON.parse(stdout);
    if (!version.startsWith(`v${major}.`)) throw new Error(`${binary} is Node ${version}, not ${major}`);
    return results;
  });
}
