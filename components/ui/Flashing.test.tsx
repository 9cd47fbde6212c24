import { expect, test } from 'vitest';
import { testRoot } from '#components/testing/testRoot.ts';
import { Flashing } from './Flashing.tsx';

const { container, render } = testRoot();

async function shows(value: bigint | null) {
  await render(<Flashing value={value}>price</Flashing>);
  const { className, dataset } = container.querySelector('span') ?? document.createElement('span');
  return [className, dataset.down].filter(Boolean).join(' ');
}

test('given a price that moves, marks the direction; a first or unknown price is not marked', async () => {
  expect(await shows(510_000n)).toBe('');
  expect(await shows(520_000n)).toBe('price-flash');
  expect(await shows(500_000n)).toBe('price-flash true');
  expect(await shows(null)).toBe('');
  expect(await shows(500_000n)).toBe('');
});
