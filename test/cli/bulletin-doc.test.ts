import { symlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { casePath, referenceFolder } from '../reference/data-folder.js';
import { folderWith, plumecast } from './run-command.js';

/*
 * The page of a bulletin: its commands print what it says, on real forecasts and a real history.
 */

const sources = {
  'farms.csv': casePath('places/farms.csv'),
  'gefs.nc': named('gefs-fcre-2022', 'daily_nc3_f64.nc'),
  'era5.csv': named('era5-burrishoole-1979-2019', 'daily.csv'),
};

function named(folder: string, file: string): string | undefined {
  const found = referenceFolder(folder);
  return found && join(found, file);
}

const { folder, remove } = folderWith({});
afterAll(remove);

const page = await readFile(new URL('../../docs/bulletin.md', import.meta.url), 'utf8');
const examples = [...page.matchAll(/```sh\n([^`]*?)```\n\n```csv\n([^`]*?)```/g)].map(([, commands, output]) => ({
  commands: commands.trim().split('\n'),
  output,
}));

/** The words of a command line. */
const wordsOf = (line: string) => [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain);

describe.skipIf(Object.values(sources).some((path) => path === undefined))('the page of a bulletin', () => {
  it('has all commands of its questions', () => {
    for (const [name, path] of Object.entries(sources)) symlinkSync(path as string, join(folder, name));
    expect(examples).toHaveLength(5);
  });

  it.each(examples)('prints what it says: $commands', ({ commands, output }) => {
    let last = '';
    for (const line of commands) {
      const [npx, command, ...args] = wordsOf(line);
      expect([npx, command]).toEqual(['npx', 'plumecast']);
      const { code, out, err } = plumecast(args, { cwd: folder });
      expect([code, /^(warning|error)/m.test(err) ? err : '']).toEqual([0, '']);
      last = out;
    }
    expect(last).toBe(output);
  });
});
