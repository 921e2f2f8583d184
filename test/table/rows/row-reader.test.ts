import { DateDay, Float64, Int32, Table, Utf8, vectorFromArray } from 'apache-arrow';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ReadOptions } from '../../../src/table/columns/read-options.js';
import { RowOrderError } from '../../../src/table/rows/row-index.js';
import { RowReader, readHead } from '../../../src/table/rows/row-reader.js';
import { findVariable } from '../../../src/variable/find-variable.js';

interface Stated {
  readonly variable: string | null;
  readonly units: string | null;
}

function tableOf(rows: readonly Stated[], { variable, units }: { variable: boolean; units: boolean }): Table {
  const texts = (values: readonly (string | null)[]) => vectorFromArray(values, new Utf8());
  return new Table({
    date: vectorFromArray(
      rows.map(() => 86_400_000),
      new DateDay(),
    ),
    member: vectorFromArray(
      rows.map((_, i) => i),
      new Int32(),
    ),
    ...(variable && { variable: texts(rows.map((row) => row.variable)) }),
    ...(units && { units: texts(rows.map((row) => row.units)) }),
    value: vectorFromArray(
      rows.map((_, i) => i / 2),
      new Float64(),
    ),
  });
}

const stated = fc.record<Stated>({
  variable: fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom('precipitation', 'temp_mean') },
    { weight: 1, arbitrary: fc.constantFrom('tp', 'foo', null) },
  ),
  units: fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom('mm', 'mm', null) },
    { weight: 1, arbitrary: fc.constantFrom('kg m-2', 'foo', 'K') },
  ),
});

describe('RowReader of tables that may lack rows', () => {
  it('reads what all tables together state, or says that it cannot', () => {
    let read = 0;
    const columns = fc.record({ variable: fc.boolean(), units: fc.boolean() });
    const options = fc.constantFrom<ReadOptions>({}, { variable: findVariable('precipitation') });
    const tables = fc.array(fc.array(stated, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(tables, columns, options, (parts, which, given) => {
        const reader = new RowReader(given, { mayLackRows: true });
        const found = [];
        try {
          for (const part of parts) found.push({ ...reader.read(tableOf(part, which)).head, rows: part.length });
        } catch (error) {
          expect(error).toBeInstanceOf(RowOrderError);
          return;
        }
        const expected = readHead(tableOf(parts.flat(), which), given);
        expect(found.map(({ variable, units }) => [variable?.slug, units])).toEqual(
          found.map(() => [expected.variable?.slug, expected.units]),
        );
        const used = found.flatMap(({ use, rows }) => Array.from({ length: rows }, (_, row) => use?.(row) ?? true));
        expect(used).toEqual(parts.flat().map((_, row) => expected.use?.(row) ?? true));
        read++;
      }),
      { numRuns: 250, seed: 20_261_123 },
    );
    expect(read).toBeGreaterThan(83);
  });
});
