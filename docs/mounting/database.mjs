// The service with keys, locations and rate limits in tables of your own, in PostgreSQL, at /weather:
//
//   npx plumecast demo plumecast-demo
//   psql "$DATABASE_URL" -f database.sql
//   DATABASE_URL=postgres://... node database.mjs plumecast-demo
//
// Tables of plumecast itself, which its commands manage, need less: openDatabase of plumecast/service/node.
import { createServer } from 'node:http';
import pg from 'pg';
import { createHandler, createRateLimit, hashKey } from 'plumecast/service';
import { createListener, openStore } from 'plumecast/service/node';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });
pool.on('error', (error) => console.error(error.message));

/** Each key is looked up every second at most, so that changes take effect within one. */
const SECOND = 1000;
const known = new Map();

/** @type {import('plumecast/service').KeyStore} */
const keys = {
  async find(key) {
    const hash = hashKey(key);
    const entry = known.get(hash);
    if (entry !== undefined && Date.now() - entry.at < SECOND) return entry.record;
    const text = 'SELECT id, owner, fine, expires, per_minute FROM api_keys WHERE hash = $1';
    const [row] = (await pool.query(text, [hash])).rows;
    const record = row && {
      id: row.id,
      owner: row.owner,
      downscaling: row.fine,
      expires: row.expires ?? undefined,
      rate: row.per_minute === null ? undefined : { requests: row.per_minute, windowSeconds: 60 },
    };
    // Unknown keys are without end.
    if (known.size >= 10_000) known.clear();
    known.set(hash, { record, at: Date.now() });
    return record;
  },
};

/** @type {import('plumecast/service').LocationStore} */
const locations = {
  async find(id, owner) {
    const text = 'SELECT latitude, longitude, owner FROM fields WHERE id = $1 AND (owner IS NULL OR owner = $2)';
    const [row] = (await pool.query(text, [id, owner])).rows;
    return row && { id, latitude: row.latitude, longitude: row.longitude, owner: row.owner ?? undefined };
  },
};

/**
 * Token buckets that all machines share: a bucket fills evenly, and a request takes one token, by one statement.
 *
 * @type {import('plumecast/service').RateStore}
 */
const rates = {
  async take(keyId, { requests, windowSeconds }) {
    const { rows } = await pool.query({
      name: 'take',
      text: 'SELECT * FROM take_token($1, $2, $3)',
      values: [keyId, requests, windowSeconds],
    });
    return { left: rows[0].tokens_left, waitSeconds: rows[0].wait_seconds };
  },
};

const source = await openStore(process.argv[2] ?? 'plumecast-demo');
const rateLimit = createRateLimit({ requests: 600, windowSeconds: 60 }, rates);
const handler = createHandler({ source, keys, locations, rateLimit, basePath: '/weather', onError: console.error });
const weather = createListener(handler);

const server = createServer((request, response) => {
  if (request.url.startsWith('/weather/')) weather(request, response);
  else if (request.url === '/') response.end('The app\n');
  else response.writeHead(404).end('Not here\n');
});

server.listen(Number(process.env.PORT ?? 8080), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}`);
});

// Requests in flight finish before the store and the pool are closed.
const stop = () => server.close(() => Promise.all([source.close(), pool.end()]));
process.once('SIGINT', stop).once('SIGTERM', stop);
