/**
 * SHA-256 of the values that ecCodes 2.50 reads of a message of each packing: float64 with the lowest byte first.
 * `test/files/grib/seeds.test.ts` compares them with ecCodes, where that is installed.
 */
export const GRIB_DIGESTS: Readonly<Record<string, string>> = {
  simple: '285d50443100d65e9238843e7a5c9da2302dc9d95bdc14d1f1fe785feb7c1f4d',
  constant: '3f6bd510893f2554a83c00421f7c24d2939316113cf0c9e08e2c7e7324745b3a',
  'complex-0': 'd0fe4185d6890d6b49797274bad6b5d1498792830d0188ef0d61fcbcd4f80077',
  'complex-1': '3ef66e1c8e7c5d62ebe63c6d1816fd5a6cfbce13899648f587cccfa9c6e298ec',
  'complex-2': 'b771ad2039817267e26fc2c233ea9ed4b3438b98fb812ecfd6659946fd42bae4',
  'ccsds-0': '285d50443100d65e9238843e7a5c9da2302dc9d95bdc14d1f1fe785feb7c1f4d',
  'ccsds-1': '285d50443100d65e9238843e7a5c9da2302dc9d95bdc14d1f1fe785feb7c1f4d',
  'ccsds-zeros': '571d9c726d89e56705efc36a37b98618a62c668eee427b8c913534cd8c59d0cb',
  'png-0': '285d50443100d65e9238843e7a5c9da2302dc9d95bdc14d1f1fe785feb7c1f4d',
  'png-1': '285d50443100d65e9238843e7a5c9da2302dc9d95bdc14d1f1fe785feb7c1f4d',
  'png-2': '285d50443100d65e9238843e7a5c9da2302dc9d95bdc14d1f1fe785feb7c1f4d',
  'jpeg-2000': 'b488d3c6ac7bb015467ae7f162a37781564b4840086161d0089bd6ab4da5da67',
  floats: '725c4777db328932b197731b1c986c84913a069a2090deb3667b697624551c8b',
  bitmap: '49703bd9ba294b1ab208465a8ede91d76842065591185c0701a5718e715fdb07',
};
