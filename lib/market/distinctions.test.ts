import { expect, it } from 'vitest';
import { distinctionsIn, equallyNamed } from './distinctions.ts';

const entry = (ticker: string, title: string, subtitle: string, endTime?: string) => ({
  ticker,
  title,
  subtitle,
  endTime,
});

const FRIDAY = '2026-11-27T21:00:00.000Z';
const SATURDAY = '2026-11-28T21:00:00.000Z';

it('given unique titles, distinguishes nothing', () => {
  const list = [entry('A', 'Rain?', '', FRIDAY), entry('B', 'Snow?', '', FRIDAY)];
  expect(distinctionsIn(list)).toEqual(new Map());
});

it('given equal titles with different subtitles, is the subtitle', () => {
  const list = [entry('A', 'Rain?', 'Boston', FRIDAY), entry('B', 'Rain?', 'Miami', FRIDAY)];
  expect([...distinctionsIn(list)]).toEqual([
    ['A', 'Boston'],
    ['B', 'Miami'],
  ]);
});

it('given equal titles without subtitles or with equal ones, adds the date', () => {
  const list = [
    entry('A', 'Rain?', '', FRIDAY),
    entry('B', 'Rain?', 'Boston', FRIDAY),
    entry('C', 'Rain?', 'Boston', SATURDAY),
    entry('D', 'Snow?', 'Boston', SATURDAY),
  ];
  expect([...distinctionsIn(list)]).toEqual([
    ['A', '2026-11-27'],
    ['B', 'Boston · 2026-11-27'],
    ['C', 'Boston · 2026-11-28'],
  ]);
});

it('given no time, is the subtitle alone', () => {
  const list = [entry('A', 'Rain?', 'Boston'), entry('B', 'Rain?', 'Boston')];
  expect(distinctionsIn(list).get('A')).toBe('Boston');
});

it('given several entries of one market, takes them for one', () => {
  const list = [entry('A', 'Rain?', ''), entry('A', 'Rain?', ''), entry('B', 'Snow?', '')];
  expect(equallyNamed(list)).toEqual([]);
  expect(equallyNamed([...list, entry('C', 'Rain?', '')]).map(({ ticker }) => ticker)).toEqual([
    'A',
    'C',
  ]);
});
