import type { EnsembleField } from '../core/field.js';
import type { Core } from '../core/load.js';
import { MemberColumn } from '../core/member-column.js';
import { floatArray, valueBytes } from '../core/number-arrays.js';
import type { EnsemblePart } from '../ensemble/ensemble.js';

/** About how many bytes of values are turned at a time. */
const BYTES_AT_ONCE = 4_194_304;

/** Some cells of a part, counted from its first. */
interface PartOfCells {
  readonly from: number;
  readonly part: EnsemblePart;
}

/**
 * A part some cells at a time, each of whose days are adjacent, in the core's memory until the next: windows that roll are
 * computed along days. One whose day is fastest is as it is.
 */
export function* seriesOfPart(core: Core, part: EnsemblePart): Generator<PartOfCells> {
  const { field, latitude, longitude } = part;
  const { order, days, cells, members, type } = field;
  if (order === 'day-fastest') return yield { from: 0, part };
  const step = Math.max(1, Math.floor(BYTES_AT_ONCE / (members.length * days * valueBytes(type))));
  for (let from = 0; from < cells; from += step) {
    const count = Math.min(step, cells - from);
    const mark = core.memory.mark();
    try {
      yield {
        from,
        part: {
          field: seriesOfCells(core, field, from, count),
          latitude: latitude.subarray(from, from + count),
          longitude: longitude.subarray(from, from + count),
        },
      };
    } finally {
      core.memory.release(mark);
    }
  }
}

/** The values of `count` cells from `from` on, by cell and then day. */
function seriesOfCells({ memory }: Core, field: EnsembleField, from: number, count: number): EnsembleField {
  const { type, days, cells: width, members, place } = field;
  const length = days * count;
  const addresses = members.map(() => memory.scratch(length * valueBytes(type)));
  const row = floatArray(type, count);
  const turned = members.map((member, m) => {
    // Views are made when all memory is taken.
    const values = memory[type](addresses[m], length);
    for (let day = 0; day < days; day++) {
      member.copyTo(row, 0, day * width + from, day * width + from + count);
      for (let cell = 0, at = day; cell < count; cell++, at += days) values[at] = row[cell];
    }
    return new MemberColumn(member.name, [{ values }]);
  });
  return {
    ...field,
    order: 'day-fastest',
    cells: count,
    members: turned,
    place: place && ((member, at) => place(member, (at % days) * width + from + Math.floor(at / days))),
  };
}
