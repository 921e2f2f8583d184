/**
 * A codestream of JPEG 2000 that ecCodes 2.50 has written with OpenJPEG: 20 x 10 numbers of 8 bits, `round(100 + 90
 * sin(i / 9)) + i mod 3`, with 0 for the first and 255 for the last.
 */
const BASE64 = [
  '/0//UQApAAAAAAAUAAAACgAAAAAAAAAAAAAAFAAAAAoAAAAAAAAAAAABBwEB/1IADAAAAAEAAwQEAAH/XAANQEBISFBISFBISFD/',
  'ZAAlAAFDcmVhdGVkIGJ5IE9wZW5KUEVHIHZlcnNpb24gMi41LjL/kAAKAAAAAAC9AAH/k8fUDBCHyhW0XcD5AcfaCQHyAgS8tA3+',
  'XZEFt8HziY+0LgfOHAQyMHeNu3brnw4oyoqEyHcSveR9BzXFnAhcJcPqFZ+BtH4DgBTUhf1IVKgsYKsZtS1WV40Ht75EAxQp6QQ9',
  '+N60MW92gnLf1fdvs8l062TF0rhfxc+fN9CGWHrAv4dEN1Op1t5HLofXTegLtHMrF3SCIHlhtUlfH9XVfUAJP1GilrQ1Z1S4vwyL',
  'Wrv/2Q==',
].join('');

/** Where the bytes of the codestream have their fields: marker segments of ISO/IEC 15444-1, annex A. */
export const CODESTREAM_PLACES = { width: 8, height: 12, tileWidth: 24, components: 40, sample: 42, layers: 51 };

/** A copy of the codestream. */
export function codestream(): Uint8Array {
  return Uint8Array.from(atob(BASE64), (character) => character.charCodeAt(0));
}
