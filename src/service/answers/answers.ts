import type {
  HistoryAnswer,
  LegacyClimatologyAnswer,
  LegacyForecastAnswer,
  LegacyHistoryAnswer,
  MembersAnswer,
  StatisticsAnswer,
} from '../../respond/answer-data.js';
import type { HorizonName } from '../../variable/availability.js';
import type {
  HistoryQuery,
  LegacyPeriodQuery,
  LegacyQuery,
  StatisticsQuery,
  TimelineQuery,
} from '../handler/queries.js';
import type { Snapshot } from '../source/source.js';
import type { Pause } from './pause.js';

/**
 * Reads and computes the answers to requests. Each method throws, or rejects with, ProblemError where the data cannot
 * answer: a location that is not covered (404), a variable that is not available (400), no such data at all (503); and
 * whatever the source throws. Long work calls `pause` now and then, and waits for the promise that it returns.
 */
export interface Answers {
  members(data: Snapshot, query: TimelineQuery, pause?: Pause): Promise<MembersAnswer>;
  statistics(data: Snapshot, query: StatisticsQuery, pause?: Pause): StatisticsAnswer | Promise<StatisticsAnswer>;
  history(data: Snapshot, query: HistoryQuery, pause?: Pause): Promise<HistoryAnswer>;
  legacyForecast(
    data: Snapshot,
    horizon: HorizonName,
    query: LegacyPeriodQuery,
    pause?: Pause,
  ): Promise<LegacyForecastAnswer>;
  legacyHistory(data: Snapshot, query: LegacyQuery, pause?: Pause): Promise<LegacyHistoryAnswer>;
  legacyClimatology(data: Snapshot, query: LegacyPeriodQuery, pause?: Pause): Promise<LegacyClimatologyAnswer>;
}
