import { DataError, mentionOption, OptionError } from '../errors.js';
import { unitsAgree } from '../variable/units-agree.js';
import type { EnsembleRows } from './read-ensemble.js';

/** Throws where rows of a stream say something else of all its rows than the first ones did: another variable, other units. */
export function assertConsistentRows({ head, index }: EnsembleRows, first: EnsembleRows): void {
  const { source, roles, rowsBefore } = index;
  const { variable, units } = head;
  if (variable?.slug !== first.head.variable?.slug) {
    throw new OptionError({
      subject: source === undefined ? 'variable' : `${source}, variable`,
      problem: 'the table holds several',
      received: [first.head, head].map((each) => each.variable?.slug ?? 'one that is not known').join(', '),
      allowed: `one of them, by ${mentionOption('variable')}`,
    });
  }
  if (units !== undefined && first.head.units !== undefined && !unitsAgree(units, first.head.units)) {
    throw new DataError({
      source,
      row: rowsBefore + 1,
      column: roles.units,
      problem: `mixed ${roles.units}`,
      received: units,
      allowed: `${first.head.units}, as in the rows before`,
    });
  }
  if ((index.latitude === undefined) !== (first.index.latitude === undefined)) {
    throw new DataError({
      source,
      row: (index.latitude === undefined ? rowsBefore : first.index.rowsBefore) + 1,
      column: roles.latitude,
      problem: 'missing coordinate',
      received: null,
      allowed: 'a number of degrees in every row, or in none',
    });
  }
}
