import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CLI } from './run-command.js';

const FORECAST = join(import.meta.dirname, '../fixtures/other-files/other.h5');

/** Statistics of a NetCDF4 file where the process may have so many kilobytes of virtual memory. */
function statistics(kilobytes: number, options: string) {
  const command = `ulimit -v ${kilobytes} && "${process.execPath}" "${CLI}" stats "${FORECAST}"`;
  return spawnSync('sh', ['-c', command], {
    encoding: 'utf8',
    timeout: 110_000,
    env: { ...process.env, NODE_OPTIONS: options },
  });
}

describe.skipIf(process.platform !== 'linux')('a limit of virtual memory, as batch systems set it', () => {
  it('says what WebAssembly needs, where Node does not find out by itself', () => {
    for (const kilobytes of [8_000_000, 13_000_000, 16_000_000]) {
      const { status, stdout, stderr } = statistics(kilobytes, '');
      if (status === 0) expect(stdout).toContain('31337');
      else {
        const message =
          'needs 10 GiB of virtual memory, more than is left; allowed: NODE_OPTIONS=--disable-wasm-trap-handler, or no `ulimit -v`';
        expect(stderr).toMatch(/^error: [^\n]+\n$/);
        expect(stderr).toContain(message);
      }
    }
  });

  it('leaves enough of 4 GB with that option of Node', () => {
    const { status, stdout } = statistics(4_000_000, '--disable-wasm-trap-handler');
    expect(status).toBe(0);
    expect(stdout).toContain('31337');
  });
});
