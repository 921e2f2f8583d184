import type { Data, RecordBatch, Table } from 'apache-arrow';
import { DataError, OptionError } from '../../errors.js';
import { columnWithShortBuffers } from './short-buffers.js';

/** Tables that are checked already: they do not change. */
const known = /* @__PURE__ */ new WeakSet<Table>();

/**
 * Throws OptionError unless `table` is an Arrow table, and DataError for one that contradicts itself, as tables made by
 * hand may: names and metadata that are not texts, columns with another length than the table, or with fewer values
 * than rows.
 */
export function assertTable(table: unknown, source?: string): asserts table is Table {
  if (!isTable(table)) {
    const subject = source === undefined ? 'table' : `${source}, table`;
    throw new OptionError({ subject, problem: 'cannot be used', received: table, allowed: 'an Arrow table' }, true);
  }
  if (known.has(table)) return;
  assertTexts(table, source);
  const names = table.schema.fields.map(({ name }) => name);
  for (const { data } of table.batches) {
    const columns = (data?.children ?? []) as readonly (Data | undefined)[];
    const place = names.findIndex((_, i) => columns[i]?.length !== data.length);
    if (place >= 0 || columns.length !== names.length) {
      throw inconsistent('columns of another length than the table', names[place], source);
    }
    const short = columnWithShortBuffers(columns as readonly Data[], names);
    if (short !== undefined) throw inconsistent('fewer values than rows', short, source);
  }
  known.add(table);
}

function isTable(table: unknown): table is Table {
  const { schema, batches, getChildAt } = (table ?? {}) as Partial<Table>;
  const hasForm = Array.isArray(schema?.fields) && typeof getChildAt === 'function' && Array.isArray(batches);
  return hasForm && (batches as readonly Partial<RecordBatch>[]).every((batch) => Array.isArray(batch?.data?.children));
}

function assertTexts({ schema: { fields, metadata } }: Table, source?: string): void {
  fields.forEach((field, i) => {
    if (typeof field?.name !== 'string') {
      throw new DataError({
        source,
        subject: `column ${i + 1}`,
        problem: 'has no name',
        received: field?.name,
        allowed: 'a text as the name of each column',
      });
    }
    if (!isTextMap(field.metadata)) throw wrongMetadata(field.name, source);
  });
  if (!isTextMap(metadata)) throw wrongMetadata(undefined, source);
}

function isTextMap(metadata: unknown): boolean {
  if (!(metadata instanceof Map)) return false;
  for (const [key, value] of metadata) if (typeof key !== 'string' || typeof value !== 'string') return false;
  return true;
}

function wrongMetadata(column: string | undefined, source?: string): DataError {
  return new DataError({ source, column, problem: 'metadata cannot be used', allowed: 'a Map of texts' });
}

function inconsistent(problem: string, column: string | undefined, source?: string): DataError {
  return new DataError({ source, column, problem, allowed: 'a value, or null, for each row in each column' });
}
