import type { Client } from 'pg';
import { OptionError, type PlumecastError } from '../../errors.js';
import { type OnFault, report } from '../fault-report.js';
import { assertSchema, createClient, type DatabaseAddress, databaseFault } from './connect.node.js';
import { CHANNEL } from './schema.js';

/** How often the connection is tried, and after which times it is made again, in milliseconds. */
const BEAT = 1000;
const [FIRST_PAUSE, MAX_PAUSE] = [100, 2000];

/** A notification takes less than a millisecond; a pooler in between would keep it for ever. */
const HELLO_PATIENCE = 2000;

/**
 * Is told of changes in a database, by a connection of its own, which is made again where it is lost. What was read from the
 * database is up to date as long as the connection lasts and no change was announced.
 */
export class ChangeWatch {
  readonly #address: DatabaseAddress;
  readonly #onChange: (payload: string) => void;
  readonly #onFault: OnFault | undefined;
  #client: Client | undefined;
  #beat: NodeJS.Timeout | undefined;
  #isClosed = false;
  #pause = FIRST_PAUSE;
  /** When changes were last sure to be announced. */
  #seenAt = 0;
  /** Another number whenever changes may have been missed: what was read before has to be read again. */
  epoch = 0;
  isLive = false;

  private constructor(address: DatabaseAddress, onChange: (payload: string) => void, onFault: OnFault | undefined) {
    this.#address = address;
    this.#onChange = onChange;
    this.#onFault = onFault;
  }

  /** Rejects with FileError where the database cannot be reached, and with OptionError where it has another schema or announces nothing. */
  static async open(
    address: DatabaseAddress,
    { onChange, onFault }: { onChange: (payload: string) => void; onFault?: OnFault },
  ): Promise<ChangeWatch> {
    const watch = new ChangeWatch(address, onChange, onFault);
    await watch.#connect();
    return watch;
  }

  /** For how many seconds changes may have been missed; 0 while they are announced. */
  get ageSeconds(): number {
    return this.isLive ? 0 : (performance.now() - this.#seenAt) / 1000;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#beat);
    this.isLive = false;
    await this.#client?.end().catch(() => undefined);
  }

  async #connect(): Promise<void> {
    const client = await createClient(this.#address);
    const lose = (error: unknown) => this.#lose(client, error);
    client.on('error', lose);
    client.on('end', () => lose(new Error('the connection has ended')));
    this.#client = client;
    try {
      await client.connect();
      await client.query(`LISTEN ${CHANNEL}`);
      await this.#assertAnnounced(client);
      await assertSchema(client, this.#address);
    } catch (error) {
      this.#client = undefined;
      client.end().catch(() => undefined);
      throw databaseFault(this.#address, error);
    }
    client.on('notification', ({ payload = '' }) => {
      if (!payload.startsWith('hello ')) this.#onChange(payload);
    });
    this.epoch++;
    this.isLive = true;
    this.#seenAt = performance.now();
    this.#pause = FIRST_PAUSE;
    let isAsking = false;
    this.#beat = setInterval(() => {
      if (isAsking) return;
      isAsking = true;
      client.query('SELECT 1').then(() => {
        isAsking = false;
        this.#seenAt = performance.now();
      }, lose);
    }, BEAT);
    this.#beat.unref();
  }

  /** Announces something to itself: a pooler that shares connections would swallow it. */
  async #assertAnnounced(client: Client): Promise<void> {
    const hello = `hello ${crypto.randomUUID()}`;
    let timer: NodeJS.Timeout | undefined;
    const heard = new Promise<boolean>((done) => {
      client.on('notification', ({ payload }) => payload === hello && done(true));
      timer = setTimeout(() => done(false), HELLO_PATIENCE);
    });
    await client.query('SELECT pg_notify($1, $2)', [CHANNEL, hello]);
    const isHeard = await heard;
    clearTimeout(timer);
    if (isHeard) return;
    throw new OptionError({
      subject: this.#address.name,
      problem: 'does not deliver notifications (LISTEN), so that changes of keys would not be seen',
      allowed: 'PostgreSQL itself, or a pooler that keeps a connection for each session',
    });
  }

  #lose(client: Client, cause: unknown): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    if (!this.isLive) return;
    clearInterval(this.#beat);
    this.isLive = false;
    client.end().catch(() => undefined);
    if (this.#isClosed) return;
    report(this.#onFault, databaseFault(this.#address, cause) as PlumecastError);
    this.#connectLater();
  }

  #connectLater(): void {
    const timer = setTimeout(() => {
      if (this.#isClosed) return;
      this.#connect().catch(() => this.#connectLater());
    }, this.#pause);
    timer.unref();
    this.#pause = Math.min(2 * this.#pause, MAX_PAUSE);
  }
}
