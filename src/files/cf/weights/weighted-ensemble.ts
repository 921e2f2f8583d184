import { assertKnownKeys } from '../../../check/option-checks.js';
import { beginWork, WORK_KEYS, type Work } from '../../../check/work.js';
import { assertCore } from '../../../core/assert-core.js';
import type { EnsembleField } from '../../../core/field.js';
import type { Core } from '../../../core/load.js';
import { MemberColumn } from '../../../core/member-column.js';
import { type FloatArray, floatArray, valueBytes } from '../../../core/number-arrays.js';
import type { EnsemblePart } from '../../../ensemble/ensemble.js';
import { cellsOfGrid, type Grid } from '../../../ensemble/grid.js';
import { idsOf } from '../../../ensemble/place-labels.js';
import { isPlumecastError } from '../../../errors.js';
import { cellPlaces, valuePlace } from '../cells/cell-places.js';
import { assertBlock, memberStride } from '../days/read-block.js';
import { hasChosenCells, readChosenCells } from '../days/read-chosen-cells.js';
import type { Block, GridEnsemble } from '../grid-ensemble.js';
import { PlaceValues, type Weighing } from './place-values.js';

/** What an ensemble becomes besides its values. */
export type OfPlaces = Pick<GridEnsemble, 'conversions' | 'warnings' | 'metadata'> &
  Partial<Pick<GridEnsemble, 'variable' | 'units'>> & { readonly grid: Extract<Grid, { kind: 'places' }> };

/** Bytes of values of cells that are read at a time; in files that are stored in larger pieces, more. */
const READ_BYTES = [134_217_728, 1_073_741_824];
/** Bytes that one value of a place takes while it is computed, besides the result; none where it is read from one cell. */
const WORKING_BYTES = 16;

/**
 * The ensemble of places whose daily values are computed from values of cells, member by member. Blocks have all places
 * where they fit into memory, so that cells are read once. Values do not depend on blocks: the cells of a place are
 * summed one by one in their order.
 */
export function weightedEnsemble(ensemble: GridEnsemble, weighing: Weighing, ofPlaces: OfPlaces): GridEnsemble {
  const { grid } = ofPlaces;
  const { members, days, type } = ensemble;
  const cells = grid.latitude.length;
  const working = isOfOneCell(ensemble, weighing) ? 0 : WORKING_BYTES + valueBytes(type);
  const bytesOfDay = members.length * (working + valueBytes(type));
  let readBytes = READ_BYTES[0];
  const { plan, ...described } = ensemble as GridEnsemble & { readonly plan?: unknown };
  const places: GridEnsemble = {
    ...described,
    ...ofPlaces,
    cells,
    blocks(bytes, cuts) {
      readBytes = Math.min(READ_BYTES[0], bytes / 2);
      return planPlaces(cells, days, cuts, Math.floor(bytes / 2 / bytesOfDay));
    },
    async read(block, core, options = {}) {
      assertCore(core);
      assertBlock(block, cells, days);
      const { work, others } = beginWork(options, 'values', members.length * block.cells * block.days);
      assertKnownKeys(others, WORK_KEYS);
      return work.run(() => readPlaces(ensemble, places, weighing, block, core, readBytes, work));
    },
  };
  return places;
}

/**
 * The share of each place whose cells have a value on a day, of the member that has most. The core's memory is released.
 */
export async function sharesOfDay(
  ensemble: GridEnsemble,
  weighing: Weighing,
  day: number,
  core: Core,
): Promise<Float64Array> {
  const places = weighing.whole.length;
  const block = { cell: 0, cells: places, day, days: 1 };
  const { length } = ensemble.members;
  // No member has more than one without any missing value.
  const first = new PlaceValues(weighing, block, 1, ensemble.type);
  const isRead = length > 1 && (await addCells(ensemble, first, block, core, READ_BYTES[0], { members: 1 }));
  if (isRead && first.isComplete) return first.shares();
  const values = new PlaceValues(weighing, block, length, ensemble.type);
  await addCells(ensemble, values, block, core, READ_BYTES[0]);
  const shares = values.shares();
  return Float64Array.from({ length: places }, (_, place) =>
    ensemble.members.reduce((most, _member, m) => Math.max(most, shares[m * places + place]), 0),
  );
}

/** Divides places and days into blocks of at most `most` of both: all places, unless not even one window fits. */
export function planPlaces(cells: number, days: number, cuts: readonly number[], most: number): Block[] {
  const edges = [...new Set([0, ...cuts.filter((cut) => cut > 0 && cut < days), days])].sort((a, b) => a - b);
  const longest = edges.slice(1).reduce((length, edge, i) => Math.max(length, edge - edges[i]), 1);
  const together = Math.max(1, Math.min(cells, Math.floor(most / longest)));
  const blocks: Block[] = [];
  for (let from = 0; from < edges.length - 1; ) {
    let to = from + 1;
    while (to + 1 < edges.length && (edges[to + 1] - edges[from]) * together <= most) to++;
    const day = edges[from];
    for (let cell = 0; cell < cells; cell += together) {
      blocks.push({ cell, cells: Math.min(together, cells - cell), day, days: edges[to] - day });
    }
    from = to;
  }
  return blocks;
}

async function readPlaces(
  ensemble: GridEnsemble,
  places: GridEnsemble,
  weighing: Weighing,
  block: Block,
  core: Core,
  readBytes: number,
  work: Work,
): Promise<EnsemblePart> {
  const { type, members, firstDay } = ensemble;
  const length = block.cells * block.days;
  const stride = memberStride(length * valueBytes(type));
  const mark = core.memory.mark();
  const address = core.memory.allocate(members.length * stride);
  const end = core.memory.mark();
  const view = (m: number) => core.memory[type](address + m * stride, length);
  try {
    if (isOfOneCell(ensemble, weighing)) {
      await readOnlyCells(ensemble, weighing, block, view, work);
    } else {
      const values = new PlaceValues(weighing, block, members.length, type);
      await addCells(ensemble, values, block, core, readBytes, { work });
      const all = values.end();
      for (const m of members.keys()) view(m).set(all[m]);
    }
  } catch (error) {
    if (core.memory.mark() === end) core.memory.release(mark);
    throw error;
  }
  work.advance(members.length * length);
  const own = cellPlaces(places.grid, block.cell, block.cells);
  const ids = idsOf(own.labels);
  const field: EnsembleField = {
    ...{ type, order: 'cell-fastest', firstDay: firstDay + block.day, days: block.days, cells: block.cells },
    members: members.map((name, m) => new MemberColumn(name, [{ values: view(m) }])),
    place(member, row) {
      const [cell, day] = [row % block.cells, Math.floor(row / block.cells)];
      const { latitude, longitude } = own;
      const at = valuePlace(ensemble, members[member], firstDay + block.day + day, latitude[cell], longitude[cell]);
      return ids === undefined ? at : { ...at, column: `${at.column}, ${ids[cell]}` };
    },
  };
  return { field, ...own };
}

/** Whether places have values of one cell, which are read straight to their places. */
function isOfOneCell(ensemble: GridEnsemble, { statistic }: Weighing): boolean {
  return statistic === 'value' && hasChosenCells(ensemble);
}

/** Reads the only cell of each place; `into` has the values of a member. */
async function readOnlyCells(
  ensemble: GridEnsemble,
  { runs, added }: Weighing,
  block: Block,
  into: (member: number) => FloatArray,
  work: Work,
): Promise<void> {
  const { cell, place: places } = runs.of(block);
  if (cell.length === 0) return;
  const { day, days, cells: width } = block;
  const some = fullRows(ensemble, cell[0], cell[cell.length - 1] + 1);
  const cells = cell.map((each) => each - some.cell);
  await readChosenCells(ensemble, { ...some, day, days }, { cells, places, width, into }, work);
  if (added === undefined) return;
  for (const member of ensemble.members.keys()) {
    const values = into(member);
    for (let i = 0; i < values.length; i++) values[i] += added[block.cell + (i % width)];
  }
}

/** The rows in which cells from one to another, exclusive, are: full rows are read far faster than parts of them. */
function fullRows({ grid }: GridEnsemble, first: number, end: number): Pick<Block, 'cell' | 'cells'> {
  const width = rowLength(grid);
  const cell = first - (first % width);
  return { cell, cells: Math.min(cellsOfGrid(grid), width * Math.ceil(end / width)) - cell };
}

function rowLength(grid: Grid): number {
  return grid.kind === 'rectilinear' ? grid.longitude.length : (grid.shape[1] ?? 1);
}

/**
 * Reads the cells that places need, and adds their values; of the first members alone where their number is given.
 * Returns false where these cannot be read by themselves.
 */
async function addCells(
  ensemble: GridEnsemble,
  values: PlaceValues,
  { day, days }: Pick<Block, 'day' | 'days'>,
  core: Core,
  bytes: number,
  { work, members = ensemble.members.length }: { readonly work?: Work; readonly members?: number } = {},
): Promise<boolean> {
  const { type } = ensemble;
  const isChosen = hasChosenCells(ensemble);
  if (!isChosen && members < ensemble.members.length) return false;
  const all = neededRows(ensemble, values, { cell: 0, cells: cellsOfGrid(ensemble.grid), day, days });
  if (all === undefined) return true;
  const isOnePass = isChosen && members * days * values.chosenCells(all).length * valueBytes(type) <= bytes;
  const kept: FloatArray[] = [];
  for (const read of isOnePass ? [all] : blocksOfCells(ensemble, { day, days }, bytes)) {
    const some = neededRows(ensemble, values, read);
    if (some === undefined) continue;
    if (work?.isDue) await work.pause();
    if (isChosen) {
      const cells = values.chosenCells(some);
      const length = cells.length * some.days;
      // New memory takes longer than what is written to it.
      if (!(kept[0]?.length >= length)) for (let m = 0; m < members; m++) kept[m] = floatArray(type, length);
      const chosen = kept.map((each) => each.subarray(0, length));
      const into = (member: number) => chosen[member];
      await readChosenCells(ensemble, some, { cells, width: cells.length, members, into }, work);
      values.addChosen(chosen, some);
      continue;
    }
    const mark = core.memory.mark();
    try {
      const { field } = await ensemble.read(some, core, { signal: work?.signal });
      values.add(field, some);
    } finally {
      core.memory.release(mark);
    }
  }
  return true;
}

/** The rows of a block with cells that are needed; undefined where none is. */
function neededRows(ensemble: GridEnsemble, values: PlaceValues, block: Block): Block | undefined {
  const end = block.cell + block.cells;
  const [first, last] = values.cellsWithin(block.cell, end);
  if (first === last) return undefined;
  const rows = fullRows(ensemble, first, last);
  const cell = Math.max(block.cell, rows.cell);
  return { ...block, cell, cells: Math.min(end, rows.cell + rows.cells) - cell };
}

/** The blocks in which cells are read for a block of places, cut where its days begin and end. */
function blocksOfCells(ensemble: GridEnsemble, { day, days }: Pick<Block, 'day' | 'days'>, bytes: number): Block[] {
  const end = day + days;
  const anyDays = Array.from({ length: days + 1 }, (_, d) => day + d);
  return readableBlocks(ensemble, bytes, anyDays).flatMap((block) => {
    const from = Math.max(day, block.day);
    const count = Math.min(end, block.day + block.days) - from;
    return count > 0 ? [{ ...block, day: from, days: count }] : [];
  });
}

function readableBlocks(ensemble: GridEnsemble, bytes: number, cuts: readonly number[]): readonly Block[] {
  try {
    return ensemble.blocks(bytes, cuts);
  } catch (error) {
    if (!isPlumecastError(error, 'data')) throw error;
    return ensemble.blocks(READ_BYTES[1], cuts);
  }
}
