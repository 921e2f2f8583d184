import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { CELLS, KEY } from './serve-store.js';

const hasWrk = spawnSync('wrk', ['--version']).error === undefined;

/** What a load generator got. */
export interface Load {
  readonly requests: number;
  readonly seconds: number;
}

/** Requests statistics of the first `points` cells, at random, from a server, as fast as it answers. */
export async function load(port: number, points: number, seconds: number, connections = 32): Promise<Load> {
  if (hasWrk) return loadByWrk(port, points, seconds, connections);
  const script = fileURLToPath(new URL('../../bench/serve-load.mjs', import.meta.url));
  const args = [script, port, points, CELLS, seconds, connections, KEY].map(String);
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  for await (const chunk of child.stdout) text += chunk;
  return JSON.parse(text);
}

async function loadByWrk(port: number, points: number, seconds: number, connections: number): Promise<Load> {
  const script = fileURLToPath(new URL('../../bench/serve-load.lua', import.meta.url));
  const args = ['-t1', `-c${connections}`, `-d${seconds}`, '-s', script, `http://127.0.0.1:${port}`];
  const env = { ...process.env, POINTS: `${points}`, CELLS: `${CELLS}`, KEY };
  const child = spawn('wrk', args, { stdio: ['ignore', 'pipe', 'inherit'], env });
  let text = '';
  for await (const chunk of child.stdout) text += chunk;
  if (/Non-2xx|Socket errors/.test(text)) throw new Error(text);
  const [, requests, rate] = /(\d+) requests in [\s\S]*Requests\/sec:\s+([\d.]+)/.exec(text) ?? [];
  return { requests: Number(requests), seconds: Number(requests) / Number(rate) };
}
