import type { PointsAnswer } from '../answer-data.js';
import type { BodyContent } from '../body.js';
import type { JsonWriter } from '../json-writer.js';
import { writePlain } from '../write-fields.js';
import type { JsonPart } from './write-body.js';

/** What an answer about one point has at least. */
interface OnePoint {
  readonly variables: readonly object[];
}

/**
 * What the answers about several points are written from; `contentOf` returns that of one of them. As JSON, `points` is
 * a list of the body of each point, or its problem. Tables have the rows of all points, each with the requested
 * coordinates; points with problems have no rows, and at least one point must have an answer.
 */
export function pointsContent<Answer extends OnePoint>(
  { points }: PointsAnswer<Answer>,
  contentOf: (answer: Answer) => BodyContent,
): BodyContent {
  const contents = points.map(({ answer }) => answer && contentOf(answer));
  return {
    columns: contents.flatMap((content) => content?.columns ?? []),
    writtenBytes: points.reduce((count, { bodies }) => count + (bodies?.bytes.length ?? 0), 0),
    json: (writer) => [
      part(() => beginPoints(writer)),
      ...points.flatMap(
        ({ bodies, problem }, p) =>
          contents[p]?.json(writer) ?? part(() => (bodies ? writer.json(bodies.bytes) : writePlain(writer, problem))),
      ),
      part(() => endPoints(writer)),
    ],
    tables: (write, isShared) => contentOf(joinAnswers(points)).tables(write, isShared),
  };
}

/** What is before the answers. */
export function beginPoints(writer: JsonWriter): void {
  writer.beginObject();
  writer.name('points');
  writer.beginArray();
}

/** What is behind them. */
export function endPoints(writer: JsonWriter): void {
  writer.endArray();
  writer.endObject();
}

function part(write: () => void): JsonPart {
  return { rows: 0, write };
}

/** One answer with the variables of all points, each with the coordinates that were requested. */
function joinAnswers<Answer extends OnePoint>(points: PointsAnswer<Answer>['points']): Answer {
  const answered = points.flatMap((point) => ('requested' in point ? point : []));
  const variables = answered.flatMap(({ requested, answer }) =>
    (answer as Answer).variables.map((variable) => ({ ...variable, requested })),
  );
  return { ...(answered[0].answer as Answer), variables };
}
