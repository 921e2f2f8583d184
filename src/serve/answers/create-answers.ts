import { assertShape } from '../../assert-shape.js';
import { assertCore } from '../../core/assert-core.js';
import { type Core, loadCore } from '../../core/load.js';
import { assertVariables } from '../../variable/assert-variable.js';
import type { Variable } from '../../variable/variable.js';
import type { Answers } from './answers.js';
import { AvailableVariables } from './available-variables.js';
import { CoreRooms } from './core-rooms.js';
import { membersAnswer, statisticsAnswer } from './forecast-answers.js';
import { historyAnswer, legacyHistoryAnswer } from './history-answers.js';
import { legacyClimatologyAnswer } from './legacy-climatology.js';
import { legacyForecastAnswer } from './legacy-forecast.js';
import { PointClimatologies } from './point-climatology.js';
import { SeriesBuffers } from './point-series.js';

export interface AnswersOptions {
  /** The core to compute with, or a promise of it. Default: that of the package, loaded with the first request. */
  readonly core?: Core | PromiseLike<Core>;
  /** Variables of your own that the data may have. */
  readonly variables?: readonly Variable[];
}

/** What computes the answers of a service: with one core, as computing never waits. */
export function createAnswers(options: AnswersOptions = {}): Answers {
  assertShape('options', options, {});
  const { core, variables } = options;
  if (core !== undefined && !('then' in Object(core))) assertCore(core);
  assertVariables(variables);
  const available = new AvailableVariables(variables);
  const buffers = new SeriesBuffers();
  let tools: Tools | Promise<Tools> | undefined;
  const withCore = (loaded: Core) => {
    assertCore(loaded);
    const rooms = new CoreRooms(loaded);
    tools = { core: loaded, available, buffers, rooms, climatologies: new PointClimatologies(loaded) };
    return tools;
  };
  const ready = () => {
    tools ??= Promise.resolve(core ?? loadCore()).then(withCore);
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
    statistics: (data, query) => use((all) => statisticsAnswer(all, data, query)),
    history: async (data, query) => use((all) => historyAnswer(all, data, query)),
    legacyForecast: async (data, horizon, query) => use((all) => legacyForecastAnswer(all, data, horizon, query)),
    legacyHistory: async (data, query) => use((all) => legacyHistoryAnswer(all, data, query)),
    legacyClimatology: async (data, query) => use((all) => legacyClimatologyAnswer(all, data, query)),
  };
}

interface Tools {
  readonly core: Core;
  readonly available: AvailableVariables;
  readonly buffers: SeriesBuffers;
  readonly rooms: CoreRooms;
  readonly climatologies: PointClimatologies;
}
