import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';

const DIST = resolve(import.meta.dirname, '../../dist');
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumecast-scripts-'));
  const days = Array.from({ length: 14 }, (_, day) => `2026-03-${String(day + 2).padStart(2, '0')},1,2,3`);
  writeFileSync(join(folder, 'days.csv'), ['date,a,b,c', ...days].join('\n'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The scripts of the package that a command loads, as V8 lists them. */
function scriptsOf(args: readonly string[]): string[] {
  const coverage = mkdtempSync(join(folder, 'coverage-'));
  const env = { ...process.env, NODE_V8_COVERAGE: coverage };
  execFileSync(process.execPath, [join(DIST, 'cli.js'), ...args], { cwd: folder, env, stdio: 'ignore' });
  const urls = readdirSync(coverage).flatMap((name) =>
    (JSON.parse(readFileSync(join(coverage, name), 'utf8')) as { result: { url: string }[] }).result.map(
      ({ url }) => url,
    ),
  );
  return [...new Set(urls)].filter((url) => url.startsWith('file:') && url.includes('/dist/'));
}

// Each script takes a millisecond to find and link: 170 of them took longer than a small file.
it.each([
  [['--version'], 6],
  [['stats', 'days.csv', '--variable', 'temp_mean', '--units', 'degC'], 18],
  [['inspect', 'days.csv'], 45],
])('%j loads few scripts', (args, most) => {
  expect(scriptsOf(args).length).toBeLessThanOrEqual(most);
});
