import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const readme = ['README.md', 'docs/batch.md'].map((page) => readFileSync(join(root, page), 'utf8')).join('\n');

/** Blocks of code that are followed by the output they print. */
const examples = [...readme.matchAll(/```(js|sh)\n([^`]*?)```\n\n```text\n([^`]*?)```/g)].map(
  ([, language, code, output]) => ({ language, code, output }),
);

const folder = mkdtempSync(join(tmpdir(), 'plumecast-readme-'));
beforeAll(() => {
  // As where the package is installed.
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules', 'plumecast'), 'junction');
  run('sh', 'plumecast demo');
});
afterAll(() => rmSync(folder, { recursive: true }));

function run(language: string, code: string): string {
  const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined };
  const command = `"${process.execPath}" "${join(root, 'dist/cli.js')}"`;
  const [program, args] =
    language === 'js'
      ? [process.execPath, ['--input-type=module', '--eval', code]]
      : ['sh', ['-c', code.replace(/^(npx )?plumecast/gm, command)]];
  const { stdout, stderr } = spawnSync(program, args, { cwd: folder, env });
  return `${stderr}${stdout}`;
}

describe('README and docs/batch.md', () => {
  it('has examples with their output', () => {
    expect(examples.length).toBeGreaterThanOrEqual(4);
  });

  it.each(examples)(
    '$language example prints what it says: $code',
    ({ language, code, output }) => {
      expect(run(language, code)).toBe(output);
      // Processes of their own, two threads in one of them, on machines that may do much else.
    },
    120_000,
  );

  it('has a headline for speed that every row of its table supports', () => {
    const [, least, most] = /([\d.]+) to ([\d.]+) times as fast as the best plain JavaScript/.exec(readme) ?? [];
    const rows = readme.split('\n').filter((line) => line.startsWith('| plumecast, '));
    const factors = rows.flatMap((row) => [...row.matchAll(/\(([\d.]+)×\)/g)].map(([, times]) => Number(times)));
    expect(factors.length).toBeGreaterThanOrEqual(9);
    expect([Number(least), Number(most)]).toEqual([Math.min(...factors), Math.floor(Math.max(...factors))]);
  });

  it('names the columns, options and commands that there are', () => {
    const help = ['stats', 'batch', 'blend', 'climatology', 'ingest', 'serve', 'key create']
      .map((command) => run('sh', `plumecast ${command} --help`))
      .join();
    for (const [option] of readme.matchAll(/--[a-z][a-z-]+/g)) expect(help).toContain(option);
  });
});
