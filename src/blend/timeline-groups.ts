import type { EnsembleField } from '../core/field.js';
import { GatherJob } from '../core/generated/jobs.js';
import type { Core } from '../core/load.js';
import { MemberColumn } from '../core/member-column.js';
import { typeSuffix, valueBytes } from '../core/number-arrays.js';
import type { Horizon } from './horizon.js';
import { blockBytes, HorizonBlock, type LoadedDays } from './horizon-block.js';
import { CellPairer } from './pairing/cell-pairer.js';
import { membersByCell } from './pairing/member-source.js';
import type { Pairing } from './pairing/pairing.js';
import { pairedSeams, type SeamTables } from './pairing/seam-tables.js';
import type { BlendPlan } from './window-runs.js';

/** Some consecutive cells of a timeline. */
export interface TimelineGroup {
  /** The first of them, counted from 0. */
  readonly cell: number;
  /** Their values: in the core's memory, valid until the next group is requested. */
  readonly field: EnsembleField;
}

/** Bytes of all that is loaded and gathered at once: it stays in the processor's caches. */
const GROUP_BYTES = 4_194_304;

/**
 * Gathers the first `days` days of a timeline, a group of cells at a time. Scratch of the core is released when the
 * loop over the groups ends.
 */
export function* timelineGroups(core: Core, plan: BlendPlan, days: number): Generator<TimelineGroup> {
  const { horizons, pairing } = plan;
  const mark = core.memory.mark();
  try {
    const [{ field }] = horizons;
    const most = cellsAtOnce(horizons, days);
    const blocks = horizons.map((horizon) => new HorizonBlock(core, horizon, most));
    const seams = seamTables(core, blocks, plan, most);
    const outBytes = blockBytes(most * days * valueBytes(field.type));
    const out = core.memory.scratch(outBytes * pairing.members);
    const jobs = gatherJobs(core, { blocks, seams, pairing, days, out, outBytes });
    const kernel = core.kernels[`gather${typeSuffix(field.type)}`];
    for (let cell = 0; cell < field.cells; cell += most) {
      const cells = Math.min(most, field.cells - cell);
      for (const block of blocks) block.load(cell, cells);
      for (const seam of seams) seam.ready(cell, cells);
      jobs.forEach((job, h) => {
        job.set(blocks[h].offset, cells);
        kernel(job.address);
      });
      yield { cell, field: { ...gathered(core, field, cells, days, out, outBytes), firstDay: pairing.firstDay } };
    }
  } finally {
    core.memory.release(mark);
  }
}

function cellsAtOnce(horizons: readonly Horizon[], days: number): number {
  const [{ field }] = horizons;
  const loaded = horizons.reduce((sum, horizon) => sum + horizon.field.members.length * horizon.field.days, 0);
  const bytesPerCell = (loaded + field.members.length * days) * valueBytes(field.type);
  return Math.max(1, Math.min(field.cells, Math.floor(GROUP_BYTES / bytesPerCell)));
}

/**
 * What fills the tables of each seam for the cells that are loaded, at most `locations`: where `isOpen`, it pairs them,
 * and stores the result in the pairing.
 */
export function seamTables(
  core: Core,
  loaded: readonly LoadedDays[],
  { pairing, isOpen, places }: BlendPlan,
  locations: number,
): SeamTables[] {
  const { members: trajectories, firstDay, horizons, seams } = pairing;
  if (!isOpen) return pairedSeams(core, pairing, places, locations);
  const source = membersByCell(core, loaded);
  const pairers: CellPairer[] = [];
  seams.forEach((seam, earlier) => {
    const sizes = [horizons[earlier].members, horizons[earlier + 1].members] as const;
    const before = pairers[earlier - 1];
    pairers.push(new CellPairer(core, { seam, earlier, sizes, trajectories, firstDay, source, before }, locations));
  });
  return pairers;
}

interface Gathering {
  readonly blocks: readonly HorizonBlock[];
  readonly seams: readonly SeamTables[];
  readonly pairing: Pairing;
  readonly days: number;
  readonly out: number;
  readonly outBytes: number;
}

/** A job for each horizon: its days of the timeline, at the cells that are loaded. */
function gatherJobs({ memory }: Core, { blocks, seams, pairing, days, out, outBytes }: Gathering): GatherJob[] {
  const { members: trajectories, firstDay } = pairing;
  return blocks.map(({ table, cellStride, horizon }, h) => {
    const isLast = h === blocks.length - 1;
    return new GatherJob(memory, {
      members: table,
      cellStride,
      shift: firstDay - horizon.field.firstDay,
      end: Math.min(horizon.field.days, pairing.horizons[h].lastDay + 1 - horizon.field.firstDay),
      member: seams[h - 1]?.member ?? 0,
      from: seams[h - 1]?.switchDay ?? 0,
      // A variable that is missing in later horizons stays with its last one.
      to: isLast ? 0 : seams[h].switchDay,
      places: pairing.cells === 1 ? 0 : trajectories,
      trajectories,
      days,
      out,
      outBytes,
    });
  });
}

/** The gathered values, as a field whose members lie in the core's memory. */
function gathered(
  { memory }: Core,
  { type, members }: EnsembleField,
  cells: number,
  days: number,
  out: number,
  outBytes: number,
): Omit<EnsembleField, 'firstDay'> {
  const columns = members.map(({ name }, m) => {
    const address = out + m * outBytes;
    const length = cells * days;
    const values = memory[type](address, length);
    return new MemberColumn(name, [{ values }]);
  });
  return { type, order: 'day-fastest', days, cells, members: columns };
}
