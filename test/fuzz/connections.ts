/**
 * Connections that no polite client makes, on `createListener` under a plain server, on the server of `plumecast serve`,
 * and on its workers: requests that are pipelined, abandoned, half-closed, slow, not read, split at any byte, or followed
 * by what is none. Each connection must end, each key must be answered after it, as many requests must be logged as came,
 * and nothing may be in flight when all is over.
 *
 *   node build/fuzz/connections.js [--cases 1000] [--seed 1] [--targets listener,server,workers] [--case 7]
 */
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { fuzzTargets, KEYS, TARGETS, type Target } from './connection-targets.js';
import { Dice } from './dice.js';

const { values: options } = parseArgs({
  options: {
    cases: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    targets: { type: 'string', default: TARGETS.join(',') },
    case: { type: 'string' },
  },
});
const seed = Number(options.seed);
/** Connections at once; their end is checked after each group. */
const GROUP = 50;
/** Everything ends, and everyone is answered, within so long, in milliseconds: the machine may be busy. */
const BOUND = 20_000;

const HEADS = [
  'GET /health HTTP/1.1',
  'GET /v2/forecast/statistics?lat=37.3&lon=-79.84 HTTP/1.1',
  'GET /v2/forecast?lat=37.3&lon=-79.84 HTTP/1.1',
  'GET /v2/history?lat=37.3&lon=-79.84 HTTP/1.1',
  `GET /v2/history?points=${Array(6).fill('37.3,-79.84').join(';')} HTTP/1.1`,
  'HEAD /v2/history?lat=37.3&lon=-79.84 HTTP/1.1',
  'GET /v2/nowhere HTTP/1.1',
  'POST /v2/forecast HTTP/1.1',
  'OPTIONS /v2/forecast HTTP/1.1',
] as const;
/** What a server waits for the rest of; and what is no request. */
const PARTS = ['GET /hea', 'GET / HTTP/1.1\r\nHost: a\r\nX:'];
const TAILS = ['no request\r\n\r\n', '\0\0\0\0', 'GET * HTTP/9.9\r\n\r\n'];
const ENDS = ['reads', 'reads', 'leaves', 'leaves', 'half-closes', 'resets', 'does not read'] as const;

interface Case {
  readonly pieces: readonly string[];
  readonly pause: number;
  readonly end: (typeof ENDS)[number];
  /** After so many milliseconds it leaves. */
  readonly patience: number;
}

function caseOf(index: number): Case {
  const dice = new Dice([seed, index]);
  const requests = Array.from({ length: dice.small(dice.chance(0.05) ? 400 : 12) }, () => requestOf(dice));
  const end = dice.pick(ENDS);
  if (end !== 'reads' && dice.chance(0.1)) requests.push(dice.pick(PARTS));
  // Few parts without the rest: the server waits for it for some seconds.
  else if (dice.chance(0.15)) requests.push(dice.pick(dice.chance(0.02) ? PARTS : TAILS));
  else if (end === 'reads' || dice.chance(0.3)) requests.push(requestOf(dice, 'Connection: close\r\n'));
  if (dice.chance(0.05)) requests.push(requestOf(dice));
  const text = requests.join('');
  const cuts = Array.from({ length: dice.small(8) }, () => dice.below(text.length + 1)).sort((a, b) => a - b);
  const pieces = [0, ...cuts].map((from, i) => text.slice(from, cuts[i] ?? text.length));
  return { pieces, pause: dice.below(4), end, patience: dice.small(200) };
}

function requestOf(dice: Dice, more = ''): string {
  const key = dice.chance(0.9) ? `X-Api-Key: ${dice.pick(KEYS)}\r\n` : '';
  const body = dice.chance(0.1) ? 'x'.repeat(dice.small(2000)) : '';
  const length = body === '' ? '' : `Content-Length: ${body.length}\r\n`;
  return `${dice.pick(HEADS)}\r\nHost: here\r\n${key}${length}${more}\r\n${body}`;
}

/** Runs a case; resolves when its connection has ended, to false where it has not within the bound. */
async function run({ pieces, pause, end, patience }: Case, port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  const ended = new Promise<true>((done) => socket.once('close', () => done(true)));
  if (end !== 'does not read') socket.resume();
  for (const piece of pieces) {
    if (socket.destroyed) break;
    socket.write(piece, 'latin1');
    if (pause > 0) await wait(pause);
  }
  if (end === 'half-closes') socket.end();
  const leaves = end === 'leaves' || end === 'resets' || end === 'does not read';
  if (leaves) {
    await Promise.race([ended, wait(patience)]);
    if (end === 'resets') socket.resetAndDestroy();
    else socket.destroy();
  }
  const isEnded = await Promise.race([ended, wait(BOUND, false as const, { ref: false })]);
  socket.destroy();
  return isEnded;
}

/** What is wrong with a server after a group of cases; undefined where nothing is. */
async function faultAfter(target: Target): Promise<string | undefined> {
  for (const key of KEYS) {
    for (const head of [HEADS[1], HEADS[3]]) {
      const status = await statusOf(
        target.port,
        `${head}\r\nHost: here\r\nX-Api-Key: ${key}\r\nConnection: close\r\n\r\n`,
      );
      if (status !== '200') return `key ${key} got ${status} for ${head}`;
    }
  }
  let state = '';
  for (const until = performance.now() + BOUND; performance.now() < until; await wait(20)) {
    const { arrived, logged, inFlight } = await target.state();
    if (inFlight === 0 && arrived === logged) return undefined;
    state = `${arrived} requests came, ${logged} were logged, ${inFlight} are in flight`;
  }
  return state;
}

function statusOf(port: number, text: string): Promise<string | undefined> {
  return new Promise((done) => {
    const socket: Socket = connect(port, '127.0.0.1', () => socket.write(text));
    const late = setTimeout(() => end('nothing'), BOUND);
    const end = (status: string | undefined) => {
      clearTimeout(late);
      socket.destroy();
      done(status);
    };
    socket.once('data', (chunk) => end(chunk.toString('latin1').split(' ')[1]));
    socket.once('error', (error) => end(error.message));
    socket.once('close', () => end('the end of the connection'));
  });
}

const [first, last] =
  options.case === undefined ? [0, Number(options.cases)] : [Number(options.case), Number(options.case) + 1];
const faults: string[] = [];
for await (const target of fuzzTargets(options.targets.split(','))) {
  const from = performance.now();
  for (let begin = first; begin < last; begin += GROUP) {
    const indices = Array.from({ length: Math.min(GROUP, last - begin) }, (_, i) => begin + i);
    await Promise.all(
      indices.map(async (index) => {
        if (!(await run(caseOf(index), target.port))) faults.push(`${target.name}, case ${index}: it has not ended`);
      }),
    );
    const fault = await faultAfter(target);
    if (fault !== undefined) faults.push(`${target.name}, after cases ${begin} to ${indices.at(-1)}: ${fault}`);
    if (faults.length > 10) break;
  }
  const { logged, gone } = await target.state();
  const seconds = ((performance.now() - from) / 1000).toFixed(1);
  console.log(`${target.name}: ${last - first} connections, ${logged} requests, ${gone} of them 499, ${seconds} s`);
}
for (const fault of faults) console.log(`failed: ${fault}`);
console.log(`seed ${seed}: ${faults.length} faults`);
process.exit(faults.length === 0 ? 0 : 1);
