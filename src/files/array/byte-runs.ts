/** Where bytes are within a value or a file. */
export interface ByteSpan {
  readonly offset: number;
  readonly length: number;
}

/** Spans that are read at once. */
export interface ByteRun<T> extends ByteSpan {
  readonly parts: readonly T[];
}

/** Bytes that are worth reading in vain rather than to read twice. */
const GAP = 32_768;

/** A run is no longer than this, unless one part of it is. */
const LONGEST = 4_194_304;

/** Puts spans together that lie near each other; all of them where parts of the value cannot be read by themselves. */
export function byteRuns<T extends ByteSpan>(spans: readonly T[], hasRanges: boolean): ByteRun<T>[] {
  const runs: { offset: number; length: number; parts: T[] }[] = [];
  for (const span of [...spans].sort((a, b) => a.offset - b.offset)) {
    const run = runs.at(-1);
    const end = span.offset + span.length;
    const isNear = run && span.offset <= run.offset + run.length + GAP && end <= run.offset + LONGEST;
    if (run && (isNear || !hasRanges)) {
      run.length = Math.max(run.length, end - run.offset);
      run.parts.push(span);
    } else {
      runs.push({ offset: span.offset, length: span.length, parts: [span] });
    }
  }
  return runs;
}
