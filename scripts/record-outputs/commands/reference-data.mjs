/** Commands that read the reference data. */

const GEFS = 'ref/gefs-fcre-2022';
const SEAS5 = 'ref/seas5-burrishoole-feb';
const ERA5 = 'ref/era5-burrishoole-1979-2019';
const CITIES = 'ref/era5-cancities-1990-1993/daily_surface_cancities_1990-1993.nc';

export const REFERENCE_COMMANDS = [
  ...['daily', 'weekly', 'monthly'].flatMap((granularity) => [
    `stats ${GEFS}/precip_mm_members_daily.csv --variable precipitation --granularity ${granularity} --partial`,
    `stats ${GEFS}/t2m_degC_members_daily.csv --variable temp_mean --granularity ${granularity} --spread`,
    `stats ${GEFS}/hourly_nc4.nc --variable precipitation --granularity ${granularity}`,
    `stats ${GEFS}/hourly_nc4.nc --variable temp_max --granularity ${granularity} --partial`,
    `stats ${GEFS}/daily_nc3_f64.nc --variable precipitation --granularity ${granularity} --partial`,
    `stats ${GEFS}/daily.zarr --variable temp_mean --granularity ${granularity} --partial`,
    ...['2004', '2019'].map(
      (year) =>
        `stats ${SEAS5}/${year}/precip_mm_members_daily.csv --variable precipitation --granularity ${granularity}`,
    ),
  ]),
  ...['st2', 'stage3'].flatMap((name) => [
    { args: `inspect ${GEFS}/raw/${name}_part-0.parquet --json`, stdout: 'json' },
    `stats ${GEFS}/raw/${name}_part-0.parquet --variable temp_mean --granularity weekly`,
    `stats ${GEFS}/raw/${name}_part-0.parquet --variable temp_mean --units K --granularity weekly`,
    `stats ${GEFS}/raw/${name}_part-0.parquet --variable precipitation --granularity weekly`,
    `stats ${GEFS}/raw/${name}_part-0.parquet --variable relative_humidity --granularity weekly --units 1`,
  ]),
  `convert ${GEFS}/hourly_nc4.nc out.arrow --variable precipitation`,
  `convert ${GEFS}/daily_nc3_f64.nc out.parquet --variable temp_mean`,
  `convert ${GEFS}/daily.zarr out.nc --variable precipitation`,
  { args: `inspect ${GEFS}/hourly_nc4.nc ${GEFS}/daily_nc3_f64.nc ${GEFS}/daily.zarr --json`, stdout: 'json' },
  { args: `inspect ${SEAS5}/all_years_nc4.nc ${CITIES} ${ERA5}/daily.csv ${ERA5}/daily_nc4.nc --json`, stdout: 'json' },
  `stats ${SEAS5}/all_years_nc4.nc --variable precipitation --granularity monthly`,
  `stats ${SEAS5}/all_years_nc4.nc --variable precipitation --granularity monthly --init 2004-02-01`,
  ...['daily', 'weekly', 'monthly'].flatMap((granularity) => [
    `climatology ${ERA5}/daily.csv --columns value=precip_mm --variable precipitation --granularity ${granularity}
      --reference 1981-2010`,
    `climatology ${ERA5}/daily_nc4.nc --variable temp_mean --granularity ${granularity} --reference 1981-2010
      --out normal.nc`,
  ]),
  `climatology ${ERA5}/daily.csv --columns value=precip_mm --variable precipitation --granularity monthly`,
  `stats ${CITIES} --variable precipitation --granularity monthly`,
  `stats ${CITIES} --variable temp_mean --granularity weekly --out weeks.nc`,
  {
    args: `batch ${SEAS5} --variable precipitation --granularity monthly --out out --on-error continue
      --json --workers 1`,
    stdout: 'events',
  },
  {
    args: `batch ${GEFS} --granularity weekly --variable precipitation,temp_mean --out out --on-error continue
      --json --workers 1 --format parquet`,
    stdout: 'events',
  },
];
