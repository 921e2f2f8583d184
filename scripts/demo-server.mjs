import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/**
 * Starts the built server on a free port, with the demo store in a new folder. Resolves to its address, the folder, and
 * `stop`, which ends the server and removes the folder; rejects where it ends before it serves.
 */
export async function startDemoServer() {
  const folder = mkdtempSync(join(tmpdir(), 'plumecast-demo-server-'));
  const store = join(folder, 'store');
  spawnSync(process.execPath, ['dist/cli.js', 'demo', store], { stdio: 'ignore' });
  const server = spawn(process.execPath, ['dist/cli.js', 'serve', '--store', store, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = () => {
    server.kill();
    rmSync(folder, { recursive: true });
  };
  const line = await new Promise((done, failed) => {
    createInterface({ input: server.stdout }).once('line', done);
    server.once('exit', (code) => failed(new Error(`the server ended with exit code ${code}`)));
  }).catch((error) => {
    stop();
    throw error;
  });
  return { folder, stop, url: /http:[^\s']+/.exec(line)[0] };
}
