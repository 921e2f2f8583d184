import { WINDOW_RULES, type WindowRule } from '../variable/variable.js';

/** What a window holds of a member by a condition on its days: plain data, which `daysThat` and others make. */
export interface WindowMeasure {
  /** As the metadata `window` of results says it: `days >20`, `spells <1 of 5 d`. */
  readonly name: string;
  /** Its number in the kernels. */
  readonly rule: number;
  readonly operator: '>' | '>=' | '<' | '<=';
  readonly limit: number;
  /** The days that a spell has at least. */
  readonly days?: number | undefined;
  /** The unit of its values, in which `*` stands for that of the data. */
  readonly units: string;
}

/** What a window holds of a member: a rule for the values of its days, or a measure by a condition on them. */
export type WindowValue = WindowRule | WindowMeasure;

/** The number in the kernels of what a window holds. */
export function valueNumber(value: WindowValue): number {
  return (value as WindowMeasure).rule ?? WINDOW_RULES.indexOf(value as WindowRule);
}

/** What the metadata `window` of results says. */
export function valueName(value: WindowValue): string {
  return (value as WindowMeasure).name ?? value;
}

/** The unit of what windows hold, for data in `units`. */
export function valueUnits(value: WindowValue, units: string | undefined): string | undefined {
  const own = (value as WindowMeasure).units ?? '*';
  return own.includes('*') ? units && own.replace('*', units) : own;
}
