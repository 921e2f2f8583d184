/**
 * Sends a server of the demo store requests that its OpenAPI document allows and does not allow, with schemathesis from
 * PyPI: valid requests must get the documented responses, invalid ones must be rejected, and nothing may fail. Prints a
 * line and does nothing if schemathesis is not installed.
 *
 *   node scripts/check-requests.mjs [EXAMPLES]     requests for each operation (default: 10)
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const examples = process.argv[2] ?? '10';
const python = process.env.PLUMECAST_PYTHON ?? 'python3';
if (spawnSync(python, ['-c', 'import schemathesis.cli']).status !== 0) {
  console.log('skipped: requests made by schemathesis (it is not installed: pip install schemathesis)');
  process.exit(0);
}

const folder = mkdtempSync(join(tmpdir(), 'plumecast-requests-'));
const store = join(folder, 'store');
spawnSync(process.execPath, ['dist/cli.js', 'demo', store], { stdio: 'ignore' });
const server = spawn(process.execPath, ['dist/cli.js', 'serve', '--store', store, '--port', '0'], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  const [line] = await new Promise((done) =>
    createInterface({ input: server.stdout }).once('line', (...all) => done(all)),
  );
  const document = `${/http:\S+/.exec(line)[0]}/openapi.json`;
  const main = 'from schemathesis.cli import schemathesis; schemathesis()';
  const options = ['--header', 'X-Api-Key: demo', '--max-examples', examples, '--generation-database', 'none'];
  const { status } = spawnSync(
    python,
    ['-c', main, 'run', document, ...options, '--continue-on-failure', '--no-color', '--suppress-health-check', 'all'],
    {
      cwd: folder,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, SCHEMATHESIS_HOOKS: resolve('scripts/openapi_hooks.py') },
    },
  );
  process.exitCode = status ?? 1;
} finally {
  server.kill();
  rmSync(folder, { recursive: true });
}
