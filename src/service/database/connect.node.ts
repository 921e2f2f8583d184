import type { Client, ClientConfig, Pool } from 'pg';
import { assertKind } from '../../check/option-checks.js';
import { FileError, isPlumecastError, OptionError } from '../../errors.js';
import { loadPackage } from '../../files/load-package.js';
import { MIGRATIONS } from './schema.js';

/** The address of a database, and how messages name it. */
export interface DatabaseAddress {
  /** With the password: in no message. */
  readonly url: string;
  /** `PostgreSQL at db.example:5432/weather` */
  readonly name: string;
}

/**
 * Reads the address of a database. Throws OptionError for what is no `postgres://` URL; the error does not contain it, as it
 * may hold a password.
 */
export function databaseAddress(url: string): DatabaseAddress {
  const allowed = 'postgres://USER:PASSWORD@HOST:PORT/DATABASE';
  if (typeof url !== 'string' || !/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url)) {
    throw new OptionError({ subject: 'database', problem: 'is no address of PostgreSQL', allowed });
  }
  const { hostname, port, pathname, searchParams } = new URL(url);
  const host = searchParams.get('host') ?? (hostname || 'localhost');
  return { url, name: `PostgreSQL at ${host}:${searchParams.get('port') ?? (port || '5432')}${pathname}` };
}

/** How long a connection may take to be made, in milliseconds, and a query. */
const CONNECTING = 3000;
const ANSWERING = 5000;

/** So many connections are used at once by a process, besides the one that is told of changes. */
const MAX_CONNECTIONS = 4;

function configOf({ url }: DatabaseAddress): ClientConfig {
  return {
    connectionString: url,
    application_name: 'plumecast',
    connectionTimeoutMillis: CONNECTING,
    query_timeout: ANSWERING,
    statement_timeout: ANSWERING,
    keepAlive: true,
  };
}

async function loadPg() {
  const { default: pg } = await loadPackage('pg', 'postgres://', () => import('pg'));
  return pg;
}

/** Connections that are made when they are needed. Rejects with PackageError where pg is not installed. */
export async function createPool(address: DatabaseAddress): Promise<Pool> {
  const { Pool } = await loadPg();
  const pool = new Pool({ ...configOf(address), max: MAX_CONNECTIONS });
  // Of connections that nobody uses: the next query says it.
  pool.on('error', () => {});
  return pool;
}

/** A connection that is not made yet; `limits` are what commands need, which may take long. */
export async function createClient(address: DatabaseAddress, limits: 'short' | 'none' = 'short'): Promise<Client> {
  const { Client } = await loadPg();
  const config = configOf(address);
  return new Client(limits === 'short' ? config : { ...config, query_timeout: 0, statement_timeout: 0 });
}

const CONNECTION_PROBLEMS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'cannot be reached: nothing listens there',
  ENOTFOUND: 'cannot be reached: its host is not known',
  EAI_AGAIN: 'cannot be reached: its host is not known',
  ENOENT: 'cannot be reached: there is no such socket',
  ETIMEDOUT: 'cannot be reached: it does not answer',
  ECONNRESET: 'has ended the connection',
  '28P01': 'does not accept the user or the password',
  '28000': 'does not accept the user',
  '3D000': 'has no such database',
  '42501': 'does not allow it to this user',
  '53300': 'has no free connections',
  '57P01': 'is stopping',
  '57P03': 'is starting, or stopping',
};

/** The FileError for an error of a database; plumecast's own are returned as they are. Messages of pg hold no password. */
export function databaseFault({ name }: DatabaseAddress, cause: unknown): Error {
  if (isPlumecastError(cause)) return cause;
  // Where a host has several addresses, the errors of all of them are one.
  const [error = cause] = (cause as AggregateError).errors ?? [];
  const { code, message } = error as Error & { code?: string };
  const problem = (code !== undefined && CONNECTION_PROBLEMS[code]) || `has failed: ${message}`;
  const allowed = 'a database that runs and can be reached';
  return new FileError({ subject: name, problem, allowed, cause });
}

/** What can be asked: a connection, or a pool of them. */
export type Queries = Pick<Client, 'query'>;

/** The version of the schema in a database; 0 where there is none. */
async function schemaVersion(queries: Queries): Promise<number> {
  const { rows } = await queries.query(`SELECT to_regclass('plumecast.schema_version') IS NOT NULL AS there`);
  if (!rows[0].there) return 0;
  const found = await queries.query('SELECT version FROM plumecast.schema_version');
  return found.rows[0]?.version ?? 0;
}

/** Rejects with OptionError unless the schema in a database is the one of this version of plumecast. */
export async function assertSchema(queries: Queries, { name }: DatabaseAddress): Promise<void> {
  const received = await schemaVersion(queries);
  const wanted = MIGRATIONS.length;
  if (received === wanted) return;
  const problem =
    received > wanted
      ? 'was migrated by a later version of plumecast: its schema has another version'
      : received === 0
        ? 'has no tables of plumecast yet: its schema has no version'
        : 'was made by an earlier version of plumecast: its schema has another version';
  const allowed = `${wanted}${received > wanted ? '' : ', which plumecast database migrate makes'}`;
  throw new OptionError({ subject: name, problem, received, allowed });
}

/** Two numbers that no other program is likely to lock. */
const MIGRATION_LOCK = 7_583_025_901;

/** What `migrateDatabase` does. */
export async function migrateSchema(url: string): Promise<{ readonly from: number; readonly to: number }> {
  assertKind('url', url, 'text');
  const address = databaseAddress(url);
  return inTransaction(address, async (client) => {
    await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    const from = await schemaVersion(client);
    if (from > MIGRATIONS.length) await assertSchema(client, address);
    if (from === 0) {
      await client.query('CREATE SCHEMA IF NOT EXISTS plumecast');
      await client.query('CREATE TABLE IF NOT EXISTS plumecast.schema_version (version integer NOT NULL)');
      await client.query('INSERT INTO plumecast.schema_version VALUES (0)');
    }
    for (const migration of MIGRATIONS.slice(from)) await client.query(migration);
    await client.query('UPDATE plumecast.schema_version SET version = $1', [MIGRATIONS.length]);
    return { from, to: MIGRATIONS.length };
  });
}

/** Does work on a connection of its own, all of it or nothing. Rejects with FileError for errors of the database. */
export async function inTransaction<T>(address: DatabaseAddress, work: (client: Queries) => Promise<T>): Promise<T> {
  const client = await createClient(address, 'none');
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    throw databaseFault(address, error);
  } finally {
    await client.end().catch(() => undefined);
  }
}
