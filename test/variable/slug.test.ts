import { expect, expectTypeOf, it } from 'vitest';
import type { StatisticsOptions } from '../../src/index.js';
import { type BuiltInSlug, variables } from '../../src/variable/index.js';

it('the slugs that editors complete are those of the built-in variables', () => {
  const slugs: Record<BuiltInSlug, true> = {
    temp_mean: true,
    temp_min: true,
    temp_max: true,
    precipitation: true,
    evapotranspiration: true,
    relative_humidity: true,
    dew_point: true,
    vapor_pressure_deficit: true,
    wind_speed: true,
    wind_speed_max: true,
    wind_gust_max: true,
    solar_radiation: true,
  };
  expect(Object.keys(slugs)).toEqual(variables.map(({ slug }) => slug));
});

it('the option takes other slugs, too', () => {
  expectTypeOf<'snow_depth'>().toExtend<NonNullable<StatisticsOptions['variable']>>();
  expectTypeOf<string>().toExtend<NonNullable<StatisticsOptions['variable']>>();
});
