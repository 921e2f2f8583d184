// `npm start`: serves the demo store, and writes it first if it does not exist.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const STORE = 'plumecast-demo';
const cli = new URL('../dist/cli.js', import.meta.url);

if (!existsSync(`${STORE}/store.json`)) {
  const { status } = spawnSync(process.execPath, [fileURLToPath(cli), 'demo', STORE], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
// In this process, so that Ctrl-C and other signals reach the server.
process.argv[1] = fileURLToPath(cli);
process.argv.splice(2, 0, 'serve', '--store', STORE);
await import(cli.href);
