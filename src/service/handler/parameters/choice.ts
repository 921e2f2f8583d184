import type { Granularity } from '../../../period/window-table.js';
import type { Parameter } from './parameter.js';

/** The windows of an answer: some of the granularities; daily by default. */
export function granularityParameter(choices: readonly Granularity[]): Parameter<'granularity'> {
  return {
    name: 'granularity',
    description:
      'Windows that daily values are combined in: days, ISO weeks (Monday to Sunday) or calendar months, complete ones only. ' +
      'Precipitation and evapotranspiration are summed, other variables averaged.',
    schema: { type: 'string', enum: choices, default: 'daily' },
    example: choices.at(-1),
    required: false,
    repeatable: false,
    maxLength: 32,
    allowed: choices.join(', '),
    read(text, reject) {
      return choices.find((choice) => choice === text) ?? reject('is not a granularity of this endpoint');
    },
  };
}

/** Whether 1 km data are requested. */
export function downscalingParameter(): Parameter<'use_downscaling'> {
  return {
    name: 'use_downscaling',
    description:
      'Whether to give 1 km (0.0083 degree) data where there are any: for downscalable variables, with a key that has them provisioned. ' +
      'Otherwise, the coarser data are given. In upper or lower case: `true` or `TRUE`.',
    schema: { type: 'boolean', default: true },
    example: true,
    required: false,
    repeatable: false,
    maxLength: 32,
    allowed: 'true or false',
    read(text, reject) {
      const plain = text.toLowerCase();
      if (plain === 'true') return true;
      return plain === 'false' ? false : reject('is neither true nor false');
    },
  };
}
