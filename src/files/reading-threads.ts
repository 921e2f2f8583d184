/** From these sizes on threads gain more than their start and the copies take: if they were requested, and if not. */
const LONG_FOR_THREADS = {
  text: { requested: 16_777_216, usual: 134_217_728 },
  parquet: { requested: 134_217_728, usual: 134_217_728 },
};

/** More gain nothing: the calling thread computes what they read. */
const MAX_USUAL_THREADS = 8;

/** How many threads read a file of text or Parquet, of `processors` where no number is requested. */
export function readingThreads(
  form: keyof typeof LONG_FOR_THREADS,
  bytes: number,
  requested: number | undefined,
  processors: number,
): number {
  const least = LONG_FOR_THREADS[form][requested === undefined ? 'usual' : 'requested'];
  return bytes < least ? 1 : (requested ?? Math.min(MAX_USUAL_THREADS, processors));
}
