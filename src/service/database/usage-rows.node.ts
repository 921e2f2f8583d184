import type { KeyUsage, UsageRow, UsageStore } from '../access/usage.js';
import { assertSchema, databaseAddress, databaseFault, inTransaction, type Queries } from './connect.node.js';

const ADD = `
INSERT INTO plumecast.usage AS usage (day, key_id, requests, cost, bytes, last_used)
SELECT $1::date, * FROM unnest($2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::timestamptz[])
ON CONFLICT (day, key_id) DO UPDATE SET
  requests = usage.requests + excluded.requests, cost = usage.cost + excluded.cost, bytes = usage.bytes + excluded.bytes,
  last_used = greatest(usage.last_used, excluded.last_used)
RETURNING key_id, cost`;

const READ = `
SELECT to_char(day, 'YYYY-MM-DD') AS day, key_id, requests, cost, bytes, last_used FROM plumecast.usage
WHERE day BETWEEN $1::date AND $2::date ORDER BY day, key_id COLLATE "C"`;

/** The usage of keys in a database. `queries` are for servers; without them each call makes a connection. Calls reject with FileError. */
export function databaseUsage(url: string, queries?: Queries): UsageStore {
  const address = databaseAddress(url);
  const ask = async (text: string, values: unknown[]) => {
    try {
      if (queries !== undefined) return (await queries.query(text, values)).rows;
      return await inTransaction(address, async (client) => {
        await assertSchema(client, address);
        return (await client.query(text, values)).rows;
      });
    } catch (error) {
      throw databaseFault(address, error);
    }
  };
  return {
    async add(day, used) {
      // In one order everywhere: rows that two servers lock in other orders would be a deadlock.
      const rows = [...used].sort(([a], [b]) => (a < b ? -1 : 1));
      const column = (read: (usage: KeyUsage) => unknown) => rows.map(([, usage]) => read(usage));
      const values = [
        ...[day, rows.map(([keyId]) => keyId), column(({ requests }) => requests), column(({ cost }) => cost)],
        ...[column(({ bytes }) => bytes), column(({ lastUsed }) => lastUsed)],
      ];
      return new Map((await ask(ADD, values)).map((row) => [row.key_id, Number(row.cost)]));
    },
    async costOf(day, keyId) {
      const rows = await ask('SELECT cost FROM plumecast.usage WHERE day = $1::date AND key_id = $2', [day, keyId]);
      return Number(rows[0]?.cost ?? 0);
    },
    async read(firstDay, lastDay) {
      return (await ask(READ, [firstDay, lastDay])).map(
        (row): UsageRow => ({
          ...{ day: row.day, keyId: row.key_id, lastUsed: row.last_used },
          ...{ requests: Number(row.requests), cost: Number(row.cost), bytes: Number(row.bytes) },
        }),
      );
    },
  };
}
