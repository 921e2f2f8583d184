import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ACCOUNT } from '../../files/remote/s3-server.js';
import { hasPython, PYTHON } from '../../reference/foreign-programs.js';

/** A server of S3 by other people, with a bucket called `bucket`. */
export interface RealS3 {
  readonly name: string;
  readonly url: string;
  end(): Promise<void>;
}

const MOTO = `
import logging, sys, threading
from moto.server import ThreadedMotoServer
logging.getLogger('werkzeug').setLevel(logging.ERROR)
ThreadedMotoServer(ip_address='127.0.0.1', port=int(sys.argv[1]), verbose=False).start()
threading.Event().wait()
`;

/** Starts the servers that are installed: moto, a package of Python, and versitygw, which PLUMECAST_VERSITYGW names. */
export async function startRealServers(): Promise<RealS3[]> {
  const servers: Promise<RealS3>[] = [];
  if (hasPython('moto', 'flask')) {
    servers.push(
      start(
        'moto',
        (port) => spawn(PYTHON, ['-c', MOTO, `${port}`], { stdio: 'ignore' }),
        async (url) => {
          await fetch(`${url}/bucket`, { method: 'PUT' });
        },
      ),
    );
  }
  const versitygw = process.env.PLUMECAST_VERSITYGW;
  if (versitygw !== undefined) {
    const folder = mkdtempSync(join(tmpdir(), 'plumecast-versitygw-'));
    mkdirSync(join(folder, 'bucket'));
    const keys = ['--access', ACCOUNT.AWS_ACCESS_KEY_ID, '--secret', ACCOUNT.AWS_SECRET_ACCESS_KEY];
    const run = (port: number) =>
      spawn(versitygw, ['--port', `127.0.0.1:${port}`, ...keys, 'posix', folder], { stdio: 'ignore' });
    const server = await start('versitygw', run);
    const end = () => server.end().finally(() => rmSync(folder, { recursive: true, force: true }));
    servers.push(Promise.resolve({ ...server, end }));
  } else console.log('skipped: stores in buckets of versitygw (PLUMECAST_VERSITYGW names no program)');
  return Promise.all(servers);
}

async function start(
  name: string,
  run: (port: number) => ChildProcess,
  ready: (url: string) => Promise<void> = async () => {},
): Promise<RealS3> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = run(port);
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  for (let tries = 1; ; tries++) {
    const answers = await fetch(url).then(
      () => true,
      () => false,
    );
    if (answers) break;
    if (tries === 300) throw new Error(`${name} does not answer`);
    await wait(100);
  }
  await ready(url);
  return {
    ...{ name, url },
    end() {
      child.kill('SIGKILL');
      return ended;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
