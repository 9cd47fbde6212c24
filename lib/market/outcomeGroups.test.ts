import { expect, it } from 'vitest';
import { groupOutcomes } from './outcomeGroups.ts';

const outcome = (label: string, strikeGroup: string | null) => ({ label, strikeGroup });

function shown(markets: ReturnType<typeof outcome>[]) {
  return groupOutcomes(markets).map(({ heading, outcomes }) => [
    heading,
    ...outcomes.map(({ label }) => label),
  ]);
}

it('given several strikes of a player, puts them below the shared part of their labels', () => {
  const markets = [
    outcome('Logan Webb: 3+', 'webb'),
    outcome('Logan Webb: 4+', 'webb'),
    outcome('Max Fried: 3+ strikeouts', 'fried'),
    outcome('Max Fried: 4+ strikeouts', 'fried'),
  ];
  expect(shown(markets)).toEqual([
    ['Logan Webb', '3+', '4+'],
    ['Max Fried', '3+ strikeouts', '4+ strikeouts'],
  ]);
  expect(groupOutcomes(markets)[1]?.outcomes[1]?.market).toBe(markets[3]);
});

it('given one strike of a player, keeps the whole label without a heading', () => {
  const markets = [outcome('Logan Webb 3+', 'webb'), outcome('Max Fried 3+', 'fried')];
  expect(shown(markets)).toEqual([
    [undefined, 'Logan Webb 3+'],
    [undefined, 'Max Fried 3+'],
  ]);
});

it('given labels without a shared part, or no group, adds no heading', () => {
  const markets = [
    outcome('Three', 'webb'),
    outcome('Four', 'webb'),
    outcome('Above 10', null),
    outcome('Above 20', null),
  ];
  expect(shown(markets)).toEqual([
    [undefined, 'Three'],
    [undefined, 'Four'],
    [undefined, 'Above 10'],
    [undefined, 'Above 20'],
  ]);
});

it('given equal labels, each keeps its last word', () => {
  expect(shown([outcome('Logan Webb', 'webb'), outcome('Logan Webb', 'webb')])).toEqual([
    ['Logan', 'Webb', 'Webb'],
  ]);
});
