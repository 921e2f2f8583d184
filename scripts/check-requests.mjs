/**
 * Sends a server of the demo store requests that its OpenAPI document allows and does not allow, with schemathesis from
 * PyPI: valid requests must get the documented responses, invalid ones must be rejected, and nothing may fail. Prints a
 * line and does nothing if schemathesis is not installed.
 *
 *   node scripts/check-requests.mjs [EXAMPLES]     requests for each operation (default: 6)
 */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { startDemoServer } from './demo-server.mjs';

const examples = process.argv[2] ?? '6';
const python = process.env.PLUMECAST_PYTHON ?? 'python3';
if (spawnSync(python, ['-c', 'import schemathesis.cli']).status !== 0) {
  console.log('skipped: requests made by schemathesis (it is not installed: pip install schemathesis)');
  process.exit(0);
}

const { folder, stop, url } = await startDemoServer();
try {
  const main = 'from schemathesis.cli import schemathesis; schemathesis()';
  const options = [
    ...['--header', 'X-Api-Key: demo', '--max-examples', examples, '--generation-database', 'none'],
    ...['--continue-on-failure', '--no-color', '--suppress-health-check', 'all'],
  ];
  const { status } = spawnSync(python, ['-c', main, 'run', `${url}/openapi.json`, ...options], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, SCHEMATHESIS_HOOKS: resolve('scripts/openapi_hooks.py') },
  });
  process.exitCode = status ?? 1;
} finally {
  stop();
}
