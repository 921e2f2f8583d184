import { valueAt } from '../../files/cf/ensemble-tables.js';
import { type Netcdf3Content, type Netcdf3Type, writeNetcdf3 } from '../../files/netcdf3/write-netcdf3.js';

const DIMENSIONS = { number: 3, time: 63, latitude: 3, longitude: 4 };

/** A grid of rain as NetCDF3, which each process of a shard opens in a fraction of the time of NetCDF4. */
export function gridNetcdf3(): Uint8Array {
  const names = Object.keys(DIMENSIONS) as (keyof typeof DIMENSIONS)[];
  const coordinate = (name: keyof typeof DIMENSIONS, type: Netcdf3Type, units: string, at: (i: number) => number) =>
    ({
      ...{
        name,
        type,
        dimensions: [names.indexOf(name)],
        values: Array.from({ length: DIMENSIONS[name] }, (_, i) => at(i)),
      },
      attributes: [text('units', units), text('standard_name', name === 'number' ? 'realization' : name)],
    }) as const;
  const { number, time, latitude, longitude } = DIMENSIONS;
  const places = latitude * longitude;
  const variables: Netcdf3Content['variables'] = [
    coordinate('number', 'int32', '1', (member) => member),
    coordinate('time', 'int32', 'days since 1970-01-01', (day) => 20_003 + day),
    coordinate('latitude', 'float64', 'degrees_north', (row) => 50 - 0.25 * row),
    coordinate('longitude', 'float64', 'degrees_east', (column) => 6 + 0.25 * column),
    {
      ...{ name: 'precipitation', type: 'float32', dimensions: [0, 1, 2, 3] },
      attributes: [text('units', 'mm'), text('cell_methods', 'time: sum')],
      values: Array.from({ length: number * time * places }, (_, i) =>
        valueAt(Math.floor(i / (time * places)), i % places, Math.floor(i / places) % time),
      ),
    },
  ];
  const dimensions = names.map((name) => ({ name, length: DIMENSIONS[name] }));
  return writeNetcdf3({ version: 2, records: 0, dimensions, variables });
}

function text(name: string, values: string) {
  return { name, type: 'text', values } as const;
}
