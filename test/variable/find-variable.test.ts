import { describe, expect, test } from 'vitest';
import { resolveVariable, variableByName } from '../../src/variable/find-variable.js';
import { defineVariable, findVariable, variables } from '../../src/variable/index.js';

const slugOf = (name: string) => variableByName(name)?.slug;

describe('variableByName', () => {
  test('knows the usual short names', () => {
    const usual: Record<string, string[]> = {
      temp_mean: ['t2m', 'tas', 'tmean', 'TAVG', '2t', 'tg', 'temp', 'temperature_2m_mean'],
      temp_min: ['tasmin', 'tmin', 'tn', 'mn2t', 'T2M_MIN'],
      temp_max: ['tasmax', 'tmax', 'tx', 'mx2t', 'T2M_MAX'],
      precipitation: ['precip', 'tp', 'pr', 'apcp', 'prcp', 'ppt', 'PRECTOTCORR', 'rain', 'precipitation_sum'],
      evapotranspiration: ['et0', 'ETo', 'pet', 'evspsblpot', 'et0_fao_evapotranspiration'],
      relative_humidity: ['rh', 'hurs', 'RH2M', 'relative_humidity_2m'],
      dew_point: ['d2m', '2d', 'tdps', 'T2MDEW', 'dewpoint'],
      vapor_pressure_deficit: ['vpd', 'vapour_pressure_deficit'],
      wind_speed: ['sfcWind', 'ws', '10si', 'WS10M', 'wind'],
      wind_speed_max: ['sfcWindmax', 'wind_speed_10m_max'],
      wind_gust_max: ['gust', 'wsgsmax', 'fg10', 'wind_gusts_10m_max'],
      solar_radiation: ['rsds', 'ssrd', 'srad', 'dswrf', 'ALLSKY_SFC_SW_DWN'],
    };
    for (const [slug, names] of Object.entries(usual)) {
      expect(names.map((name) => [name, slugOf(name)])).toEqual(names.map((name) => [name, slug]));
    }
    expect(Object.keys(usual)).toEqual(variables.map((variable) => variable.slug));
  });

  test('knows the names that centres use', () => {
    const names: Record<string, string> = {
      temp_mean:
        't2m 2t tas TMP TMP_2maboveground temperature_2m 2m_temperature air_temperature tmp2m 2_metre_temperature',
      temp_min:
        'mn2t24 mn2t6 tasmin TMIN TMIN_2maboveground minimum_2m_temperature_since_previous_post_processing tmin2m',
      temp_max:
        'mx2t24 mx2t6 tasmax TMAX TMAX_2maboveground maximum_2m_temperature_since_previous_post_processing ' +
        'maximum_2m_temperature_in_the_last_24_hours temperature_2m_max maximum_temperature_2m',
      precipitation:
        'tp tprate mtpr pr APCP APCP_surface apcpsfc PRATE_surface total_precipitation lwe_precipitation_rate ' +
        'precipitation_flux precipitation_sum',
      evapotranspiration: 'et0_fao_evapotranspiration_sum evspsblpot',
      relative_humidity: 'RH RH_2maboveground hurs 2r rh2m relative_humidity_2m_mean',
      dew_point: 'd2m 2d DPT DPT_2maboveground tdps 2m_dewpoint_temperature dew_point_2m_mean dpt2m',
      vapor_pressure_deficit: 'vapour_pressure_deficit',
      wind_speed: 'si10 10si sfcWind WIND_10maboveground wind_speed_10m_mean 10m_wind_speed windspeed_10m',
      wind_speed_max: 'sfcWindmax wind_speed_10m_max windspeed_10m_max',
      wind_gust_max:
        '10fg fg10 i10fg GUST GUST_surface gustsfc wind_speed_of_gust wind_gusts_10m_max windgusts_10m_max ' +
        '10m_wind_gust_since_previous_post_processing instantaneous_10m_wind_gust',
      solar_radiation:
        'ssrd rsds DSWRF DSWRF_surface dswrfsfc shortwave_radiation_sum surface_solar_radiation_downwards',
    };
    for (const [slug, text] of Object.entries(names)) {
      expect(text.split(' ').map((name) => [name, slugOf(name)])).toEqual(text.split(' ').map((name) => [name, slug]));
    }
  });

  test('ignores names of other levels', () => {
    const others = 'TMP_850mb TMP_surface RH_80maboveground t850 u10 10u wind_speed_100m vapour_pressure_deficit_max';
    expect(others.split(' ').map(slugOf)).toEqual(others.split(' ').map(() => undefined));
  });

  test('knows slugs, without regard to case and separators', () => {
    for (const { slug } of variables) {
      expect([slug, slug.toUpperCase(), slug.replaceAll('_', '-'), slug.replaceAll('_', ' ')].map(slugOf)).toEqual(
        Array(4).fill(slug),
      );
    }
    expect(slugOf('windSpeedMax')).toBe('wind_speed_max');
  });

  test('knows CF standard names', () => {
    expect(slugOf('lwe_thickness_of_precipitation_amount')).toBe('precipitation');
    expect(slugOf('precipitation_flux')).toBe('precipitation');
    expect(slugOf('dew_point_temperature')).toBe('dew_point');
    expect(slugOf('wind_speed_of_gust')).toBe('wind_gust_max');
    expect(slugOf('surface_downwelling_shortwave_flux_in_air')).toBe('solar_radiation');
  });

  test('takes air_temperature and wind_speed, which several variables share, for the daily mean', () => {
    expect(slugOf('air_temperature')).toBe('temp_mean');
    expect(slugOf('wind_speed')).toBe('wind_speed');
  });

  test('ignores a unit at the end', () => {
    expect(slugOf('t2m_degC')).toBe('temp_mean');
    expect(slugOf('t2m_min_degC')).toBe('temp_min');
    expect(slugOf('t2m_max_degC')).toBe('temp_max');
    expect(slugOf('precip_mm')).toBe('precipitation');
    expect(slugOf('pet_mm')).toBe('evapotranspiration');
    expect(slugOf('Temperature (°C)')).toBe('temp_mean');
    expect(slugOf('Rain [mm/day]')).toBe('precipitation');
    expect(slugOf('tas_K')).toBe('temp_mean');
  });

  test.each(['', 'm01', 'date', 'value', 'mm', 't', 'c', '(mm)', 'pressure', 'constructor', 'temp_mean_extra'])(
    '%j means no variable',
    (name) => {
      expect(variableByName(name)).toBeUndefined();
    },
  );

  test('no name belongs to two built-in variables, and none is a slug', () => {
    const names = variables.flatMap(({ slug, fileNames }) => [slug, ...fileNames]);
    const folded = names.map((name) => name.toLowerCase().replaceAll('_', ''));
    expect(folded.filter((name, i) => folded.indexOf(name) !== i)).toEqual([]);
  });

  test('finds a caller’s own variable by slug, file name and standard name, before a built-in one', () => {
    const own = defineVariable({
      slug: 'snow_depth',
      units: 'm',
      window: 'mean',
      standardName: 'surface_snow_thickness',
      fileNames: ['snd', 'TG'],
    });
    expect(['Snow Depth', 'SND', 'snd_m', 'surface_snow_thickness'].map((name) => variableByName(name, [own]))).toEqual(
      Array(4).fill(own),
    );
    expect(variableByName('tg', [own])).toBe(own);
    expect(slugOf('snd')).toBeUndefined();
  });

  test('finds no variable for a standard name that two variables share', () => {
    const shared = { units: 'mm', window: 'sum', standardName: 'lwe_thickness_of_precipitation_amount' } as const;
    expect(variableByName(shared.standardName, [defineVariable({ ...shared, slug: 'rain_day' })])).toBeUndefined();
    const replacing = defineVariable({ ...shared, slug: 'precipitation' });
    expect(variableByName(shared.standardName, [replacing])).toBe(replacing);
  });
});

const snow = defineVariable({ slug: 'snow_depth', units: 'm', window: 'mean' });
const all = variables.map((variable) => variable.slug).join(', ');

describe('findVariable', () => {
  test('finds every built-in variable by its slug', () => {
    for (const variable of variables) expect(findVariable(variable.slug)).toBe(variable);
  });

  test('finds a caller’s own variable only where it is passed', () => {
    expect(findVariable('snow_depth', [snow])).toBe(snow);
    expect(() => findVariable('snow_depth')).toThrow('variable: is not known');
  });

  test('takes the caller’s own variable before a built-in one of the same slug', () => {
    const own = defineVariable({ slug: 'temp_mean', units: 'K', window: 'mean' });
    expect(findVariable('temp_mean', [own])).toBe(own);
  });

  test('takes slugs only in their exact spelling', () => {
    expect(() => findVariable('Temp_Mean')).toThrow('is not known, the nearest is temp_mean');
    expect(() => findVariable('constructor')).toThrow('variable: is not known; received "constructor"');
  });

  test('an unknown slug is answered with the nearest known one and all that are allowed', () => {
    expect(() => findVariable('precipitaton')).toThrow(
      `variable: is not known, the nearest is precipitation; received "precipitaton"; allowed: ${all}`,
    );
    expect(() => findVariable('snow_dpeth', [snow])).toThrow(
      `variable: is not known, the nearest is snow_depth; received "snow_dpeth"; allowed: snow_depth, ${all}`,
    );
  });

  test('a name used in files is answered with its variable, however differently that is spelled', () => {
    expect(() => findVariable('t2m')).toThrow('is not known, the nearest is temp_mean; received "t2m"');
    expect(() => findVariable('rain')).toThrow('is not known, the nearest is precipitation; received "rain"');
  });

  test('names no nearest slug if none is near', () => {
    expect(() => findVariable('chlorophyll')).toThrow(
      `variable: is not known; received "chlorophyll"; allowed: ${all}`,
    );
    expect(() => findVariable('x'.repeat(100))).toThrow(/^variable: is not known; received/);
  });
});

describe('resolveVariable', () => {
  test('takes names that files use, and keeps them', () => {
    const found = resolveVariable('tp');
    expect([found.variable.slug, found.variableName]).toEqual(['precipitation', 'tp']);
    expect(resolveVariable('precipitation')).toEqual({ variable: findVariable('precipitation') });
  });

  test('rejects everyday words for several variables, and names these', () => {
    expect(() => resolveVariable('temperature')).toThrow(
      'variable: may be one of several variables; received "temperature"; allowed: temp_mean, temp_min, temp_max',
    );
    expect(() => resolveVariable('Wind')).toThrow('allowed: wind_speed, wind_speed_max, wind_gust_max');
    const own = defineVariable({ slug: 'skin', units: 'K', window: 'mean', fileNames: ['temp'] });
    expect(resolveVariable('temp', [own]).variable).toBe(own);
  });

  test('rejects unknown names as findVariable does', () => {
    expect(() => resolveVariable('precipitaton')).toThrow('is not known, the nearest is precipitation');
  });
});
