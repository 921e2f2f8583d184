import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openInput } from '../../src/input/input.js';

const folder = mkdtempSync(join(tmpdir(), 'plumecast-wide-'));
afterAll(() => rmSync(folder, { recursive: true }));

it.each([
  ['text of wide rows is read at once: its parts would have a few rows each', 50_000, 'short'],
  ['text of other rows from 1 MiB on is read part by part', 50, 'text'],
])('%s', async (_, members, form) => {
  const path = join(folder, `${members}.csv`);
  const header = ['date', ...Array.from({ length: members }, (_, i) => `m${i}`)].join(',');
  const rows = Array.from(
    { length: 300_000 / members },
    (_, day) => `${new Date(86_400_000 * day).toISOString().slice(0, 10)}${',1.25'.repeat(members)}`,
  );
  writeFileSync(path, [header, ...rows].join('\n'));
  const input = await openInput(path, {}, () => {});
  expect(input).toMatchObject({ kind: 'table', form });
  if (input.kind === 'table') await input.close();
});
