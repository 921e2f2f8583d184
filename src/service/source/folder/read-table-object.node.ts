import { createHash } from 'node:crypto';
import type { Table } from 'apache-arrow';
import { FormatError } from '../../../errors.js';
import { readTable } from '../../../files/read-table.js';
import type { StoreAccess } from '../../store/store-access.js';
import type { ObjectEntry } from '../../store/write-blocks.node.js';
import { type Elevations, findCoordinates, readElevations } from './coordinate-table.js';

/** Reads a small object of a store into memory. Rejects with FileError, FormatError or DataError. */
export async function readTableObject(access: StoreAccess, { file, bytes: size, sha256 }: ObjectEntry): Promise<Table> {
  const path = access.describe(file);
  const bytes = new Uint8Array(size ?? (await access.list(file))[0]?.bytes ?? 1);
  await access.get(file, 0, bytes);
  access.giveUp?.(file);
  if (sha256 !== undefined && createHash('sha256').update(bytes).digest('hex') !== sha256) {
    access.doubt?.(file);
    const allowed = 'the file as it was written: plumecast store check finds all damage';
    throw new FormatError({ subject: path, problem: 'is damaged: its checksum differs', allowed });
  }
  return readTable(bytes, { source: path });
}

/** Reads places with their elevations. Rejects as `readTableObject`. */
export async function readElevationObject(access: StoreAccess, object: ObjectEntry): Promise<Elevations> {
  const table = await readTableObject(access, object);
  const path = access.describe(object.file);
  return { ...findCoordinates(table, path), metres: readElevations(table, path) };
}
