import { dewPoint, vaporPressureDeficit } from '../variable/humidity.js';

/** Dew points of mean temperatures and relative humidities. */
export function dewPoints([temperature, humidity]: readonly Float64Array[], result: Float64Array): void {
  for (let day = 0; day < result.length; day++) result[day] = dewPoint(temperature[day], humidity[day]);
}

/** Vapour pressure deficits of lowest and highest temperatures and relative humidities. */
export function vaporPressureDeficits(
  [tempMin, tempMax, humidity]: readonly Float64Array[],
  result: Float64Array,
): void {
  for (let day = 0; day < result.length; day++) {
    result[day] = vaporPressureDeficit(tempMin[day], tempMax[day], humidity[day]);
  }
}
