/** The place of bytes within a value or a file. */
export interface ByteSpan {
  readonly offset: number;
  readonly length: number;
}

/** Spans that are read together. */
export interface ByteRun<T> extends ByteSpan {
  readonly parts: readonly T[];
}

/** Reading up to this many unneeded bytes is cheaper than a second read. */
const MAX_GAP = 32_768;

/** A run is at most this long, unless a single span is longer. */
const MAX_RUN = 4_194_304;

/** Groups spans that lie near each other; all of them if the store cannot read ranges. */
export function byteRuns<T extends ByteSpan>(spans: readonly T[], hasRanges: boolean): ByteRun<T>[] {
  const runs: { offset: number; length: number; parts: T[] }[] = [];
  for (const span of [...spans].sort((a, b) => a.offset - b.offset)) {
    const run = runs.at(-1);
    const end = span.offset + span.length;
    const isNear = run && span.offset <= run.offset + run.length + MAX_GAP && end <= run.offset + MAX_RUN;
    if (run && (isNear || !hasRanges)) {
      run.length = Math.max(run.length, end - run.offset);
      run.parts.push(span);
    } else {
      runs.push({ offset: span.offset, length: span.length, parts: [span] });
    }
  }
  return runs;
}
