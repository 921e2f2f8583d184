import type { Table } from 'apache-arrow';

/** The first table, if there is one, and the rest, which is closed if the caller stops early. */
export async function* followedBy(first: Table | undefined, rest: AsyncIterator<Table>): AsyncGenerator<Table> {
  try {
    if (first === undefined) return;
    yield first;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
