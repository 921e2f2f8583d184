/**
 * The functions of the WebAssembly module. Addresses and byte counts are unsigned 32-bit integers; `assembly/` draws the
 * memory layouts. A test compares these names with the module's exports.
 */
export interface CoreExports {
  heapBase(): number;

  planBytes(members: number, quantiles: number): number;
  /** Begins a plan and returns the address to write its probabilities (f64) to. */
  beginPlan(plan: number, members: number, quantiles: number, type: number): number;

  anyInfiniteF32: AnyInfinite;
  anyInfiniteF64: AnyInfinite;
  firstInfiniteF32: FirstInfinite;
  firstInfiniteF64: FirstInfinite;

  totalSeriesF32: TotalSeries;
  totalSeriesF64: TotalSeries;
  totalFieldF32: TotalField;
  totalFieldF64: TotalField;
  minimumF32: WindowsByRule;
  minimumF64: WindowsByRule;
  maximumF32: WindowsByRule;
  maximumF64: WindowsByRule;
  countF32: WindowsByRule;
  countF64: WindowsByRule;
  raw(members: number, memberCount: number, offset: number, bytes: number, rows: number, rowBytes: number): void;
  windowDays(windows: number, windowCount: number, cells: number, row: number): void;

  memberMeansF32: MemberMeans;
  memberMeansF64: MemberMeans;
  trajectoryValues(
    values: number,
    memberCount: number,
    member: number,
    order: number,
    trajectories: number,
    locations: number,
    out: number,
  ): void;
  sidesOfMeanF32: SidesOfMean;
  sidesOfMeanF64: SidesOfMean;
  rankMembers(values: number, members: number, locations: number, ranks: number): void;
  joinMembers(
    ranks: number,
    trajectories: number,
    memberRanks: number,
    members: number,
    locations: number,
    earlier: number,
    earlierOrder: number,
    earlierMembers: number,
    rules: number,
    swaps: number,
    rows: number,
    memberAt: number,
    order: number,
    member: number,
    switchDay: number,
  ): void;
  gatherF32: Gather;
  gatherF64: Gather;

  statisticsF32: Statistics;
  statisticsF64: Statistics;
  statisticsRawF32: Statistics;

  categoriesF32: Categories;
  categoriesF64: Categories;
  categoriesRawF32: Categories;

  poolsF32: Pools;
  poolsF64: Pools;
}

/** Returns 1 if a value is infinite, else 0. */
type AnyInfinite = (
  members: number,
  memberCount: number,
  offset: number,
  runBytes: number,
  runs: number,
  count: number,
) => number;

type FirstInfinite = (values: number, count: number) => number;

type TotalSeries = (
  members: number,
  memberCount: number,
  offset: number,
  cellStride: number,
  cells: number,
  windows: number,
  windowCount: number,
  rows: number,
  rowBytes: number,
) => void;

type TotalField = (
  members: number,
  memberCount: number,
  offset: number,
  dayStride: number,
  cells: number,
  days: number,
  rows: number,
  rowBytes: number,
  spare: number,
) => void;

/** Returns 1 if a mean is infinite, else 0. */
type MemberMeans = (
  members: number,
  memberCount: number,
  offset: number,
  cellStride: number,
  locations: number,
  days: number,
  values: number,
) => number;

type SidesOfMean = (
  members: number,
  memberCount: number,
  offset: number,
  cellStride: number,
  locations: number,
  sides: number,
) => void;

type Gather = (
  members: number,
  offset: number,
  cellStride: number,
  shift: number,
  end: number,
  member: number,
  from: number,
  to: number,
  places: number,
  trajectories: number,
  locations: number,
  days: number,
  out: number,
  outBytes: number,
) => void;

type WindowsByRule = (
  members: number,
  memberCount: number,
  offset: number,
  dayStride: number,
  cellStride: number,
  cells: number,
  windows: number,
  windowCount: number,
  rows: number,
  rowBytes: number,
) => void;

/** The bits that `Statistics` returns: a member of a result was missing; the sum of the others was infinite. */
export const MISSING = 1;
export const INFINITE = 2;

type Statistics = (
  rows: number,
  rowBytes: number,
  members: number,
  lanes: number,
  divisors: number,
  required: number,
  plan: number,
  spread: number,
  thresholds: number,
  thresholdCount: number,
  out: number,
  outBytes: number,
  counts: number,
) => number;

type Categories = (
  rows: number,
  rowBytes: number,
  members: number,
  lanes: number,
  divisors: number,
  required: number,
  plan: number,
  limits: number,
  limitBytes: number,
  limitCount: number,
  lower: number,
  out: number,
  outBytes: number,
  counts: number,
) => void;

type Pools = (
  samples: number,
  changes: number,
  keys: number,
  required: number,
  plan: number,
  buffers: number,
  bufferBytes: number,
  thresholds: number,
  thresholdCount: number,
  out: number,
  outBytes: number,
  counts: number,
) => void;
