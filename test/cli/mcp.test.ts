import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { plumecast } from './run-command.js';
import { serversOf } from './start-server.js';

const folder = await mkdtemp(join(tmpdir(), 'plumecast-mcp-'));
const { code, err } = plumecast(['demo', folder]);
if (code !== 0) throw new Error(err);
const serve = serversOf(folder);
afterAll(() => rm(folder, { recursive: true, force: true }));

it('plumecast serve --mcp, by several workers: the example of docs/serving.md prints its output', async () => {
  const { address } = await serve('--mcp', '--workers', '2', '--drain-seconds', '0');
  const page = readFileSync('docs/serving.md', 'utf8').split('\n## Assistants\n')[1];
  const [, text, output] = /```js\n([^`]*?)```\n\n.*\n\n```text\n([^`]*?)```/.exec(page) ?? [];
  const run = text.replace('http://127.0.0.1:8080', address);
  expect(run).not.toBe(text);
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', run], {
    ...{ encoding: 'utf8', timeout: 60_000, env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined } },
  });
  expect(stderr + stdout).toBe(output);
}, 90_000);

it('plumecast serve has no /mcp without the option', async () => {
  const { address } = await serve('--drain-seconds', '0');
  const response = await fetch(`${address}/mcp`, { method: 'POST', headers: { 'x-api-key': 'demo' }, body: '{}' });
  expect([response.status, (await response.json()).code]).toEqual([404, 'path-not-found']);
});
