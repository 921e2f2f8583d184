import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { placeFixture, SECRET, writeOthers } from '../files/other-files.js';
import { casesOf } from '../full-check.js';
import { plumecast } from './run-command.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumecast-other-files-'));
  await writeOthers(folder);
  const days = Array.from({ length: 30 }, (_, day) => `2026-03-${String(day + 2).padStart(2, '0')},1,2,3`);
  await writeFile(join(folder, 'longer.csv'), `date,member_0,member_1,member_2\n${days.slice(0, 29).join('\n')}\n`);
});
afterAll(() => rm(folder, { recursive: true }));

const CASES = [
  ['storage.h5', 'has external storage'],
  ['coordinate.h5', 'has external storage'],
  ['link.h5', 'is an external link'],
  ['link-in-group.h5', 'is an external link'],
  ['virtual.h5', 'is virtual'],
] as const;

it.each(casesOf(CASES, [0, 2]))(
  'every command says of %s that it %s, and gives nothing of the other file',
  async (name, problem) => {
    const path = await placeFixture(folder, name);
    const commands = [
      ['stats', path],
      ['inspect', path],
      ['convert', path, '-', '--to', 'csv'],
      ['climatology', path],
      ['blend', path, 'longer.csv', '--variable', 'precipitation'],
      ['plot', path],
      ['ingest', '--store', 'store', '--short-term', path],
      ['batch', path, '--out', `out-${name}`],
    ];
    for (const command of commands) {
      const { code, out, err } = plumecast(command, { cwd: folder });
      expect(`${command[0]}: ${err}${out}`.replace(/\s+/g, ' ')).toContain(problem);
      if (command[0] !== 'inspect') expect(code, command[0]).not.toBe(0);
      expect(out + err).not.toContain(String(SECRET));
    }
  },
);
