import { WINDOW_RULES, type WindowRule } from '../variable/variable.js';

/** What a window holds of a member by a condition on its days: `daysThat` and others make it. */
export interface WindowMeasure {
  /** As the metadata `window` of results says it: `days >20`, `spells <1 of 5 d`. It is its text, too. */
  readonly name: string;
  /** Its number in the kernels. */
  readonly rule: number;
  /** The unit of its values, in which `*` stands for the unit of the data. */
  readonly units: string;
  /** Its condition as the kernels read it, for values of each type: bound, side, limit, and the least days of a spell. */
  readonly float32: readonly number[];
  readonly float64: readonly number[];
}

/** What a window holds of a member: a rule for the values of its days, or a measure by a condition on them. */
export type WindowValue = WindowRule | WindowMeasure;

/** The number in the kernels of what a window holds. */
export function valueNumber(value: WindowValue): number {
  return (value as WindowMeasure).rule ?? WINDOW_RULES.indexOf(value as WindowRule);
}

/** The unit of what windows hold, for data in `units`: counted days are days, unless they are of data without a unit. */
export function valueUnits(value: WindowValue, units: string | undefined): string | undefined {
  if (value === 'count' && units !== '1') return 'd';
  return (value as WindowMeasure).units?.replace('*', units ?? '1') ?? units;
}
