import type { Point } from '../../ensemble/nearest-place.js';
import type { PointAnswer, PointsAnswer, WrittenBodies } from '../../respond/answer-data.js';
import type { Pause } from '../point/pause.js';
import { ProblemError, problemDocument } from '../problem-error.js';

/** Answers about several points. */
export interface PointAnswers<Answer> extends PointsAnswer<Answer> {
  /** Where no point has an answer: the problem of the first one. */
  readonly failure?: ProblemError;
  /**
   * Where the data of some points cannot be read: the problem of the first of them. JSON has it in the place of the point;
   * where no other point has an answer, and in tables, it is the problem of the response.
   */
  readonly fault?: ProblemError;
}

/** The bodies of some of several points, and what to wait for before the next ones are written. */
export interface WrittenPoints extends WrittenBodies {
  /** Whether `bytes` are the body of the request. */
  readonly isBody: boolean;
  readonly paused: Promise<void> | undefined;
}

/** What answers about one point and about several. */
export interface PointAnswerer<Answer> {
  /** The answer about a point. Throws, or rejects with, ProblemError and what reading throws. */
  compute(point: Point): Answer | Promise<Answer>;
  /** The bodies of some points from the one at `from` on, where these can be written at once. */
  writeSome(points: readonly Point[], from: number): WrittenPoints | undefined;
}

/** The answers to so many points are awaited at once: reading from afar takes long, and little work. */
const MAX_AWAITED = 8;

/** What became of a point: its answer or problem, or what else failed. */
type Outcome<Answer> = PointAnswer<Answer> | { readonly error: unknown };

/**
 * The answers to several points, or their body, with pauses between them. Rejects with what `compute` throws for the first point that
 * fails, except for problems of single points, which are part of the answer.
 */
export async function answerPoints<Answer>(
  requested: readonly Point[],
  pause: Pause,
  { compute, writeSome }: PointAnswerer<Answer>,
): Promise<PointAnswers<Answer> | Uint8Array> {
  const problems: ProblemError[] = [];
  const answerAt = async (p: number): Promise<Outcome<Answer>> => {
    const { latitude, longitude } = requested[p];
    try {
      return { requested: { latitude, longitude }, answer: await compute(requested[p]) };
    } catch (error) {
      if (!(error instanceof ProblemError && error.isOfPoint)) return { error };
      problems[p] = error;
      return { problem: problemDocument(error) };
    }
  };
  const begun: (Outcome<Answer> | Promise<Outcome<Answer>>)[] = [];
  try {
    for (let p = 0; p < requested.length; ) {
      const bodies = writeSome(requested, p);
      if (bodies?.isBody) return bodies.bytes;
      begun.push(bodies === undefined ? answerAt(p) : { bodies });
      p += bodies?.points ?? 1;
      if (begun.length >= MAX_AWAITED && 'error' in (await begun[begun.length - MAX_AWAITED])) break;
      if (p < requested.length) await (bodies?.paused ?? pause());
    }
  } finally {
    // Reads under way write to memory that is used again.
    await Promise.all(begun);
  }
  const points = (await Promise.all(begun)).map((outcome) => {
    if ('error' in outcome) throw outcome.error;
    return outcome;
  });
  const fault = problems.find((problem) => problem?.isOfSource);
  return points.every(({ problem }) => problem !== undefined)
    ? { points, failure: problems[0], fault }
    : { points, fault };
}
