import { DAILY_GROWTH_WARNING, MIN_GROWING_DAYS } from '../../ensemble/accumulation.js';
import { AccumulationEvidence } from '../../ensemble/accumulation-evidence.js';
import type { Ensemble, EnsemblePart } from '../../ensemble/ensemble.js';
import { stepRule } from '../../table/daily/step-rule.js';

const DAY = 86_400;
/** How many series are checked, and how many days of each, before a warning that none falls. */
const MAX_SERIES = 256;
const MAX_DAYS = 400;

/**
 * Finds out whether the daily amounts of the ensembles of a table never fall, in a sample of the members and places of
 * each.
 */
export class GrowthCheck {
  #neverFalls = false;
  #hasFalls = false;

  /** Adds an ensemble; values that are no amounts show nothing. */
  add({ variable, parts }: Ensemble): void {
    if (this.#hasFalls || variable === undefined || stepRule(variable) !== 'sum') return;
    const long = parts.filter(({ field }) => field.days >= MIN_GROWING_DAYS);
    const perPart = Math.ceil(MAX_SERIES / long.length);
    for (const part of long.slice(0, MAX_SERIES)) {
      const evidence = collectEvidence(part, perPart, 10 ** -variable.decimals);
      this.#neverFalls ||= evidence.neverFalls;
      this.#hasFalls ||= evidence.hasFalls;
    }
  }

  /** A warning if they never fall. */
  get warning(): string | undefined {
    return this.#neverFalls && !this.#hasFalls ? DAILY_GROWTH_WARNING : undefined;
  }
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
