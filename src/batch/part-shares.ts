import type { Table } from 'apache-arrow';
import type { Climatology } from '../climate/climatology.js';
import { readConditions } from '../condition/sort-conditions.js';
import type { Core } from '../core/load.js';
import type { Report } from '../input/notice.js';
import type { InputOfShares } from '../input/shares-of-inputs.js';
import { type CheckedPlan, isThresholdList } from './check-plan.js';

/** What the shares of a part are computed from, and how. */
export interface SharesOfPart {
  /** The text of the windows. */
  readonly granularity: string;
  readonly climatologies: readonly Climatology[];
  readonly report: Report;
  /** The most bytes of values that may be in memory. */
  readonly bytes?: number;
  /** The inputs that have the variables together. */
  open(): Promise<readonly InputOfShares[]>;
}

/** The shares of conditions on several variables, in place of statistics of one. */
export class PartShares {
  readonly kind = 'table';
  readonly #core: Core;
  readonly #plan: CheckedPlan;
  readonly #part: SharesOfPart;
  #members: number | undefined;

  constructor(core: Core, plan: CheckedPlan, part: SharesOfPart) {
    this.#core = core;
    this.#plan = plan;
    this.#part = part;
  }

  /** The number of members that all variables have; known from the first table on. */
  get members(): number | undefined {
    return this.#members;
  }

  /** Computes tables of some places each. Throws what `sharesOfInputs` throws. */
  async *tables(): AsyncGenerator<Table> {
    // Loaded by plans of such conditions alone.
    const { sharesOfInputs } = await import('../input/shares-of-inputs.js');
    const { thresholds, request, values } = this.#plan;
    const { granularity, climatologies, bytes, report, open } = this.#part;
    const { units, ...others } = values;
    const isByVariable = typeof units === 'object';
    const joint = {
      conditions: readConditions(isThresholdList(thresholds) ? thresholds : []),
      statistics: { ...request, granularity } as Parameters<typeof sharesOfInputs>[2]['statistics'],
      values: isByVariable || units === undefined ? others : { ...others, units },
      climatologies: ofWindows(climatologies, granularity),
      ...(isByVariable && { units }),
      ...(bytes !== undefined && { bytes }),
      onMembers: (members: number) => {
        this.#members = members;
      },
    };
    yield* sharesOfInputs(this.#core, await open(), joint, report);
  }
}

/** Of each variable the climatologies of these windows, where it has some; else all, whose windows may serve others. */
function ofWindows(climatologies: readonly Climatology[], granularity: string): Climatology[] {
  const isOf = (climatology: Climatology) => `${climatology.granularity}` === granularity;
  const slugOf = ({ variable }: Climatology) => variable?.slug;
  return climatologies.filter(
    (each) => isOf(each) || !climatologies.some((other) => isOf(other) && slugOf(other) === slugOf(each)),
  );
}
