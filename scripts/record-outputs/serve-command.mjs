/** The command `serve`: begins, answers and ends. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { sha256 } from './digest.mjs';

const PATHS = [
  '/health',
  '/ready',
  '/nothing',
  '/v2/forecast',
  '/v2/forecast/statistics?lat=37.3&lon=-79.84&granularity=weekly&var=temp_mean',
  '/v1/forecast/seasonal?lat=37.3&lon=-79.84&granularity=monthly',
];

/** Serves the store of the demo at a free port, asks for some paths over HTTP, and ends it as Ctrl-C does. */
export async function serveFacts(cli, { inputs }) {
  const args = [cli, 'serve', '--store', 'demo', '--port', '0', '--response-cache', '1'];
  const server = spawn(process.execPath, args, { cwd: inputs, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise((resolve) => server.once('close', (code, signal) => resolve(code ?? signal)));
  server.stderr.resume();
  const facts = {};
  try {
    const address = await firstAddress(server.stdout);
    for (const path of PATHS) {
      const response = await fetch(`${address}${path}`, { headers: { 'X-Api-Key': 'demo' } });
      // The age of a run depends on the clock.
      const body = (await response.text()).replaceAll(/"age_seconds":\d+/g, '"age_seconds":0');
      facts[`GET ${path}`] = `${response.status}${response.ok ? `, ${sha256(body)}` : ''}`;
    }
  } finally {
    server.kill('SIGINT');
    facts['exit code'] = await ended;
  }
  return facts;
}

async function firstAddress(stdout) {
  for await (const line of createInterface({ input: stdout })) {
    const found = /http:\/\/[^\s/]+/.exec(line);
    if (found !== null) return found[0];
  }
  throw new Error('the server does not begin');
}
