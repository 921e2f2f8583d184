import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';

/** Where Debian keeps the programs of PostgreSQL: they are not in the path. */
const DEBIAN = '/usr/lib/postgresql';

/** PostgreSQL refuses to run as root. */
const NOBODY = 65534;
const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

function programs(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    process.env.PLUMECAST_POSTGRES,
    ...versions.map((version) => join(DEBIAN, version, 'bin')),
    ...(process.env.PATH ?? '').split(':'),
  ];
  return folders.find((folder) => folder !== undefined && existsSync(join(folder, 'initdb')));
}

const BIN = programs();

/** Whether the programs of PostgreSQL are there; prints a line where they are not. */
export const HAS_POSTGRES = BIN !== undefined;
if (!HAS_POSTGRES) {
  console.log(`skipped: tests with PostgreSQL (no initdb in ${DEBIAN}/*/bin, the path or PLUMECAST_POSTGRES)`);
}

/** A server of PostgreSQL of its own, in a temporary folder. */
export class PostgresServer {
  readonly #folder: string;
  readonly #port: number;
  #process: ChildProcess | undefined;
  #databases = 0;

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.#port = port;
  }

  static async start(): Promise<PostgresServer> {
    const folder = mkdtempSync(join(tmpdir(), 'plumecast-postgres-'));
    if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
    const options = ['--pgdata', join(folder, 'data'), '--username', 'weather', '--auth', 'trust', '--no-sync'];
    const made = spawnSync(join(BIN as string, 'initdb'), [...options, '--encoding', 'UTF8'], { ...user, cwd: folder });
    if (made.status !== 0) throw new Error(`initdb: ${made.stderr}`);
    const server = new PostgresServer(folder, await freePort());
    await server.begin();
    return server;
  }

  /** Starts it again after `end`. */
  async begin(): Promise<void> {
    const settings = [
      'fsync=off',
      'listen_addresses=127.0.0.1',
      `port=${this.#port}`,
      `unix_socket_directories=${this.#folder}`,
    ];
    const options = ['-D', join(this.#folder, 'data'), ...settings.flatMap((setting) => ['-c', setting])];
    this.#process = spawn(join(BIN as string, 'postgres'), options, { ...user, cwd: this.#folder, stdio: 'ignore' });
    for (let tries = 0; ; tries++) {
      try {
        return await this.query('SELECT 1').then(() => undefined);
      } catch (error) {
        if (tries > 200) throw error;
        await setTimeout(100);
      }
    }
  }

  /** Stops it, as a failing machine does: connections are cut. */
  async end(): Promise<void> {
    const ended = new Promise((done) => this.#process?.once('exit', done));
    this.#process?.kill('SIGQUIT');
    await ended;
  }

  /** Stops it for good. */
  async remove(): Promise<void> {
    if (this.#process?.exitCode === null) await this.end();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** The URL of a new, empty database. */
  async database(): Promise<string> {
    const name = `weather_${++this.#databases}`;
    await this.query(`CREATE DATABASE ${name}`);
    return this.url(name);
  }

  url(name = 'postgres', password = 'a-secret'): string {
    return `postgres://weather:${password}@127.0.0.1:${this.#port}/${name}`;
  }

  /** Asks something of a database, by default the first one. */
  async query(text: string, url = this.url()): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  }
}

function freePort(): Promise<number> {
  return new Promise((done, failed) => {
    const server = createServer();
    server.once('error', failed);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => done(port));
    });
  });
}
