import type {
  HistoryAnswer,
  LegacyClimatologyAnswer,
  LegacyForecastAnswer,
  LegacyHistoryAnswer,
  MembersAnswer,
  StatisticsAnswer,
} from '../../respond/answers.js';
import type { Snapshot } from '../../store/source.js';
import type { Horizon } from '../../variable/availability.js';
import type { HistoryQuery, LegacyPeriodQuery, LegacyQuery, StatisticsQuery, TimelineQuery } from '../queries.js';

/**
 * Reads and computes what requests ask for. Each throws, or rejects with, ProblemError where the data cannot answer: a location that is not covered
 * (404), a variable that there is none of (400), no such data at all (503); and whatever the source throws.
 */
export interface Answers {
  members(data: Snapshot, query: TimelineQuery): Promise<MembersAnswer>;
  statistics(data: Snapshot, query: StatisticsQuery): StatisticsAnswer | Promise<StatisticsAnswer>;
  history(data: Snapshot, query: HistoryQuery): Promise<HistoryAnswer>;
  legacyForecast(data: Snapshot, horizon: Horizon, query: LegacyPeriodQuery): Promise<LegacyForecastAnswer>;
  legacyHistory(data: Snapshot, query: LegacyQuery): Promise<LegacyHistoryAnswer>;
  legacyClimatology(data: Snapshot, query: LegacyPeriodQuery): Promise<LegacyClimatologyAnswer>;
}
