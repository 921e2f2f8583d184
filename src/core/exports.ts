/**
 * The functions of the WebAssembly module. Addresses and byte counts are unsigned 32-bit integers; `assembly/` draws
 * the memory layouts. A test compares these names with the module's exports.
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

  /** A `WindowJob`, as for the five after it. */
  totalSeriesF32: JobKernel;
  totalSeriesF64: JobKernel;
  totalFieldF32: JobKernel;
  totalFieldF64: JobKernel;
  windowsByF32: JobKernel;
  windowsByF64: JobKernel;
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
  /** `column` has `sortBytes(members)` bytes of scratch. */
  orderMembers(values: number, members: number, locations: number, column: number, order: number): void;
  sortBytes(members: number): number;
  /** A `SeamJob`. */
  joinMembers: JobKernel;

  departures(
    values: number,
    cellBytes: number,
    cells: number,
    order: number,
    members: number,
    days: number,
    out: number,
    memberBytes: number,
  ): void;
  addColumns(
    values: number,
    members: number,
    memberBytes: number,
    rows: number,
    columns: number,
    parts: number,
    areSquared: number,
    out: number,
    outBytes: number,
    outStride: number,
  ): void;
  lagCorrelations(
    first: number,
    second: number,
    members: number,
    memberBytes: number,
    dayBytes: number,
    lags: number,
    out: number,
  ): void;
  memberProducts(
    members: number,
    earlierBytes: number,
    laterBytes: number,
    later: number,
    bytes: number,
    columns: number,
    weights: number,
    pairs: number,
    pairCount: number,
    divisor: number,
    scratch: number,
    out: number,
  ): void;
  exchangePartners(partners: number, members: number, aims: number, count: number, steps: number): void;

  /** A `GatherJob`, as for the next. */
  gatherF32: JobKernel;
  gatherF64: JobKernel;
  /** A `SelectDaysJob`, as for the next. */
  selectDaysF32: JobKernel;
  selectDaysF64: JobKernel;
  /** A `CopyDaysJob`. */
  copyDays: JobKernel;
  /** A `GatherWindowsJob`. */
  gatherWindows: JobKernel;

  statisticsF32: Statistics;
  statisticsF64: Statistics;
  statisticsRawF32: Statistics;

  /** A `StatisticsJob`, as for the next two. */
  categoriesF32: JobKernel;
  categoriesF64: JobKernel;
  categoriesRawF32: JobKernel;

  /** A `PoolJob`, as for the next. */
  poolsF32: JobKernel;
  poolsF64: JobKernel;

  /** Takes the address of a `TextJob`; returns the address where the text ends, or 0. */
  writeNumbersF32(job: number): number;
}

/** Takes the address of a job of the class that is named with the kernel. */
type JobKernel = (job: number) => void;

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

/** Takes the address of a `MeansJob`; returns 1 if a mean is infinite, else 0. */
type MemberMeans = (job: number) => number;

/** Takes the address of a `StatisticsJob`; returns the flags MISSING and INFINITE. */
type Statistics = (job: number) => number;
