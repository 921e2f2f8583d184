export type {
  DayRange,
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
} from './answer-data.js';
export {
  historyJson,
  legacyClimatologyJson,
  legacyForecastJson,
  legacyHistoryJson,
  membersJson,
  statisticsJson,
} from './checked-json.js';
export { JsonWriter } from './json-writer.js';
export { responseSchemas } from './response-schemas.js';
export { type StatisticsJsonOptions, statisticsJsonOfTable } from './v2/statistics-json-of-table.js';
