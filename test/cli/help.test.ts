import { describe, expect, it } from 'vitest';
import { FILE_COMMANDS } from '../../src/cli/file-command-names.js';
import { fileCommands } from '../../src/cli/file-commands.js';
import { plumecast } from './run-command.js';

describe('help', () => {
  const files = ['', 'stats', 'blend', 'climatology', 'convert', 'inspect', 'plot', 'explore', 'demo', 'worker'];
  const service = ['ingest', 'preload', 'serve', 'location', 'location add', 'location list', 'location remove'];
  const keys = ['key', 'key create', 'key list', 'key revoke'];
  for (const command of [...files, ...service, ...keys]) {
    it(`plumecast ${`${command} --help`.trim()} is as printed here, with exit code 0`, () => {
      const { code, out, err } = plumecast([...command.split(' ').filter(Boolean), '--help']);
      expect([code, err]).toEqual([0, '']);
      expect(out).toMatchSnapshot();
    });
  }
});

it('the commands that are looked for first are those of files', () => {
  expect(fileCommands().map((command) => command.name())).toEqual(FILE_COMMANDS);
});
