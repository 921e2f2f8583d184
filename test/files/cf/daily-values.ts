import type { Core } from '../../../src/core/load.js';
import type { Block, GridEnsemble } from '../../../src/files/cf/index.js';

/** All daily values of an ensemble, read by its own blocks: by member, then cell, then day. */
export async function dailyValues(
  ensemble: GridEnsemble,
  core: Core,
  { bytes = 1e9, cuts = [] as readonly number[] } = {},
): Promise<number[][][]> {
  return valuesOfBlocks(ensemble, core, ensemble.blocks(bytes, cuts));
}

/** The values of some blocks, `undefined` where none has a (cell, day), an error where two have it. */
export async function valuesOfBlocks(
  ensemble: GridEnsemble,
  core: Core,
  blocks: readonly Block[],
): Promise<number[][][]> {
  const values = ensemble.members.map(() =>
    Array.from({ length: ensemble.cells }, () => new Array<number>(ensemble.days)),
  );
  for (const block of blocks) {
    const mark = core.memory.mark();
    const { field } = await ensemble.read(block, core);
    if (field.firstDay !== ensemble.firstDay + block.day || field.days !== block.days) throw new Error('other days');
    for (const [m, column] of field.members.entries()) {
      if (column.length !== block.cells * block.days) throw new Error('other length');
      if (column.addressIn(core) === undefined) throw new Error('not in the memory of the core');
      for (let cell = 0; cell < block.cells; cell++) {
        for (let day = 0; day < block.days; day++) {
          const at = field.order === 'day-fastest' ? cell * block.days + day : day * block.cells + cell;
          const [c, d] = [block.cell + cell, block.day + day];
          if (d in values[m][c]) throw new Error(`cell ${c}, day ${d} twice`);
          values[m][c][d] = column.value(at);
        }
      }
    }
    core.memory.release(mark);
  }
  return values;
}
