import { assertShape } from '../../check/option-checks.js';
import { assertCore } from '../../core/assert-core.js';
import { type Core, loadCore } from '../../core/load.js';
import type {
  HistoryAnswer,
  LegacyClimatologyAnswer,
  LegacyForecastAnswer,
  LegacyHistoryAnswer,
  MembersAnswer,
  StatisticsAnswer,
} from '../../respond/answer-data.js';
import { assertVariables } from '../../variable/find-variable.js';
import type { Variable } from '../../variable/variable.js';
import { AvailableVariables } from '../point/available-variables.js';
import { CoreBuffers, WindowTables } from '../point/core-buffers.js';
import type { Pause } from '../point/pause.js';
import { PointClimatologies } from '../point/point-climatology.js';
import { SeriesBuffers } from '../point/series.js';
import type { Snapshot } from '../source/source.js';
import type { ForecastQuery } from './current-endpoint.js';
import type { Tools } from './endpoint.js';
import { computeMembers } from './forecast.js';
import { forecastStatistics, type StatisticsParameters } from './forecast-statistics.js';
import { computeHistory, type HistoryParameters } from './history.js';
import { computeLegacyClimatology, type LegacyPeriodParameters } from './legacy-climatology.js';
import type { LegacyParameters } from './legacy-endpoint.js';
import { computeLegacyForecast, type LegacyForecastParameters } from './legacy-forecast.js';
import { computeLegacyHistory } from './legacy-history.js';
import { StatisticsBodies } from './statistics-bodies.js';

/**
 * Reads and computes the answers to requests. Each method throws, or rejects with, ProblemError where the data cannot
 * answer: a location that is not covered (404), a variable that is not available (400), no such data at all (503); and
 * whatever the source throws. Long work calls `pause` now and then, and waits for the promise that it returns.
 */
export interface Answers {
  members(data: Snapshot, query: ForecastQuery, pause?: Pause): Promise<MembersAnswer>;
  statistics(data: Snapshot, query: StatisticsParameters, pause?: Pause): StatisticsAnswer | Promise<StatisticsAnswer>;
  history(data: Snapshot, query: HistoryParameters, pause?: Pause): Promise<HistoryAnswer>;
  legacyForecast(data: Snapshot, query: LegacyForecastParameters, pause?: Pause): Promise<LegacyForecastAnswer>;
  legacyHistory(data: Snapshot, query: LegacyParameters, pause?: Pause): Promise<LegacyHistoryAnswer>;
  legacyClimatology(data: Snapshot, query: LegacyPeriodParameters, pause?: Pause): Promise<LegacyClimatologyAnswer>;
  /** The memory of what computes, for metrics; undefined before it is loaded. */
  coreBytes?(): number | undefined;
}

export interface AnswersOptions {
  /** The core to compute with, or a promise of it. Default: that of the package, loaded with the first request. */
  readonly core?: Core | PromiseLike<Core>;
  /** Additional variables that the data may have. */
  readonly variables?: readonly Variable[];
}

/**
 * A core's memory never shrinks: the package's own core is replaced by a new one where its memory is larger than this.
 */
const MAX_CORE_BYTES = 67_108_864;

/** Creates what computes the answers of a service: with one core, as computing never waits. */
export function createAnswers(options: AnswersOptions = {}): Answers {
  return createOwnAnswers(options);
}

/** How an answer is computed, and a method that does it. */
type Compute<Query, Answer> = (tools: Tools, data: Snapshot, query: Query, pause?: Pause) => Answer | Promise<Answer>;
type AnswerTo<Query, Answer> = (data: Snapshot, query: Query, pause?: Pause) => Answer;

/** The answers of this package, which write the bodies of usual requests themselves. */
export interface OwnAnswers extends Answers {
  /** What writes bodies at once; undefined until a core is loaded. */
  bodies(): StatisticsBodies | undefined;
}

interface OwnTools extends Tools {
  readonly bodies: StatisticsBodies;
}

/** Like `createAnswers`. */
export function createOwnAnswers(options: AnswersOptions = {}): OwnAnswers {
  assertShape('options', options, {});
  const { core, variables } = options;
  if (core !== undefined && !('then' in Object(core))) assertCore(core);
  assertVariables(variables);
  if (core === undefined) return createAnswersWith(loadCore, MAX_CORE_BYTES, variables);
  return createAnswersWith(async () => core, Number.POSITIVE_INFINITY, variables, true);
}

/**
 * Like `createAnswers`, with cores from `load`: a new one is loaded where the memory of the last one is larger than
 * `maxCoreBytes`. Others may use a core that is shared.
 */
export function createAnswersWith(
  load: () => Promise<Core>,
  maxCoreBytes: number,
  variables: readonly Variable[] | undefined,
  isShared = false,
): OwnAnswers {
  const available = new AvailableVariables(variables);
  const buffers = new SeriesBuffers();
  const windows = new WindowTables();
  let tools: OwnTools | Promise<OwnTools> | undefined;
  const withCore = (loaded: Core) => {
    assertCore(loaded);
    const coreBuffers = new CoreBuffers(loaded, { isShared });
    const climatologies = new PointClimatologies(loaded);
    const bodies = new StatisticsBodies(coreBuffers);
    tools = { core: loaded, available, buffers, coreBuffers, climatologies, windows, bodies };
    return tools;
  };
  const ready = () => {
    if (tools !== undefined && !(tools instanceof Promise)) {
      if (tools.core.memory.wasm.buffer.byteLength <= maxCoreBytes) return tools;
      tools = undefined;
    }
    tools ??= load().then(withCore);
    return tools;
  };
  const failed = () => {
    tools = undefined;
  };
  const answerBy =
    <Query, Answer>(compute: Compute<Query, Answer>): AnswerTo<Query, Answer | Promise<Answer>> =>
    (data, query, pause) => {
      const now = ready();
      if (!(now instanceof Promise)) return compute(now, data, query, pause);
      now.catch(failed);
      return now.then((loaded) => compute(loaded, data, query, pause));
    };
  const laterBy = <Query, Answer>(compute: Compute<Query, Answer>): AnswerTo<Query, Promise<Answer>> => {
    const answer = answerBy(compute);
    return async (data, query, pause) => answer(data, query, pause);
  };
  return {
    coreBytes: () => (tools instanceof Promise ? undefined : tools?.core.memory.wasm.buffer.byteLength),
    bodies: () => {
      const now = ready();
      if (!(now instanceof Promise)) return now.bodies;
      now.catch(failed);
      return undefined;
    },
    members: laterBy(computeMembers),
    statistics: answerBy(forecastStatistics),
    history: laterBy(computeHistory),
    legacyForecast: laterBy(computeLegacyForecast),
    legacyHistory: laterBy(computeLegacyHistory),
    legacyClimatology: laterBy(computeLegacyClimatology),
  };
}
