import { OptionError } from '../../errors.js';
import { checkLocations, type LocationRegister, type StoredLocation, sameLocation } from '../access/locations.js';
import { assertSchema, databaseAddress, inTransaction, type Queries } from './connect.node.js';

interface LocationRow {
  readonly id: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly owner: string | null;
}

function fromRow({ id, latitude, longitude, owner }: LocationRow): StoredLocation {
  return { id, latitude, longitude, ...(owner !== null && { owner }) };
}

/** The location with an id; undefined where there is none. */
export async function readLocation(queries: Queries, id: string): Promise<StoredLocation | undefined> {
  const text = 'SELECT id, latitude, longitude, owner FROM plumecast.locations WHERE id = $1';
  const { rows } = await queries.query({ name: 'plumecast-location', text, values: [id] });
  return rows.length === 0 ? undefined : fromRow(rows[0]);
}

/** The locations in a database. Calls reject with FileError where it cannot be reached, and with OptionError where it has another schema. */
export function databaseLocations(url: string): LocationRegister {
  const address = databaseAddress(url);
  const change = <T>(work: (queries: Queries) => Promise<T>) =>
    inTransaction(address, async (queries) => {
      await assertSchema(queries, address);
      return work(queries);
    });
  return {
    async add(location) {
      const { id, latitude, longitude, owner } = location;
      const added = { id, latitude, longitude, owner };
      checkLocations([added]);
      await change(async (queries) => {
        const text =
          'INSERT INTO plumecast.locations (id, latitude, longitude, owner) VALUES ($1, $2, $3, $4) ON CONFLICT (id) DO NOTHING';
        const { rowCount } = await queries.query(text, [id, latitude, longitude, owner ?? null]);
        const existing = rowCount === 0 ? await readLocation(queries, id) : undefined;
        if (existing === undefined || sameLocation(existing, added)) return;
        const problem = 'there is another location with this id';
        throw new OptionError({
          subject: `location ${id}`,
          problem,
          allowed: 'another id, or to remove that one first',
        });
      });
    },

    async remove(id) {
      await change(async (queries) => {
        const { rowCount } = await queries.query('DELETE FROM plumecast.locations WHERE id = $1', [id]);
        if (rowCount !== 0) return;
        const allowed = 'the id of a stored location';
        throw new OptionError({ subject: 'location', problem: 'unknown', received: id, allowed });
      });
    },

    list() {
      return change(async (queries) => {
        const text = 'SELECT id, latitude, longitude, owner FROM plumecast.locations ORDER BY number';
        return (await queries.query(text)).rows.map(fromRow);
      });
    },
  };
}
