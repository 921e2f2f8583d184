import { describe, expect, it } from 'vitest';
import { fittedText, textWidth, wrappedLines } from '../../src/plot/text-size.js';

describe('textWidth', () => {
  it('is that of the characters: m is wider than i, digits are of one width', () => {
    expect(textWidth('mmm', 11)).toBeGreaterThan(3 * textWidth('iii', 11));
    expect(new Set(Array.from('0123456789', (digit) => textWidth(digit, 11))).size).toBe(1);
    expect(textWidth('subseasonal', 22)).toBeCloseTo(2 * textWidth('subseasonal', 11), 9);
  });

  it('has a width for every character, also for those of other scripts', () => {
    for (const character of 'µ²℃雨🌧') expect(textWidth(character, 11)).toBeGreaterThan(0);
  });
});

describe('fittedText', () => {
  it('cuts a text so that it fits, with an ellipsis, and leaves others as they are', () => {
    expect(fittedText('illicit', 10, textWidth('illicit', 10))).toBe('illicit');
    for (const text of ['wind gust max (m/s), weekly means', 'i'.repeat(40), 'MMMMMMMMM']) {
      const cut = fittedText(text, 12, 60);
      expect([cut.endsWith('…'), textWidth(cut, 12) <= 60, text.startsWith(cut.slice(0, -1))]).toEqual([
        true,
        true,
        true,
      ]);
      expect(cut.length).toBeGreaterThan(3);
    }
  });
});

describe('wrappedLines', () => {
  it('gives lines that fit', () => {
    const lines = wrappedLines(['37.3° N, 79.84° W', 'run 2026-03-02', '31 members'], ' · ', 11, 200);
    expect(lines).toEqual(['37.3° N, 79.84° W · run 2026-03-02', '31 members']);
  });
});
