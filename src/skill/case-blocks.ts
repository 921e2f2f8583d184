import type { FloatArray } from '../core/number-arrays.js';
import { assertFinite, type Cases } from './cases.js';
import type { Skill } from './load-skill.js';

/** Bits of what kernels compute: see assembly/skill/cases.ts. */
export const WHAT = { crps: 1, moments: 2, ranks: 4, sorted: 8 } as const;

/** The rows of numbers, and of counts, that kernels write for a block of cases. */
const ROWS = 5;
const COUNT_ROWS = 3;
/** Bytes of the rows of members of a block: they stay in the second-level cache. */
const BLOCK_BYTES = 131_072;
const MAX_BLOCK = 4096;
const MIN_BLOCK = 64;

/** Scores of a block of cases, as views that are valid until the next block. */
export interface CaseBlock {
  /** The first case, and how many there are. */
  readonly from: number;
  readonly cases: number;
  readonly valid: Int32Array;
  readonly crps: Float64Array;
  readonly fairCrps: Float64Array;
  readonly mean: Float64Array;
  readonly error: Float64Array;
  readonly variance: Float64Array;
  readonly below: Int32Array;
  readonly equal: Int32Array;
  /** The members in ascending order, missing ones at the end. */
  readonly sorted: readonly Float64Array[];
}

/** Rows of members in the memory of kernels, as many cases at a time as stay in the caches. */
class MemberBlocks {
  readonly address: number;
  readonly rowBytes: number;
  readonly block: number;
  readonly isSingle: boolean;
  readonly #skill: Skill;
  readonly #members: readonly FloatArray[];

  constructor(skill: Skill, members: readonly FloatArray[]) {
    const isSingle = members[0] instanceof Float32Array;
    const bytes = isSingle ? 4 : 8;
    const fitting = Math.floor(BLOCK_BYTES / bytes / members.length / MIN_BLOCK) * MIN_BLOCK;
    const wanted = Math.min(MAX_BLOCK, Math.max(MIN_BLOCK, fitting));
    // No more than there are, in whole vectors.
    this.block = Math.min(wanted, 4 * Math.ceil(members[0].length / 4));
    // Not a power of two, for which caches have few places.
    this.rowBytes = this.block * bytes + 64;
    this.isSingle = isSingle;
    this.#skill = skill;
    this.#members = members;
    this.address = skill.tools.memory.scratch(this.rowBytes * members.length);
  }

  /** Copies the cases from `from` to `to` (exclusive). */
  copy(from: number, to: number): void {
    const { memory } = this.#skill.tools;
    this.#members.forEach((values, m) => {
      const at = this.address + m * this.rowBytes;
      const row = this.isSingle ? memory.float32(at, to - from) : memory.float64(at, to - from);
      row.set(values.subarray(from, to));
    });
  }
}

/**
 * Computes the scores of cases block by block; `what` are bits of `WHAT`. Throws DataError for infinite members, with the
 * name that `subject` gives them.
 */
export function* caseBlocks(
  skill: Skill,
  { members, observations }: Cases,
  what: number,
  subject = 'members',
): Generator<CaseBlock> {
  const { memory, kernels } = skill.tools;
  const cases = observations.length;
  if (cases === 0) return;
  const mark = memory.mark();
  try {
    const rows = new MemberBlocks(skill, members);
    const { block } = rows;
    const observed = memory.scratch(8 * block + 64);
    const column = memory.scratch(kernels.columnBytes(members.length));
    const outBytes = 8 * block + 64;
    const outRows = ROWS + (what & WHAT.sorted ? members.length : 0);
    const out = memory.scratch(outBytes * (outRows + COUNT_ROWS));
    const counts = out + outBytes * outRows;
    const score = rows.isSingle ? kernels.scoreCasesF32 : kernels.scoreCasesF64;
    for (let from = 0; from < cases; from += block) {
      const count = Math.min(block, cases - from);
      rows.copy(from, from + count);
      memory.float64(observed, count).set(observations.subarray(from, from + count));
      score(rows.address, rows.rowBytes, members.length, observed, count, what, column, out, counts, outBytes);
      const row = (k: number) => memory.float64(out + k * outBytes, count);
      const countRow = (k: number) => memory.int32(counts + k * outBytes, count);
      const valid = countRow(0);
      if (valid.includes(-1)) {
        members.forEach((values, m) => {
          assertFinite(`${subject}[${m}]`, values);
        });
      }
      yield {
        ...{ from, cases: count, crps: row(0), fairCrps: row(1), mean: row(2), error: row(3), variance: row(4) },
        ...{ valid, below: countRow(1), equal: countRow(2) },
        sorted: Array.from({ length: outRows - ROWS }, (_, k) => row(ROWS + k)),
      };
    }
  } finally {
    memory.release(mark);
  }
}

/** For each case how many members are above a limit, and how many are not; missing members are neither. */
export function countAbove(
  skill: Skill,
  members: readonly FloatArray[],
  limit: number,
): { readonly above: Int32Array; readonly others: Int32Array } {
  const { memory, kernels } = skill.tools;
  const cases = members[0].length;
  const above = new Int32Array(cases);
  const others = new Int32Array(cases);
  if (cases === 0) return { above, others };
  const mark = memory.mark();
  try {
    const rows = new MemberBlocks(skill, members);
    const countBytes = 4 * rows.block + 64;
    const counts = memory.scratch(2 * countBytes);
    const count = rows.isSingle ? kernels.countAboveF32 : kernels.countAboveF64;
    for (let from = 0; from < cases; from += rows.block) {
      const size = Math.min(rows.block, cases - from);
      rows.copy(from, from + size);
      count(rows.address, rows.rowBytes, members.length, size, limit, counts, countBytes);
      above.set(memory.int32(counts, size), from);
      others.set(memory.int32(counts + countBytes, size), from);
    }
    return { above, others };
  } finally {
    memory.release(mark);
  }
}
