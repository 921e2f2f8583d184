import { execFileSync, type StdioOptions } from 'node:child_process';
import { linkSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { casesOf, isFullCheck } from '../full-check.js';
import { CLI, plumecast } from './run-command.js';

let folder: string;
let expected: string;
const FORMATS = ['nc', 'csv', 'parquet', 'arrow'] as const;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumecast-names-'));
  const forecast = join(import.meta.dirname, '../fixtures/other-files/other.h5');
  for (const format of FORMATS) plumecast(['convert', forecast, `values.${format}`], { cwd: folder });
  expected = statistics('values.nc');
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The statistics of a file; what is said of it beside them names the file. */
function statistics(path: string): string {
  const { code, out } = plumecast(['stats', path, '--variable', 'precipitation'], { cwd: folder });
  expect(code).toBe(0);
  return out;
}

describe.skipIf(process.platform === 'win32')('a NetCDF4 file', () => {
  it('is read by links of all kinds and by chains of them', () => {
    symlinkSync('values.nc', join(folder, 'link.nc'));
    symlinkSync(join(folder, 'link.nc'), join(folder, 'link to a link.dat'));
    symlinkSync('.', join(folder, 'here'));
    linkSync(join(folder, 'values.nc'), join(folder, 'same'));
    const names = ['link.nc', 'link to a link.dat', 'here/here/link.nc', 'same', join(folder, 'here', 'values.nc')];
    for (const name of names) expect(statistics(name), name).toBe(expected);
  });
});

describe.skipIf(process.platform !== 'linux')('standard input', () => {
  it.each(casesOf(FORMATS, [0]))('is read by all of its names, as a file and as a pipe: %s', (format) => {
    const stats = `"${process.execPath}" "${CLI}" stats --variable precipitation`;
    const commands = [
      `${stats} /dev/stdin < values.${format}`,
      `cat values.${format} | ${stats} /dev/stdin`,
      ...casesOf(
        [
          `cat values.${format} | ${stats} -`,
          `cat values.${format} | ${stats} /proc/self/fd/0`,
          `${stats} - < values.${format}`,
        ],
        [],
      ),
    ];
    for (const command of commands) {
      const out = execFileSync('sh', ['-c', command], {
        cwd: folder,
        encoding: 'utf8',
        stdio: ['pipe', 'pipe', 'ignore'],
      });
      expect(out, command).toBe(expected);
    }
  });

  if (isFullCheck) {
    it('is read by its name where it is a socket, and so is a named pipe', () => {
      const input = ['stats', '--variable', 'precipitation', '/dev/stdin'];
      const bytes = execFileSync('cat', [join(folder, 'values.nc')]);
      const out = execFileSync(process.execPath, [CLI, ...input], { input: bytes, stdio: ['pipe', 'pipe', 'ignore'] });
      expect(out.toString()).toBe(expected);
      const pipe = `mkfifo pipe && (cat values.nc > pipe & "${process.execPath}" "${CLI}" stats --variable precipitation pipe)`;
      const stdio: StdioOptions = ['pipe', 'pipe', 'ignore'];
      const printed = execFileSync('sh', ['-c', pipe], { cwd: folder, encoding: 'utf8', stdio });
      expect(printed).toBe(expected);
    });
  }
});
