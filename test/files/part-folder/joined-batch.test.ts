import {
  type DataType,
  Dictionary,
  Float32,
  Float64,
  Int32,
  Table,
  TimestampMillisecond,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JoinedBatch } from '../../../src/files/part-folder/joined-batch.js';

const TYPES: readonly DataType[] = [new Float32(), new Float64(), new Int32(), new TimestampMillisecond()];
const rows = fc.array(fc.array(fc.option(fc.integer({ min: -1000, max: 1000 })), { minLength: 4, maxLength: 4 }), {
  minLength: 1,
  maxLength: 40,
});

/** A table of these rows as a batch, of which the first rows are cut off. */
function batchOf(values: readonly (readonly (number | null)[])[], cut: number) {
  const columns = TYPES.map((type, c) =>
    vectorFromArray([...Array(cut).fill(7), ...values.map((row) => row[c])], type),
  );
  return new Table(Object.fromEntries(columns.map((column, c) => [`c${c}`, column])) as never).slice(cut).batches[0];
}

describe('batches that become one', () => {
  it('keep their rows, with what is missing, also of slices', () => {
    fc.assert(
      fc.property(fc.array(rows, { minLength: 1, maxLength: 6 }), fc.integer({ min: 0, max: 9 }), (parts, cut) => {
        const batches = parts.map((part) => batchOf(part, cut));
        const joining = new JoinedBatch(batches[0].schema, 20);
        for (const batch of batches) expect(joining.add(batch)).toBe(true);
        const joined = joining.finish();
        expect(joining.finish()).toBeUndefined();
        const found = Array.from(joined as never, (row: object) => Object.values(row));
        expect(joined?.numRows).toBe(parts.flat().length);
        expect(found.map((row) => row.map((value) => (value === null ? null : Number(value))))).toEqual(parts.flat());
      }),
    );
  });

  it('share a dictionary, and stay apart where each has its own', () => {
    const coded = (values: readonly string[]) => vectorFromArray(values, new Dictionary(new Utf8(), new Int32()));
    const all = new Table({ key: coded(['a', 'b', 'a']) });
    const [one, other] = [all.slice(0, 1).batches[0], all.slice(1).batches[0]];
    const joining = new JoinedBatch(all.schema, 1);
    expect([one, other].map((batch) => joining.add(batch))).toEqual([true, true]);
    expect(joining.add(new Table({ key: coded(['c']) }).batches[0])).toBe(false);
    const joined = joining.finish();
    expect(Array.from(new Table(all.schema, [joined as never]).getChild('key') ?? [])).toEqual(['a', 'b', 'a']);
  });
});
