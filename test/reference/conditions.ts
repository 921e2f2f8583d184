import type { Condition, ConditionLimit, ConditionPart } from '../../src/condition/condition.js';

/** The slow twin of `countMembers`, one member of one result at a time: whether a part holds; undefined where unknown. */
function holdsFor(
  part: ConditionPart,
  value: (variable: string | undefined) => number,
  limitOf: (limit: ConditionLimit) => number,
): boolean | undefined {
  if (part.kind === 'comparison' || part.kind === 'range') {
    const x = value(part.variable);
    const compare = (limit: ConditionLimit): number => {
      const bound = limitOf(limit);
      return Math.abs(x - bound) <= 1e-12 * Math.max(1, Math.abs(bound)) ? 0 : Math.sign(x - bound);
    };
    const bounds = part.kind === 'range' ? [part.from, part.to] : [part.limit];
    if (part.kind === 'range') {
      const [from, to] = bounds.map(compare);
      const known = [Number.isNaN(from) ? undefined : from >= 0, Number.isNaN(to) ? undefined : to <= 0];
      return combined('and', known);
    }
    const sign = compare(part.limit);
    if (Number.isNaN(sign)) return undefined;
    return { '>': sign > 0, '>=': sign >= 0, '<': sign < 0, '<=': sign <= 0 }[part.operator];
  }
  return combined(
    part.kind,
    part.parts.map((one) => holdsFor(one, value, limitOf)),
  );
}

function combined(kind: 'and' | 'or', known: readonly (boolean | undefined)[]): boolean | undefined {
  const deciding = kind === 'or';
  if (known.includes(deciding)) return deciding;
  return known.includes(undefined) ? undefined : !deciding;
}

/** The share over members, NaN where it is null. */
export function shareOver(
  condition: Condition,
  members: number,
  value: (member: number, variable: string | undefined) => number,
  limitOf: (limit: ConditionLimit) => number,
  required: number,
): number {
  const [own, given] = condition.kind === 'given' ? [condition.condition, condition.given] : [condition];
  let [known, of, holds] = [0, 0, 0];
  for (let m = 0; m < members; m++) {
    const isIn = given === undefined ? true : holdsFor(given, (variable) => value(m, variable), limitOf);
    const isTrue = holdsFor(own, (variable) => value(m, variable), limitOf);
    if (isIn === undefined || (isIn && isTrue === undefined)) continue;
    known++;
    if (!isIn) continue;
    of++;
    if (isTrue) holds++;
  }
  return known < required || of === 0 ? Number.NaN : holds / of;
}
