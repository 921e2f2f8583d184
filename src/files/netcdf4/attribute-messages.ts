import { OptionError } from '../../errors.js';
import type { AttributeValue } from '../array/array-file.js';
import { type Datatype, fixedTextType, floatType, integerType, textType } from '../hdf5/datatypes.js';
import type { GlobalHeap } from '../hdf5/global-heap.js';
import { attributeMessage, MAX_MESSAGE_BYTES, type Message } from '../hdf5/messages.js';
import { bytesOf } from './element-types.js';

const INT32 = integerType(4, true);
const FLOAT64 = floatType(8);

/** Creates an attribute as NetCDF stores it. Throws OptionError if its value is too long for a file. */
export function createAttribute(name: string, value: AttributeValue, heap: GlobalHeap): Message {
  const message = createMessage(name, value, heap);
  if (message.body.length <= MAX_MESSAGE_BYTES) return message;
  throw new OptionError({
    subject: `attribute ${name}`,
    problem: 'is too long for NetCDF4',
    received: `${message.body.length} bytes`,
    allowed: `at most ${MAX_MESSAGE_BYTES} bytes`,
  });
}

function createMessage(name: string, value: AttributeValue, heap: GlobalHeap): Message {
  if (typeof value === 'string') return textAttribute(name, value);
  if (typeof value === 'number') return numberAttribute(name, [value], []);
  if (isTexts(value)) return textsAttribute(name, value, heap);
  return numberAttribute(name, value, [value.length]);
}

function textAttribute(name: string, text: string): Message {
  const bytes = new TextEncoder().encode(text);
  return attributeMessage(name, fixedTextType(Math.max(1, bytes.length)), bytes.length > 0 ? [] : undefined, bytes);
}

function textsAttribute(name: string, texts: readonly string[], heap: GlobalHeap): Message {
  const elements = texts.map((text) => {
    const bytes = new TextEncoder().encode(`${text}\0`);
    return heap.add(bytes, bytes.length);
  });
  return attributeMessage(name, textType(), [texts.length], joined(elements));
}

function numberAttribute(name: string, numbers: readonly number[], shape: readonly number[]): Message {
  const areInt32 = numbers.every((number) => Number.isInteger(number) && Math.abs(number) < 2 ** 31);
  const type: Datatype = areInt32 ? INT32 : FLOAT64;
  return attributeMessage(name, type, shape, bytesOf(areInt32 ? Int32Array.from(numbers) : Float64Array.from(numbers)));
}

/** Elements of one length, one after the other. */
export function joined(elements: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(elements.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const element of elements) {
    all.set(element, at);
    at += element.length;
  }
  return all;
}

function isTexts(value: readonly string[] | readonly number[]): value is readonly string[] {
  return typeof value[0] === 'string';
}
