import { expect, it } from 'vitest';
import {
  parseSharedPosition,
  type SharedPosition,
  sharedPicturePath,
  sharedPositionPath,
} from './sharedPosition.ts';

function readBack(path: string): SharedPosition {
  const { searchParams } = new URL(path, 'https://crossbook.test');
  return parseSharedPosition((name) => searchParams.get(name) ?? undefined);
}

it('a link carries what was chosen and nothing else', () => {
  expect(sharedPositionPath('KXFED-25', { side: 'no', kind: 'held' })).toBe(
    '/share/KXFED-25?side=no',
  );
  const all: SharedPosition = {
    side: 'yes',
    kind: 'sold',
    priceMicros: 445_200n,
    contractMicros: 12_500_000n,
  };
  expect(sharedPicturePath('KXFED-25', all)).toBe(
    '/share/KXFED-25/picture?side=yes&kind=sold&price=0.445&contracts=12.5',
  );
  expect(readBack(sharedPositionPath('KXFED-25', all))).toEqual({ ...all, priceMicros: 445_000n });
});

it.each([
  'price=1.01',
  'price=0',
  'price=-0.5',
  'price=1e-1',
  'price=0.00000001',
  'contracts=1000000001',
  'contracts=lots',
  'side=maybe&kind=stolen',
])('given %s, leaves the figure out', (query) => {
  expect(readBack(`/share/A?${query}`)).toEqual({ side: 'yes', kind: 'held' });
});
