import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { correct, editDistance, type Vocabulary, wordsOf } from './searchVocabulary.ts';

function vocabularyOf(counts: Record<string, number>): Vocabulary {
  const byLength: Vocabulary['byLength'] = new Map();
  for (const [word, eventCount] of Object.entries(counts)) {
    byLength.set(word.length, [...(byLength.get(word.length) ?? []), { word, eventCount }]);
  }
  return { byLength, loadedAt: 0 };
}

const vocabulary = vocabularyOf({
  inflation: 9,
  election: 20,
  elections: 3,
  rain: 5,
  ruin: 1,
  fed: 7,
});

describe('correct', () => {
  test.each([
    ['election', 4, ['election']],
    ['elec', 4, ['elec']],
    ['electoin', 4, ['election', 'elections']],
    ['inflaton', 4, ['inflation']],
    ['rian', 4, ['rain']],
    ['fde', 4, ['fed']],
    ['electoin', 0, []],
    ['zzzzzz', 4, []],
    ['xy', 4, []],
  ])('%s with a threshold of %d', (word, threshold, expected) => {
    expect(correct(vocabulary, word, threshold)).toEqual(expected);
  });
});

describe('editDistance', () => {
  test.each([
    ['', '', 0],
    ['kitten', 'sitting', 3],
    ['rian', 'rain', 1],
    ['abc', 'abc', 0],
  ])('%s to %s', (a, b, distance) => {
    expect(editDistance(a, b, 5)).toBe(distance);
  });

  test('is symmetric, and one edit away is at most one', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 8 }), fc.string({ maxLength: 8 }), (a, b) => {
        return (
          editDistance(a, b, 20) === editDistance(b, a, 20) &&
          editDistance(a, `${a}x`, 20) === 1 &&
          (a === b) === (editDistance(a, b, 20) === 0)
        );
      }),
    );
  });
});

test('wordsOf splits, lowers and strips accents', () => {
  expect(wordsOf('São Paulo: Will it RAIN 2x?')).toEqual([
    'sao',
    'paulo',
    'will',
    'it',
    'rain',
    '2x',
  ]);
  expect(wordsOf('***')).toEqual([]);
});
