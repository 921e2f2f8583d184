import type { Location, PointAnswer, PointsAnswer } from '../../respond/answer-data.js';
import { eachAwaited, type Pause } from '../point/pause.js';
import { problemDocument } from '../problem-document.js';
import { ProblemError } from '../problem-error.js';
import type { DataQuery } from './endpoint.js';

/** Answers about several points. */
export interface PointAnswers<Answer> extends PointsAnswer<Answer> {
  /** Where no point has an answer: the problem of the first one. */
  readonly failure?: ProblemError;
}

/**
 * The answer to a query: that of `compute`, which may also be its body as JSON; or where several points are requested
 * those to all of them, one after the other with pauses between them. Rejects with what `compute` throws, except for
 * problems of single points, which are part of the answer.
 */
export function answerQuery(query: DataQuery, pause: Pause, compute: (query: DataQuery) => unknown): unknown {
  return query.points === undefined ? compute(query) : answerPoints(query, query.points, pause, compute);
}

async function answerPoints(
  query: DataQuery,
  requested: readonly Location[],
  pause: Pause,
  compute: (query: DataQuery) => unknown,
): Promise<PointAnswers<unknown>> {
  let failure: ProblemError | undefined;
  const points = await eachAwaited(requested, pause, async (point): Promise<PointAnswer<unknown>> => {
    try {
      const answer = await compute(Object.assign({}, query, { point, points: undefined }));
      return answer instanceof Uint8Array ? { requested: point, body: answer } : { requested: point, answer };
    } catch (error) {
      if (!(error instanceof ProblemError && error.isOfPoint)) throw error;
      failure ??= error;
      return { requested: point, problem: problemDocument(error) };
    }
  });
  return points.every(({ problem }) => problem !== undefined) ? { points, failure } : { points };
}
