import { DAILY_GROWTH_WARNING, MIN_GROWING_DAYS } from '../../ensemble/accumulation.js';
import { AccumulationEvidence } from '../../ensemble/accumulation-evidence.js';
import type { Ensemble, EnsemblePart } from '../../ensemble/ensemble.js';
import { stepRule } from '../../table/daily/step-rule.js';

const DAY = 86_400;
/** How many series are checked, and how many days of each, before a warning that none falls. */
const MAX_SERIES = 256;
const MAX_DAYS = 400;

/**
 * A warning if the daily amounts of a table never fall, in a sample of members and places; undefined if they do, and
 * for other values.
 */
export function tableGrowthWarning({ variable, parts }: Ensemble): string | undefined {
  if (variable === undefined || stepRule(variable) !== 'sum') return undefined;
  const long = parts.filter(({ field }) => field.days >= MIN_GROWING_DAYS);
  if (long.length === 0) return undefined;
  const perPart = Math.ceil(MAX_SERIES / long.length);
  const found = long.slice(0, MAX_SERIES).map((part) => collectEvidence(part, perPart, 10 ** -variable.decimals));
  const isGrowing = found.some((evidence) => evidence.neverFalls) && !found.some((evidence) => evidence.hasFalls);
  return isGrowing ? DAILY_GROWTH_WARNING : undefined;
}

function collectEvidence({ field }: EnsemblePart, wanted: number, smallest: number): AccumulationEvidence {
  const { members, cells, order } = field;
  const days = Math.min(field.days, MAX_DAYS);
  const starts = Float64Array.from({ length: days }, (_, day) => (field.firstDay + day) * DAY);
  const evidence = new AccumulationEvidence({ starts, ends: starts.map((start) => start + DAY) }, { smallest });
  const all = members.length * cells;
  const count = Math.min(all, wanted);
  const series = Array.from({ length: count }, (_, i) => {
    const which = Math.floor((i * all) / count);
    const [member, cell] = [members[which % members.length], Math.floor(which / members.length)];
    const rowOf = (day: number) => (order === 'day-fastest' ? cell * field.days + day : day * cells + cell);
    return Float64Array.from({ length: days }, (_, day) => member.value(rowOf(day)));
  });
  evidence.add(series);
  return evidence;
}
