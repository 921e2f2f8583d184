/** A key has no more characters than this, wherever it is looked up. */
export const MAX_KEY_LENGTH = 256;

/** Whether a text can be a key, as far as its length tells. */
export function isKeyLength(key: unknown): key is string {
  return typeof key === 'string' && key.length >= 1 && key.length <= MAX_KEY_LENGTH;
}
