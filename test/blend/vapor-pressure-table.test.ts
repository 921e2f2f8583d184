import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { meanSaturationVaporPressure, saturationVaporPressure } from '../../src/variable/humidity.js';

/** Lowest and highest temperature (degC) and actual vapour pressure (kPa) of the worked examples of FAO-56. */
const CLIMATES = [
  ['Bangkok, April (example 17)', 25.6, 34.8, 2.85],
  ["N'Diaye, Senegal, October (example 19)", 28, 38, 3.42],
  ['Rio de Janeiro, May (example 12)', 19.1, 25.1, 2.1],
  ['Lyon, July (example 20)', 14.8, 26.6, 1.68],
  ['Uccle, July (example 18)', 12.3, 21.5, 1.409],
] as const;

/** The row of a day whose temperature is a cosine of the hour, and whose vapour pressure is the same all day. */
function tableRow([place, tempMin, tempMax, vaporPressure]: (typeof CLIMATES)[number]): string {
  const mean = (tempMin + tempMax) / 2;
  const hourly = Array.from({ length: 24 }, (_, hour) => {
    const temperature = mean + ((tempMax - tempMin) / 2) * Math.cos((2 * Math.PI * hour) / 24);
    return 100 * Math.min(1, vaporPressure / saturationVaporPressure(temperature));
  });
  const humidity = hourly.reduce((sum, each) => sum + each, 0) / 24;
  const percent = (saturation: number) => (((humidity / 100) * saturation) / vaporPressure - 1) * 100;
  const before = percent(meanSaturationVaporPressure(tempMin, tempMax));
  const numbers = [humidity, before, percent(saturationVaporPressure(mean))];
  return `| ${place} | ${tempMin} to ${tempMax} | ${vaporPressure} | ${numbers.map((each) => each.toFixed(1)).join(' | ')} |`;
}

it('docs/timeline-and-climate.md has the errors of both ways to vapour pressure in five climates', () => {
  const docs = readFileSync('docs/timeline-and-climate.md', 'utf8');
  for (const climate of CLIMATES) expect(docs).toContain(tableRow(climate));
});
