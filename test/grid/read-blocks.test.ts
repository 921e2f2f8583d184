import { beforeAll, describe, expect, it } from 'vitest';
import { type Core, loadCore } from '../../src/core/load.js';
import { gridEnsemble } from '../../src/grid/index.js';
import { dailyValues } from './daily-values.js';
import { coordinates, memoryFile } from './memory-file.js';

let core: Core;
beforeAll(async () => {
  core = await loadCore();
});

const TIME = { units: 'days since 2022-10-02', calendar: 'proleptic_gregorian' };

describe('daily float32 values without packing', () => {
  it('are read straight into the memory of the core, as they are', async () => {
    const values = Float32Array.from({ length: 2 * 3 * 2 * 4 }, (_, i) => i / 4);
    const file = memoryFile({
      ...coordinates({ member: [5, 7], time: [0, 1, 2], latitude: [1, 0], longitude: [10, 20, 30, 350] }, TIME),
      t2m: {
        type: 'float32',
        dimensions: { member: 2, time: 3, latitude: 2, longitude: 4 },
        values,
        attributes: { units: 'degC' },
      },
    });
    const ensemble = await gridEnsemble(file);
    expect(ensemble).toMatchObject({
      ...{ source: 'test.nc', array: 't2m', units: 'degC', conversions: [], type: 'float32', members: ['5', '7'] },
      ...{ firstDay: 19267, days: 3, cells: 8 },
    });
    expect(ensemble.variable?.slug).toBe('temp_mean');
    const read = await dailyValues(ensemble, core);
    expect(read[1][5]).toEqual([(24 + 5) / 4, (24 + 8 + 5) / 4, (24 + 16 + 5) / 4]);
    expect(file.reads.boxes.get('t2m')).toHaveLength(2);
  });
});
