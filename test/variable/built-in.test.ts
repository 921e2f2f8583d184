import { describe, expect, test } from 'vitest';
import { isAvailable, PRODUCTS, type Product } from '../../src/variable/availability.js';
import { variables } from '../../src/variable/index.js';

describe('the built-in variables', () => {
  test('are those of the documented table, in its order', () => {
    const table = variables.map((v) => [
      v.slug,
      v.group,
      `${v.units} (${v.label})`,
      v.window,
      v.decimals,
      `${v.bounds[0]} to ${v.bounds[1]}`,
      v.derived ? 'derived' : 'given',
      v.downscalable ? '1 km' : 'coarse',
    ]);
    expect(table).toEqual([
      ['temp_mean', 'temperature', 'degC (°C)', 'mean', 2, '-95 to 60', 'given', '1 km'],
      ['temp_min', 'temperature', 'degC (°C)', 'mean', 2, '-95 to 60', 'given', '1 km'],
      ['temp_max', 'temperature', 'degC (°C)', 'mean', 2, '-95 to 60', 'given', '1 km'],
      ['precipitation', 'precipitation', 'mm (mm)', 'sum', 2, '0 to 2000', 'given', 'coarse'],
      ['evapotranspiration', 'evapotranspiration', 'mm (mm)', 'sum', 2, '0 to 30', 'derived', 'coarse'],
      ['relative_humidity', 'humidity', '% (%)', 'mean', 1, '0 to 100', 'given', 'coarse'],
      ['dew_point', 'humidity', 'degC (°C)', 'mean', 2, '-100 to 40', 'derived', 'coarse'],
      ['vapor_pressure_deficit', 'humidity', 'kPa (kPa)', 'mean', 3, '0 to 15', 'derived', 'coarse'],
      ['wind_speed', 'wind', 'm s-1 (m/s)', 'mean', 2, '0 to 110', 'given', 'coarse'],
      ['wind_speed_max', 'wind', 'm s-1 (m/s)', 'mean', 2, '0 to 150', 'given', 'coarse'],
      ['wind_gust_max', 'wind', 'm s-1 (m/s)', 'mean', 2, '0 to 150', 'given', 'coarse'],
      ['solar_radiation', 'solar radiation', 'MJ m-2 d-1 (MJ/m²/d)', 'mean', 2, '0 to 50', 'given', '1 km'],
    ]);
  });

  test('have CF standard names', () => {
    expect(variables.map((v) => v.standardName)).toEqual([
      'air_temperature',
      'air_temperature',
      'air_temperature',
      'lwe_thickness_of_precipitation_amount',
      'water_potential_evapotranspiration_amount',
      'relative_humidity',
      'dew_point_temperature',
      'water_vapor_saturation_deficit_in_air',
      'wind_speed',
      'wind_speed',
      'wind_speed_of_gust',
      'surface_downwelling_shortwave_flux_in_air',
    ]);
  });

  test('cannot be changed at any level', () => {
    const parts = variables.flatMap((v) => [
      v,
      v.bounds,
      v.fileNames,
      v.availability,
      ...Object.values(v.availability),
    ]);
    expect([variables, ...parts].every(Object.isFrozen)).toBe(true);
  });
});

describe('isAvailable', () => {
  const missing = (product: Product, lead?: number) =>
    variables.filter((v) => !isAvailable(v, product, lead)).map((v) => v.slug);

  test('all variables are in the history and in the first ten days of the short-term horizon', () => {
    expect(missing('history')).toEqual([]);
    expect(missing('short-term')).toEqual([]);
    expect(missing('short-term', 9)).toEqual([]);
  });

  test('the gust ends at short-term lead 9, the others do not', () => {
    expect(missing('short-term', 10)).toEqual(['wind_gust_max']);
    expect(missing('short-term', 14)).toEqual(['wind_gust_max']);
  });

  test('subseasonal and seasonal horizons do not have maximum wind speed and gust', () => {
    expect(missing('subseasonal', 41)).toEqual(['wind_speed_max', 'wind_gust_max']);
    expect(missing('seasonal', 214)).toEqual(['wind_speed_max', 'wind_gust_max']);
  });

  test('a product that a variable does not name does not have it at any lead', () => {
    const historyOnly = { availability: { history: {} } };
    expect(PRODUCTS.filter((product) => isAvailable(historyOnly, product))).toEqual(['history']);
  });
});
