import type { Granularity } from 'plumecast';
import { type Core, loadCore, type QuantileType } from 'plumecast';
import { type EnsembleField, MemberColumn, type StatisticsRequest } from 'plumecast/arrays';
import { seededField } from '../reference/fields.js';
import type { Check } from './core-suite.js';
import { equalsTwin } from './equals-twin.js';

const granularities: Granularity[] = ['daily', 'weekly', 'monthly'];
const quantileTypes: QuantileType[] = [1, 2, 3, 4, 5, 6, 7, 8, 9];

const everything: Partial<StatisticsRequest> = {
  spread: true,
  minMemberShare: 0.3,
  thresholds: (['>', '>=', '<', '<='] as const).flatMap((operator) => [
    { operator, limit: 0 },
    { operator, limit: -2.5 },
  ]),
};

const rules = (['day-fastest', 'cell-fastest'] as const).flatMap((order) =>
  (['float32', 'float64'] as const).flatMap((type) =>
    (['sum', 'mean', 'min', 'max', 'count'] as const).map((window) =>
      check(`${window} of ${type}, ${order}, equals its twin, missing values included`, (core) => {
        for (const missing of [0, 0.01, 0.3]) {
          const field = seededField({ type, order, days: 40, cells: 11, members: 12, missing, chunkRows: 97 });
          for (const granularity of granularities) equalsTwin(core, field, granularity, { window, ...everything });
        }
      }),
    ),
  ),
);

export const computationChecks: readonly Check[] = [
  ...rules,
  ...quantileTypes.map((quantileType) =>
    check(`quantiles of type ${quantileType} equal their twin`, (core) => {
      for (const members of [1, 2, 5, 24, 31]) {
        const quantiles = [1, 0, 0.5, 0.123456, 0.999999, 0.000001, 0.2];
        const field = seededField({ members, missing: 0.1 });
        equalsTwin(core, field, 'weekly', { quantileType, quantiles, minMemberShare: 0 });
      }
    }),
  ),
  check('1 to 100 members, and 1,000, equal their twin', (core) => {
    for (const members of [...Array.from({ length: 100 }, (_, i) => i + 1), 1000]) {
      for (const type of ['float32', 'float64'] as const) {
        const field = seededField({ type, members, days: 9, cells: 2, seed: members });
        equalsTwin(core, field, 'weekly', { spread: true });
        equalsTwin(core, field, 'daily');
      }
    }
  }),
  check('values that lie in core memory are used in place, also where the memory grows', (core) => {
    const field = inPlace(core, seededField({ days: 28, cells: 5, members: 31 }));
    equalsTwin(core, field, 'weekly');
    const before = core.memory.wasm.buffer.byteLength;
    core.memory.allocate(before);
    if (core.memory.wasm.buffer.byteLength <= before) throw new Error(`the memory has not grown from ${before} bytes`);
    equalsTwin(core, seededField({ days: 28, cells: 5, members: 31 }), 'weekly');
  }),
  check('a field larger than a block equals its twin', (core) => {
    for (const order of ['day-fastest', 'cell-fastest'] as const) {
      equalsTwin(core, seededField({ order, days: 31, cells: 700, members: 3 }), 'weekly');
      equalsTwin(core, seededField({ order, days: 2000, cells: 2, members: 3, chunkRows: 777 }), 'daily');
    }
  }),
];

function check(name: string, run: (core: Core) => void): Check {
  return { name, run: async ({ module }) => run(await loadCore(module)) };
}

/** The same field with its values in the memory of `core`. */
function inPlace(core: Core, field: EnsembleField): EnsembleField {
  const rows = field.days * field.cells;
  const addresses = field.members.map(() => core.memory.allocate(4 * rows));
  const members = field.members.map((member, m) => {
    const values = core.memory.float32(addresses[m], rows);
    for (let row = 0; row < rows; row++) values[row] = member.value(row);
    return new MemberColumn(member.name, [{ values }]);
  });
  if (members.some((member) => member.addressIn(core) === undefined)) throw new Error('a member is not in place');
  return { ...field, members };
}
