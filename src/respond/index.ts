export type {
  DayRange,
  ForecastAnswer,
  HistoryAnswer,
  LegacyAnswer,
  LegacyClimatologyAnswer,
  LegacyForecastAnswer,
  LegacyHistoryAnswer,
  Location,
  MembersAnswer,
  StatisticsAnswer,
} from './answers.js';
export { historyJson } from './history-json.js';
export { JsonWriter } from './json-writer.js';
export { legacyClimatologyJson } from './legacy-climatology-json.js';
export { legacyForecastJson } from './legacy-forecast-json.js';
export { legacyHistoryJson } from './legacy-history-json.js';
export { membersJson } from './members-json.js';
export { responseSchemas } from './response-schemas.js';
export { statisticsJson } from './statistics-json.js';
export { type StatisticsJsonOptions, statisticsJsonOfTable } from './statistics-json-of-table.js';
