import type { EnsembleField, RowOrder } from '../src/core/field.js';
import type { Core } from '../src/core/load.js';
import { MemberColumn } from '../src/core/member-column.js';
import { createRandomStream, type RandomStream } from '../src/demo/random.js';
import { computeStatistics } from '../src/statistics/compute.js';
import { fillMembers, type Members } from './data.js';
import { DAYS, FIRST_DAY, PROBABILITIES, type Workload } from './workloads.js';

/** An ensemble in the memory of the core. */
export interface Placing {
  readonly members: number;
  readonly cells: number;
  readonly data: Workload['data'];
  readonly order?: RowOrder;
  /** The share of days that are missing, each by itself. */
  readonly missing?: number;
}

/** Cells that are drawn; the others repeat them. */
const DRAWN_CELLS = 100;
const SEED = 20_260_204;

/** Takes memory of the core, which the caller gives back. */
export function placeField(core: Core, placing: Placing): EnsembleField {
  const { members, cells, data, order = 'day-fastest', missing = 0 } = placing;
  const random = createRandomStream([SEED]);
  const addresses = Array.from({ length: members }, () => core.memory.allocate(cells * DAYS * 4));
  // Views come last: taking memory detaches earlier ones.
  const values = addresses.map((address) => core.memory.float32(address, cells * DAYS));
  const drawn = Math.min(cells, DRAWN_CELLS) * DAYS;
  fillMembers(
    values.map((each) => each.subarray(0, drawn)),
    data,
  );
  for (const each of values) for (let to = drawn; to < each.length; to += drawn) each.copyWithin(to, 0, drawn);
  if (missing > 0) for (const each of values) loseDays(each, missing, random);
  const columns = values.map((each, m) => new MemberColumn(`member ${m}`, [{ values: each }]));
  return { type: 'float32', order, firstDay: FIRST_DAY, days: DAYS, cells, members: columns };
}

function loseDays(values: Float32Array, share: number, random: RandomStream): void {
  for (let i = 0; i < values.length; i++) if (random.nextUniform() < share) values[i] = Number.NaN;
}

/** A run of `computeStatistics` over a whole field. */
export function statisticsRun(
  core: Core,
  field: EnsembleField,
  { windows, rule }: Workload,
  minMemberShare = 0.8,
): () => void {
  return () => {
    computeStatistics(core, field, windows, {
      window: rule,
      quantiles: PROBABILITIES,
      quantileType: 7,
      thresholds: [],
      spread: false,
      minMemberShare,
    });
  };
}

/** A field by location in the memory of the core, copied from `part`. */
export function fieldIn({ memory }: Core, cells: number, part: Members): EnsembleField {
  const addresses = part.map(({ byteLength }) => memory.allocate(byteLength));
  const copies = part.map((values, m) => {
    const copy = memory.float32(addresses[m], values.length);
    copy.set(values);
    return copy;
  });
  return fieldOf(cells, copies);
}

/** A field by location of arrays of members. */
function fieldOf(cells: number, part: Members): EnsembleField {
  const members = part.map((values, m) => new MemberColumn(`member ${m}`, [{ values }]));
  return { type: 'float32', order: 'day-fastest', firstDay: FIRST_DAY, days: DAYS, cells, members };
}
