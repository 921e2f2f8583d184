import type { BlockShape } from './block-format.js';
import type { BlockIntegers } from './block-integers.js';

/** How the integers of a block are packed: in groups of whole days, each with a width and a floor of its own. */
export interface GroupPlan {
  readonly isSparse: boolean;
  readonly groupDays: number;
  /** What is subtracted from all integers first. */
  readonly base: number;
  /** Sixteenths of the day before that are subtracted then; 0 where zeros are apart. */
  readonly coefficient: number;
  /** Of each group: the width, or where zeros are apart that plus 1, and 0 for a group of zeros. */
  readonly codes: Uint8Array;
  /** The least number of each group. */
  readonly floors: Int32Array;
  readonly minCode: number;
  readonly codeBits: number;
  readonly minFloor: number;
  readonly floorBits: number;
  /** Bytes of codes, floors and groups. */
  readonly codeBytes: number;
  readonly floorBytes: number;
  readonly groupBytes: number;
}

/** Members and days of a group are about so many values. */
const GROUP_VALUES = 32;
/** The same of one member, whose blocks are long: fewer groups are decoded faster. */
const SINGLE_GROUP_VALUES = 96;
/** The most days of a group. */
const MAX_GROUP_DAYS = 255;
/** Zeros are tried apart where they are at least this share. */
const MIN_ZEROS = 1 / 16;

/** The plan that takes the fewest bytes. */
export function planGroups(block: BlockIntegers, shape: BlockShape): GroupPlan {
  const { integers, zero, zeros } = block;
  const groupValues = shape.members === 1 ? SINGLE_GROUP_VALUES : GROUP_VALUES;
  const days = Math.min(MAX_GROUP_DAYS, Math.max(1, Math.round(groupValues / shape.members)));
  const isMostlyZero = zeros >= MIN_ZEROS * integers.length;
  const plans: GroupPlan[] = [];
  if (isMostlyZero) {
    for (const groupDays of [days, 2 * days]) plans.push(...planSparse(integers, shape, groupDays, zero));
  }
  // Where most are zeros, nothing can be predicted from the day before.
  if (!isMostlyZero || zeros < integers.length / 2) {
    const base = middle(integers);
    // Of one member, what is predicted from day to day would be computed value after value.
    const coefficients = shape.members === 1 ? [0] : [0, fitCoefficient(integers, shape.members, base), 16];
    const dense = [...new Set(coefficients)].map((c) => planDense(integers, shape, days, base, c));
    const { coefficient } = smallest(dense);
    plans.push(...dense, planDense(integers, shape, 2 * days, base, coefficient));
  }
  return smallest(plans);
}

/** The bytes of a plan. */
export function planBytes({ codeBytes, floorBytes, groupBytes }: GroupPlan): number {
  return codeBytes + floorBytes + groupBytes;
}

function smallest(plans: readonly GroupPlan[]): GroupPlan {
  return plans.reduce((best, plan) => (planBytes(plan) < planBytes(best) ? plan : best));
}

/** The bits of a number without a sign. */
function bitsFor(span: number): number {
  return 32 - Math.clz32(span);
}

/** An integer near the mean. */
function middle(integers: Int32Array): number {
  let sum = 0;
  for (let i = 0; i < integers.length; i++) sum += integers[i];
  return Math.round(sum / integers.length);
}

/**
 * The sixteenths of the day before that predict a day best, where what all members of a day have in common costs
 * nothing: the floor of their group holds it.
 */
function fitCoefficient(integers: Int32Array, members: number, base: number): number {
  let products = 0;
  let squares = 0;
  let before = base;
  for (let row = members; row < integers.length; row += members) {
    let sum = 0;
    for (let i = row; i < row + members; i++) sum += integers[i];
    const mean = sum / members;
    if (row > members) {
      for (let i = row; i < row + members; i++) {
        const earlier = integers[i - members] - before;
        products += earlier * (integers[i] - mean);
        squares += earlier * earlier;
      }
    }
    before = mean;
  }
  return squares > 0 ? Math.max(0, Math.min(16, Math.round((16 * products) / squares))) : 0;
}

/** What is packed of a number: `x` is that number, `before` that of the day before. */
export function residual(x: number, before: number, coefficient: number): number {
  return (x - (Math.imul(before, coefficient) >> 4)) | 0;
}

function planDense(
  integers: Int32Array,
  { members, days }: BlockShape,
  groupDays: number,
  base: number,
  coefficient: number,
): GroupPlan {
  const groups = Math.ceil(days / groupDays);
  const codes = new Uint8Array(groups);
  const floors = new Int32Array(groups);
  let bits = 0;
  for (let g = 0, from = 0; g < groups; g++) {
    const to = Math.min(integers.length, from + groupDays * members);
    let low = 2_147_483_647;
    let high = -2_147_483_648;
    for (let i = from; i < to; i++) {
      const x = (integers[i] - base) | 0;
      const r = i < members ? x : residual(x, (integers[i - members] - base) | 0, coefficient);
      if (r < low) low = r;
      if (r > high) high = r;
    }
    floors[g] = low;
    codes[g] = bitsFor(high - low);
    bits += codes[g] * (to - from);
    from = to;
  }
  return packedPlan({ isSparse: false, groupDays, base, coefficient, codes, floors }, bits);
}

/** Plans with zeros apart: with a floor for each group, and with one for all. */
function planSparse(integers: Int32Array, { members, days }: BlockShape, groupDays: number, base: number): GroupPlan[] {
  if (groupDays > MAX_GROUP_DAYS) return [];
  const groups = Math.ceil(days / groupDays);
  const lows = new Int32Array(groups);
  const highs = new Int32Array(groups);
  const counts = new Int32Array(groups);
  const sizes = new Int32Array(groups);
  let least = 2_147_483_647;
  for (let g = 0, from = 0; g < groups; g++) {
    const to = Math.min(integers.length, from + groupDays * members);
    let low = 2_147_483_647;
    let high = -2_147_483_648;
    let count = 0;
    for (let i = from; i < to; i++) {
      const x = (integers[i] - base) | 0;
      if (x === 0) continue;
      count++;
      if (x < low) low = x;
      if (x > high) high = x;
    }
    lows[g] = low;
    highs[g] = high;
    counts[g] = count;
    sizes[g] = to - from;
    if (low < least) least = low;
    from = to;
  }
  if (least === 2_147_483_647) least = 0;
  return [true, false].map((hasOneFloor) => {
    const codes = new Uint8Array(groups);
    const floors = new Int32Array(groups).fill(least);
    let bits = 0;
    for (let g = 0; g < groups; g++) {
      if (counts[g] === 0) continue;
      if (!hasOneFloor) floors[g] = lows[g];
      const width = bitsFor(highs[g] - floors[g]);
      codes[g] = width + 1;
      bits += sizes[g] + counts[g] * width;
    }
    return packedPlan({ isSparse: true, groupDays, base, coefficient: 0, codes, floors }, bits);
  });
}

function packedPlan(
  plan: Pick<GroupPlan, 'isSparse' | 'groupDays' | 'base' | 'coefficient' | 'codes' | 'floors'>,
  bits: number,
): GroupPlan {
  const { codes, floors } = plan;
  let [minCode, maxCode] = [255, 0];
  let [minFloor, maxFloor] = [2_147_483_647, -2_147_483_648];
  for (let g = 0; g < codes.length; g++) {
    if (codes[g] < minCode) minCode = codes[g];
    if (codes[g] > maxCode) maxCode = codes[g];
    if (floors[g] < minFloor) minFloor = floors[g];
    if (floors[g] > maxFloor) maxFloor = floors[g];
  }
  const codeBits = bitsFor(maxCode - minCode);
  const floorBits = bitsFor(maxFloor - minFloor);
  const bytes = (count: number) => Math.ceil(count / 8);
  return {
    ...plan,
    ...{ minCode, codeBits, minFloor, floorBits },
    codeBytes: bytes(codes.length * codeBits),
    floorBytes: bytes(codes.length * floorBits),
    groupBytes: bytes(bits),
  };
}
