export { type BlendedDatasetOptions, blendedDataset } from './blended-dataset.js';
export type { DataFile, ForecastFile } from './data-file.js';
export type { ForecastInput, ForecastNames } from './forecast-input.js';
export { ingestClimatology } from './ingest-climatology.js';
export { ingestElevation } from './ingest-elevation.js';
export { ingestForecast } from './ingest-forecast.js';
export { type HistoryInput, ingestHistory } from './ingest-history.js';
export { type ReblendOptions, reblendForecast } from './reblend-forecast.js';
export type { ReplaceOptions, StoreWriter } from './store-writer.js';
