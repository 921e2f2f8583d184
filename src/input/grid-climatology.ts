import type { Table } from 'apache-arrow';
import { climatologyTable } from '../climate/climatology-table.js';
import { climatologyOfEnsembles } from '../climate/compute-climatology.js';
import type { CheckedClimatologyOptions } from '../climate/options.js';
import { valueBytes } from '../core/float-array.js';
import type { Core } from '../core/load.js';
import type { NamedEnsemble } from '../ensemble/align-ensembles.js';
import { assertConsistent } from '../ensemble/assert-consistent.js';
import { DataError } from '../errors.js';
import { cellPlaces } from '../files/cf/cells/cell-places.js';
import type { Block, GridEnsemble } from '../files/cf/grid-ensemble.js';

/**
 * Computes the climatology of gridded histories or hindcasts, as `climatology` does for tables: a table of some cells
 * at a time, with about `bytes` bytes for the values of all files. Each file has the complete grid; files of a history,
 * such as one a year, are joined. Throws as `climatology` does, and DataError if files differ in their grids.
 */
export async function* climatologyOfGrids(
  core: Core,
  ensembles: readonly GridEnsemble[],
  options: CheckedClimatologyOptions,
  bytes: number,
): AsyncGenerator<Table> {
  const [first, ...others] = ensembles;
  for (const other of others) assertSameGrid(other, first);
  const days = ensembles.reduce((sum, ensemble) => sum + ensemble.days, 0);
  // The first file gets its share of the bytes, so that all files together take `bytes`.
  for (const block of first.blocks((bytes * first.days) / days, [])) {
    const mark = core.memory.mark();
    try {
      reserve(core, ensembles, block);
      const inputs: NamedEnsemble[] = [];
      for (const ensemble of ensembles) inputs.push(await readBlock(core, ensemble, block));
      assertConsistent(inputs, true);
      yield climatologyTable(climatologyOfEnsembles(core, inputs, options));
    } finally {
      core.memory.release(mark);
    }
  }
}

/** Makes the memory grow before anything is read: growing detaches views of what was read before. */
function reserve({ memory }: Core, ensembles: readonly GridEnsemble[], { cells }: Block): void {
  const mark = memory.mark();
  for (const { days, members, type } of ensembles) memory.allocate(cells * days * members.length * valueBytes(type));
  memory.release(mark);
}

async function readBlock(core: Core, grid: GridEnsemble, { cell, cells }: Block): Promise<NamedEnsemble> {
  const { source, variable, units, metadata, days } = grid;
  const part = await grid.read({ cell, cells, day: 0, days }, core);
  return { source, ensemble: { variable, units, metadata, parts: [part] } };
}

function assertSameGrid(ensemble: GridEnsemble, first: GridEnsemble): void {
  const [own, firsts] = [ensemble, first].map(({ grid, cells }) => cellPlaces(grid, 0, cells));
  const sameLength = ensemble.cells === first.cells;
  const differs = (cell: number) =>
    own.latitude[cell] !== firsts.latitude[cell] || own.longitude[cell] !== firsts.longitude[cell];
  const cell = sameLength ? firsts.latitude.findIndex((_, index) => differs(index)) : 0;
  if (cell < 0) return;
  throw new DataError({
    source: ensemble.source,
    problem: `its grid differs from that of ${first.source}`,
    received: sameLength
      ? `${own.latitude[cell]}, ${own.longitude[cell]} as cell ${cell + 1}`
      : `${ensemble.cells} cells`,
    allowed: sameLength ? `${firsts.latitude[cell]}, ${firsts.longitude[cell]}` : `${first.cells} cells`,
  });
}
