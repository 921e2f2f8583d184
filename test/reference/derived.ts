/** The derived variables written out, each from the equations of FAO-56 (Allen et al. 1998) alone. */

interface EvapotranspirationDay {
  tempMin: number;
  tempMax: number;
  humidity: number;
  /** By default the mean of `tempMin` and `tempMax`. */
  tempMean?: number;
  windSpeed10m: number;
  solarRadiation: number;
  latitude: number;
  elevation: number;
  /** `YYYY-MM-DD`. */
  date: string;
}

/** `earlier` has the days before, in order, of which the last one with enough sun says how cloudy a dark day is. */
export function twinEvapotranspiration(
  day: EvapotranspirationDay,
  earlier: readonly Pick<EvapotranspirationDay, 'solarRadiation' | 'date'>[] = [],
): number {
  const { tempMin, tempMax, humidity, windSpeed10m, solarRadiation, latitude, elevation } = day;
  const mean = (tempMin + tempMax) / 2; // 9
  const pressure = 101.3 * ((293 - 0.0065 * elevation) / 293) ** 5.26; // 7
  const gamma = 0.000665 * pressure; // 8
  const es = (twinSaturation(tempMax) + twinSaturation(tempMin)) / 2; // 12
  const delta = (4098 * twinSaturation(mean)) / (mean + 237.3) ** 2; // 13
  const ea = (humidity / 100) * twinSaturation(day.tempMean ?? mean); // 10
  const rns = 0.77 * solarRadiation; // 38
  const sunny = [...earlier, day].filter((one) => twinClearSky(latitude, elevation, one.date) > 1);
  const last = sunny.filter((one) => !Number.isNaN(one.solarRadiation)).at(-1);
  const clearest = last && last.solarRadiation / twinClearSky(latitude, elevation, last.date);
  const relative = clearest === undefined ? 0.5 : Math.max(0.3, Math.min(1, clearest));
  const fourth = ((tempMax + 273.16) ** 4 + (tempMin + 273.16) ** 4) / 2;
  const rnl = 4.903e-9 * fourth * (0.34 - 0.14 * Math.sqrt(ea)) * (1.35 * relative - 0.35); // 39
  const rn = rns - rnl; // 40
  const u2 = (windSpeed10m * 4.87) / Math.log(67.8 * 10 - 5.42); // 47
  const above = 0.408 * delta * rn + gamma * (900 / (mean + 273)) * u2 * (es - ea);
  const et0 = above / (delta + gamma * (1 + 0.34 * u2)); // 6
  return et0 < 0 ? 0 : et0;
}

function twinClearSky(latitude: number, elevation: number, date: string): number {
  const j = (Date.parse(date) - Date.UTC(Number(date.slice(0, 4)), 0, 1)) / 86_400_000 + 1;
  const phi = (Math.PI / 180) * latitude; // 22
  const dr = 1 + 0.033 * Math.cos(((2 * Math.PI) / 365) * j); // 23
  const declination = 0.409 * Math.sin(((2 * Math.PI) / 365) * j - 1.39); // 24
  const ws = Math.acos(Math.max(-1, Math.min(1, -Math.tan(phi) * Math.tan(declination)))); // 25
  const sines = ws * Math.sin(phi) * Math.sin(declination);
  const ra = ((24 * 60) / Math.PI) * 0.082 * dr * (sines + Math.cos(phi) * Math.cos(declination) * Math.sin(ws)); // 21
  return (0.75 + 0.00002 * elevation) * ra; // 37
}

export function twinDewPoint(temperature: number, humidity: number): number {
  if (humidity <= 0) return Number.NaN;
  const x = Math.log(humidity / 100) + (17.27 * temperature) / (temperature + 237.3);
  return (237.3 * x) / (17.27 - x);
}

export function twinVaporPressureDeficit(
  tempMin: number,
  tempMax: number,
  humidity: number,
  tempMean = (tempMin + tempMax) / 2,
): number {
  const es = (twinSaturation(tempMax) + twinSaturation(tempMin)) / 2;
  return Math.max(0, es - (humidity / 100) * twinSaturation(tempMean));
}

function twinSaturation(temperature: number): number {
  return 0.6108 * Math.exp((17.27 * temperature) / (temperature + 237.3)); // 11
}
