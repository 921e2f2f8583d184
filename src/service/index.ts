/** The service: its handler, the sources that it reads, what fills them, and the bodies of its responses. */

export type { Ensemble, EnsemblePart } from '../ensemble/ensemble.js';
export type {
  ClimatologyName,
  ConditionShare,
  DayRange,
  EnsembleRange,
  ForecastAnswer,
  HistoryAnswer,
  HorizonRange,
  LegacyAnswer,
  LegacyClimatologyAnswer,
  LegacyForecastAnswer,
  LegacyHistoryAnswer,
  Location,
  MembersAnswer,
  StatisticsAnswer,
  TercileShares,
  TimelineVariableAnswer,
  VariableAnswer,
  WindowSkill,
} from '../respond/answer-data.js';
export type { Schema } from '../respond/shared-fields.js';
export { type StatisticsJsonOptions, statisticsJson } from '../respond/v2/statistics-json.js';
export type { Availability, Coverage, HorizonName, Product } from '../variable/availability.js';
export * from './archive/index.js';
export * from './handler/index.js';
export * from './ingest/index.js';
export type { ClimatologyFile, ClimatologyInput } from './ingest/ingest-climatology.js';
export * from './source/index.js';
