import { describe, expect, it } from 'vitest';
import {
  atmosphericPressure,
  clearSkyRadiation,
  extraterrestrialRadiation,
  netLongwaveRadiation,
  netRadiation,
  netShortwaveRadiation,
  psychrometricConstant,
  referenceEvapotranspiration,
  windSpeedAt2m,
} from '../../src/variable/fao56.js';
import {
  actualVaporPressure,
  meanSaturationVaporPressure,
  saturationVaporPressure,
  saturationVaporPressureSlope,
} from '../../src/variable/humidity.js';

/** Checks a result against a number as printed: equal when rounded to its decimals. */
function expectPrinted(value: number, printed: string): void {
  expect(value.toFixed(printed.split('.')[1].length)).toBe(printed);
}

describe('the worked examples of FAO-56 (Allen et al. 1998)', () => {
  it('2: pressure and psychrometric constant at 1800 m', () => {
    expectPrinted(atmosphericPressure(1800), '81.8');
    expectPrinted(psychrometricConstant(81.8), '0.054');
  });

  it('3: saturation vapour pressure at 15 and 24.5 degC, and its mean', () => {
    expectPrinted(saturationVaporPressure(24.5), '3.075');
    expectPrinted(saturationVaporPressure(15), '1.705');
    expectPrinted(meanSaturationVaporPressure(15, 24.5), '2.39');
    expectPrinted(saturationVaporPressure(19.75), '2.30');
  });

  it('4: pressure at 1200 m', () => {
    expectPrinted(atmosphericPressure(1200), '87.9');
  });

  it('5: the mean saturation times the mean humidity is 1.78 kPa, as equation 19 says', () => {
    const saturation = meanSaturationVaporPressure(18, 25);
    expectPrinted(actualVaporPressure(saturation, (82 + 54) / 2), '1.78');
  });

  it('8: extraterrestrial radiation at 20 S on 3 September', () => {
    expectPrinted(extraterrestrialRadiation(-20, 246), '32.2');
  });

  it('10 to 12: radiation in Rio de Janeiro in May', () => {
    expectPrinted(extraterrestrialRadiation(-22.9, 135), '25.1');
    expectPrinted(clearSkyRadiation(25.1, 0), '18.8');
    const conditions = { tempMin: 19.1, tempMax: 25.1, vaporPressure: 2.1 };
    expectPrinted(netLongwaveRadiation({ ...conditions, solarRadiation: 14.5, clearSkyRadiation: 18.8 }), '3.5');
    expectPrinted(netRadiation(11.1, 3.5), '7.6');
  });

  it('14: 3.2 m/s at 10 m is 2.4 m/s at 2 m', () => {
    expectPrinted(windSpeedAt2m(3.2), '2.4');
    expectPrinted(windSpeedAt2m(3.2, 10), '2.4');
  });

  it('17: Bangkok in April, with a soil heat flux of 0.14', () => {
    expectPrinted(saturationVaporPressureSlope(30.2), '0.246');
    expectPrinted(meanSaturationVaporPressure(25.6, 34.8), '4.42');
    expectPrinted(extraterrestrialRadiation(13 + 44 / 60, 105), '38.06');
    expectPrinted(clearSkyRadiation(extraterrestrialRadiation(13 + 44 / 60, 105), 2), '28.54');
    expectPrinted(netShortwaveRadiation(22.65), '17.44');
    const conditions = { tempMin: 25.6, tempMax: 34.8, vaporPressure: 2.85 };
    expectPrinted(netLongwaveRadiation({ ...conditions, solarRadiation: 22.65, clearSkyRadiation: 28.54 }), '3.11');
    expectPrinted(netRadiation(17.44, 3.11), '14.33');
    const evapotranspiration = referenceEvapotranspiration({
      netRadiation: 14.33 - 0.14,
      temperature: 30.2,
      windSpeed: 2,
      vaporPressureDeficit: 1.57,
      psychrometricConstant: 0.0674,
    });
    expect(evapotranspiration).toBeCloseTo(5.72, 1);
  });

  it('17: Bangkok in April as a whole is 5.72 mm', () => {
    const vaporPressure = 2.85;
    const clearSky = clearSkyRadiation(extraterrestrialRadiation(13 + 44 / 60, 105), 2);
    const longwave = netLongwaveRadiation({
      ...{ tempMin: 25.6, tempMax: 34.8, vaporPressure, solarRadiation: 22.65, clearSkyRadiation: clearSky },
    });
    const evapotranspiration = referenceEvapotranspiration({
      netRadiation: netRadiation(netShortwaveRadiation(22.65), longwave) - 0.14,
      temperature: 30.2,
      windSpeed: 2,
      vaporPressureDeficit: meanSaturationVaporPressure(25.6, 34.8) - vaporPressure,
      psychrometricConstant: psychrometricConstant(atmosphericPressure(2)),
    });
    expectPrinted(evapotranspiration, '5.72');
  });

  it('20: Lyon in July, with radiation from temperatures and the lowest one as the dew point, is 4.56 mm', () => {
    const [tempMin, tempMax, height] = [14.8, 26.6, 200];
    const vaporPressure = saturationVaporPressure(tempMin);
    expectPrinted(vaporPressure, '1.68');
    const extraterrestrial = extraterrestrialRadiation(45 + 43 / 60, 196);
    expectPrinted(extraterrestrial, '40.55');
    const solarRadiation = 0.16 * Math.sqrt(tempMax - tempMin) * extraterrestrial;
    expectPrinted(solarRadiation, '22.29');
    const clearSky = clearSkyRadiation(extraterrestrial, height);
    const longwave = netLongwaveRadiation({
      ...{ tempMin, tempMax, vaporPressure, solarRadiation, clearSkyRadiation: clearSky },
    });
    const evapotranspiration = referenceEvapotranspiration({
      netRadiation: netRadiation(netShortwaveRadiation(solarRadiation), longwave),
      temperature: (tempMin + tempMax) / 2,
      windSpeed: 2,
      vaporPressureDeficit: meanSaturationVaporPressure(tempMin, tempMax) - vaporPressure,
      psychrometricConstant: psychrometricConstant(atmosphericPressure(height)),
    });
    expectPrinted(evapotranspiration, '4.56');
  });

  it('18: Uccle on 6 July, step by step to 3.9 mm', () => {
    expectPrinted(windSpeedAt2m(10 / 3.6), '2.078');
    expectPrinted(atmosphericPressure(100), '100.1');
    expectPrinted(psychrometricConstant(100.1), '0.0666');
    expectPrinted(saturationVaporPressureSlope(16.9), '0.122');
    expectPrinted(meanSaturationVaporPressure(12.3, 21.5), '1.997');
    expectPrinted(extraterrestrialRadiation(50.8, 187), '41.09');
    expectPrinted(clearSkyRadiation(41.09, 100), '30.90');
    expect(netShortwaveRadiation(22.07)).toBeCloseTo(17, 1);
    const conditions = { tempMin: 12.3, tempMax: 21.5, vaporPressure: 1.409 };
    expectPrinted(netLongwaveRadiation({ ...conditions, solarRadiation: 22.07, clearSkyRadiation: 30.9 }), '3.71');
    expectPrinted(netRadiation(16.99, 3.71), '13.28');
    const evapotranspiration = referenceEvapotranspiration({
      netRadiation: 13.28,
      temperature: 16.9,
      windSpeed: 2.078,
      vaporPressureDeficit: 0.589,
      psychrometricConstant: 0.0666,
    });
    expectPrinted(evapotranspiration, '3.88');
  });
});
