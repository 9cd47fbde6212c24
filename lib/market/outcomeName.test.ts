import { expect, it } from 'vitest';
import { outcomeOf, positionName } from './outcomeName.ts';

it.each([
  ['What will the Fed do?', 'Cut of 25 bps', 'Cut of 25 bps'],
  ['Will Bitcoin end above $100,000?', '$100,000', undefined],
  ['Will it rain?', 'Yes', undefined],
  ['Will it rain?', '', undefined],
])('given %j with the label %j, the outcome is %j', (question, label, outcome) => {
  expect(outcomeOf(question, label)).toBe(outcome);
});

it('given an outcome, names it before the question', () => {
  const name = 'What will the Fed do?';
  expect(positionName({ side: 'no', name, subtitle: 'Cut of 25 bps' })).toEqual({
    outcome: 'No · Cut of 25 bps',
    subject: 'Cut of 25 bps',
    question: name,
  });
});

it('given a plain question, names the side before it', () => {
  expect(positionName({ side: 'yes', name: 'Will it rain?', subtitle: 'Yes' })).toEqual({
    outcome: 'Yes · Will it rain?',
    subject: 'Will it rain?',
    question: undefined,
  });
});
