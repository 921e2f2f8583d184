import { assertShape } from '../../check/assert-shape.js';
import { assertCore } from '../../core/assert-core.js';
import { type Core, loadCore } from '../../core/load.js';
import { assertVariables } from '../../variable/assert-variable.js';
import type { Variable } from '../../variable/variable.js';
import type { Answers } from './answers.js';
import { AvailableVariables } from './available-variables.js';
import { CoreBuffers } from './core-buffers.js';
import { membersAnswer, statisticsAnswer } from './forecast-answers.js';
import { historyAnswer, legacyHistoryAnswer } from './history-answers.js';
import { legacyClimatologyAnswer } from './legacy-climatology.js';
import { legacyForecastAnswer } from './legacy-forecast.js';
import { PointClimatologies } from './point-climatology.js';
import { SeriesBuffers } from './point-series.js';

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
  assertShape('options', options, {});
  const { core, variables } = options;
  if (core !== undefined && !('then' in Object(core))) assertCore(core);
  assertVariables(variables);
  if (core === undefined) return createAnswersWith(loadCore, MAX_CORE_BYTES, variables);
  return createAnswersWith(async () => core, Number.POSITIVE_INFINITY, variables);
}

/**
 * As `createAnswers`, with cores from `load`: a new one is loaded where the memory of the last one is larger than
 * `maxCoreBytes`.
 */
export function createAnswersWith(
  load: () => Promise<Core>,
  maxCoreBytes: number,
  variables: readonly Variable[] | undefined,
): Answers {
  const available = new AvailableVariables(variables);
  const buffers = new SeriesBuffers();
  let tools: Tools | Promise<Tools> | undefined;
  const withCore = (loaded: Core) => {
    assertCore(loaded);
    const coreBuffers = new CoreBuffers(loaded);
    tools = { core: loaded, available, buffers, coreBuffers, climatologies: new PointClimatologies(loaded) };
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
  const use = <T>(answer: (tools: Tools) => T | Promise<T>): T | Promise<T> => {
    const now = ready();
    if (!(now instanceof Promise)) return answer(now);
    now.catch(failed);
    return now.then(answer);
  };
  return {
    members: async (data, query) => use((all) => membersAnswer(all, data, query)),
    statistics: (data, query, pause) => use((all) => statisticsAnswer(all, data, query, pause)),
    history: async (data, query, pause) => use((all) => historyAnswer(all, data, query, pause)),
    legacyForecast: async (data, horizon, query, pause) =>
      use((all) => legacyForecastAnswer(all, data, horizon, query, pause)),
    legacyHistory: async (data, query) => use((all) => legacyHistoryAnswer(all, data, query)),
    legacyClimatology: async (data, query, pause) => use((all) => legacyClimatologyAnswer(all, data, query, pause)),
  };
}

interface Tools {
  readonly core: Core;
  readonly available: AvailableVariables;
  readonly buffers: SeriesBuffers;
  readonly coreBuffers: CoreBuffers;
  readonly climatologies: PointClimatologies;
}
