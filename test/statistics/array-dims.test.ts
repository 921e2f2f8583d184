import { expect, it } from 'vitest';
import { loadCore, statistics } from '../../src/arrays.js';

it.each(['members', 'number', 'realization', 'ensemble', 'ens'])(
  'a dimension %s, as files call it, of members is an error',
  async (name) => {
    const array = { data: new Float32Array(14), shape: [7, 2], dims: ['time', name], start: '2026-03-02' };
    const core = await loadCore();
    expect(() => statistics(core, array, { window: 'sum' })).toThrow(
      /array\.dims: .*'time', 'member' and names of places/,
    );
  },
);
