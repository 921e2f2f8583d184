import type { Table } from 'apache-arrow';
import { assertKnownKeys } from '../check/option-checks.js';
import { OptionError } from '../errors.js';
import { dayNumber, formatDate } from '../period/day.js';
import { type HorizonName, isAvailable, type Product } from '../variable/availability.js';
import { findVariable } from '../variable/index.js';
import { checkMembers, checkSpan } from './check-options.js';
import { coarseGrid, type DemoPlaces, finePatch, REGION_CENTRE } from './demo-region.js';
import { DEMO_VARIABLES, type DemoVariable } from './demo-variables.js';
import type { ModelBias } from './local-weather.js';
import { type RegionSpan, regionTables } from './region-tables.js';
import { regionalWeather } from './regional-weather.js';

/** The extent of the demo's store. Every option has a default. */
export interface DemoStoreOptions {
  /** The day of the forecasts, in days since 1970-01-01; from 1994-01-01 on. Default 2026-03-02, a Monday. */
  initDate?: number;
  /** Members of the seasonal forecast, 1 to 10,000. Default 51. */
  seasonalMembers?: number;
}

/** One variable of one part of the demo's store; each load makes its table. */
export interface DemoFile {
  readonly variable: DemoVariable;
  /** Whether it is on the 1 km patch. */
  readonly fine: boolean;
  /** Its name in messages. */
  readonly source: string;
  load(): Promise<Table>;
}

/** A variable of a forecast horizon. */
export interface DemoForecast extends DemoFile {
  readonly horizon: HorizonName;
}

/** The contents of the demo's store, to be ingested. */
export interface DemoStore {
  readonly forecasts: readonly DemoForecast[];
  /**
   * The reanalysis ends some days before the forecasts begin, as real ones do; the analysis covers the last days before
   * them.
   */
  readonly history: Readonly<Record<'reanalysis' | 'analysis' | 'fine-reanalysis' | 'fine-analysis', DemoFile[]>>;
  /** The coarse grid, with its elevations. */
  readonly grid: DemoPlaces;
}

/** A model run, and how it differs from the climate. */
interface DemoModel extends ModelBias {
  readonly seed: number;
  readonly days: number;
  readonly members: number;
}

const HORIZON_MODELS: Readonly<Record<HorizonName, DemoModel>> = {
  'short-term': { seed: 12, days: 15, members: 31, warmer: 0, wetter: 1 },
  subseasonal: { seed: 13, days: 46, members: 31, warmer: 0.3, wetter: 1.05 },
  seasonal: { seed: 11, days: 215, members: 51, warmer: -0.4, wetter: 0.95 },
};

const HISTORY_SEED = 14;
const HISTORY_START = dayNumber(1993, 1, 1);
const EARLIEST = dayNumber(1994, 1, 1);

/** Days from the reanalysis' last day to the forecasts' first, and the number of days of the analysis. */
const [REANALYSIS_LAG, ANALYSIS_DAYS] = [6, 60];

const VERSION = 'demo-1';

/**
 * Describes a complete store of generated weather: three forecast horizons, more than thirty years of history, a coarse
 * grid and a 1 km patch, all with the same climate; see `regionalWeather` and `writeLocalWeather`. Each variable's
 * table, in the canonical wide form, is generated when it is loaded; the same options give the same values. Throws
 * OptionError where an option is out of range.
 */
export function demoStore(options: DemoStoreOptions = {}): DemoStore {
  assertKnownKeys(options, ['initDate', 'seasonalMembers']);
  const { initDate = dayNumber(2026, 3, 2), seasonalMembers = HORIZON_MODELS.seasonal.members } = options;
  checkMembers(seasonalMembers);
  checkSpan(initDate, HORIZON_MODELS.seasonal.days);
  if (initDate < EARLIEST) {
    throw new OptionError({
      subject: 'initDate',
      problem: 'leaves no history before it',
      received: formatDate(initDate),
      allowed: `${formatDate(EARLIEST)} or later`,
    });
  }
  const grids = { coarse: coarseGrid(), fine: finePatch() };
  return {
    forecasts: forecastFiles(initDate, seasonalMembers, grids),
    history: historyFiles(initDate, grids),
    grid: grids.coarse,
  };
}

interface Grids {
  readonly coarse: DemoPlaces;
  readonly fine: DemoPlaces;
}

function forecastFiles(initDate: number, seasonalMembers: number, grids: Grids): DemoForecast[] {
  const date = formatDate(initDate);
  return (Object.keys(HORIZON_MODELS) as HorizonName[]).flatMap((horizon) => {
    const model = { ...HORIZON_MODELS[horizon], ...(horizon === 'seasonal' && { members: seasonalMembers }) };
    const { seed, days, members } = model;
    const weather = regionalWeather({ ...REGION_CENTRE, seed, initDate, days, members });
    const run = { init_time: `${date}T00:00:00Z`, horizon, version: VERSION, generation: `demo-${date}-${seed}` };
    const span = { weather, firstLead: 0, firstDay: initDate, days, bias: model, metadata: run };
    return productFiles(horizon, horizon, span, grids).map((file) => ({ horizon, ...file }));
  });
}

function historyFiles(initDate: number, grids: Grids): DemoStore['history'] {
  const days = initDate - HISTORY_START;
  const weather = regionalWeather({ ...REGION_CENTRE, seed: HISTORY_SEED, initDate: HISTORY_START, days, members: 1 });
  const files = (name: string, firstLead: number, end: number, bias: ModelBias) => {
    const metadata = { horizon: 'history', version: `demo-${name}-1` };
    const span = { weather, firstLead, firstDay: HISTORY_START + firstLead, days: end - firstLead, bias, metadata };
    return productFiles(name, 'history', span, grids);
  };
  const reanalysis = files('reanalysis', 0, days - REANALYSIS_LAG + 1, { warmer: 0, wetter: 1 });
  const analysis = files('analysis', days - ANALYSIS_DAYS, days, { warmer: 0.2, wetter: 1.02 });
  return {
    reanalysis: reanalysis.filter(({ fine }) => !fine),
    analysis: analysis.filter(({ fine }) => !fine),
    'fine-reanalysis': reanalysis.filter(({ fine }) => fine),
    'fine-analysis': analysis.filter(({ fine }) => fine),
  };
}

/** The files of a product: on the coarse grid, then on the 1 km patch for downscalable variables. */
function productFiles(name: string, product: Product, span: RegionSpan, grids: Grids): DemoFile[] {
  return [false, true].flatMap((fine) => {
    const tables = regionTables(fine ? grids.fine : grids.coarse, span);
    return DEMO_VARIABLES.map((slug) => findVariable(slug))
      .filter((variable) => isAvailable(variable, product) && (variable.downscalable || !fine))
      .map(({ slug, availability }) => ({
        variable: slug as DemoVariable,
        fine,
        source: `${fine ? 'fine ' : ''}${name} ${slug}`,
        load: async () => tables(slug as DemoVariable, availability[product]?.lastLead),
      }));
  });
}
