import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plumecast, runScript } from '../cli/run-command.js';
import { openMeteoCsv } from '../files/open-meteo-answers.js';
import { isPlainCommand, linesOf, wordsOf } from './command-lines.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (...pages: string[]) => pages.map((page) => readFileSync(join(root, page), 'utf8')).join('\n');
const readme = read('README.md');
const guides = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
// Pages to start with run as a whole: cookbook.test.ts.
const pages = read('README.md', ...guides.filter((name) => !name.startsWith('start-')).map((name) => `docs/${name}`));

/** Blocks of code that are followed by the output they print. */
const examples = [...pages.matchAll(/```(js|sh)\n([^`]*?)```\n\n```text\n([^`]*?)```/g)].map(
  ([, language, code, output]) => ({ language, code, output }),
);

const folder = mkdtempSync(join(tmpdir(), 'plumecast-readme-'));
beforeAll(() => {
  // As if the package and its peer were installed.
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(root, join(folder, 'node_modules', 'plumecast'), 'junction');
  symlinkSync(join(root, 'node_modules/apache-arrow'), join(folder, 'node_modules', 'apache-arrow'), 'junction');
  fakeCurl();
  run('sh', 'plumecast demo');
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A command `curl` that answers as Open-Meteo does, with showers that are the same in every run. */
function fakeCurl(): void {
  mkdirSync(join(folder, 'bin'));
  const wet = (time: number, member: number) => Math.sin(time / 19 + member / 7) + Math.sin(time / 3.1 + member) / 2;
  const value = ({ time, member }: { time: number; member: number }) =>
    Math.round(100 * Math.max(0, wet(time, member) - 0.6)) / 100;
  const locations = [[52.5, 13.5]] as const;
  writeFileSync(join(folder, 'bin/answer.csv'), openMeteoCsv({ locations, times: 8 * 24, members: 51, value }));
  writeFileSync(join(folder, 'bin/curl'), `#!/bin/sh\ncat "${join(folder, 'bin/answer.csv')}"\n`, { mode: 0o755 });
}

/**
 * What an example prints. Modules and plain commands run in one process, one after the other: to start one for each takes longer than most
 * examples.
 */
function run(language: string, code: string): string {
  if (language === 'js') {
    const script = join(folder, 'example.mjs');
    writeFileSync(script, code);
    const { out, err } = runScript(script, [], { cwd: folder });
    return `${err}${out}`;
  }
  const lines = linesOf(code);
  if (lines.every(isPlainCommand)) {
    const printed = lines.map((line) =>
      plumecast(wordsOf(line.replace(/^(npx )?plumecast /, '')).args, { cwd: folder }),
    );
    return printed.map(({ err, out }) => `${err}${out}`).join('');
  }
  const path = `${join(folder, 'bin')}${delimiter}${process.env.PATH}`;
  const env = { ...process.env, PATH: path, NO_COLOR: '1', FORCE_COLOR: undefined };
  const command = `"${process.execPath}" "${join(root, 'dist/cli.js')}"`;
  const { stdout, stderr } = spawnSync('sh', ['-c', code.replace(/^(npx )?plumecast/gm, command)], {
    cwd: folder,
    env,
  });
  return `${stderr}${stdout}`;
}

describe('README and docs', () => {
  it('of which the first can be read in five minutes', () => {
    expect(readme.length).toBeLessThanOrEqual(14_000);
  });

  it('have pages that the index lists', () => {
    const index = read('docs/README.md');
    expect(guides.filter((name) => name !== 'README.md' && !index.includes(`(${name})`))).toEqual([]);
  });

  it('contain examples with their output', () => {
    expect(examples.length).toBeGreaterThanOrEqual(16);
  });

  it.each(examples)(
    '$language example prints what it says: $code',
    ({ language, code, output }) => {
      expect(run(language, code)).toBe(output);
      // Some take seconds, and many times as long on a busy machine.
    },
    180_000,
  );

  it('have a headline for speed that every row of its table supports', () => {
    const [, least, most] = /([\d.]+) to ([\d.]+) times as fast as the best plain JavaScript/.exec(readme) ?? [];
    const rows = readme.split('\n').filter((line) => line.startsWith('| plumecast, '));
    const factors = rows.flatMap((row) => [...row.matchAll(/\(([\d.]+)×\)/g)].map(([, times]) => Number(times)));
    expect(factors.length).toBeGreaterThanOrEqual(9);
    expect([Number(least), Number(most)]).toEqual([Math.min(...factors), Math.floor(Math.max(...factors))]);
  });

  it('name the existing columns, options and commands', () => {
    const help = [
      'stats',
      'plot',
      'batch',
      'blend',
      'climatology',
      'verify',
      'ingest',
      'fetch',
      'serve',
      'key create',
      'worker',
    ]
      .map((command) => plumecast([...command.split(' '), '--help', 'all']).out)
      .join();
    const ofNode = ['--experimental-vm-modules', '--disable-wasm-trap-handler'];
    for (const [option] of read('README.md', 'docs/command.md', 'docs/batch.md').matchAll(/--[a-z][a-z-]+/g)) {
      if (!ofNode.includes(option)) expect(help).toContain(option);
    }
  });
});
