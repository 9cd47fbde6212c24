import { act, useState } from 'react';
import { expect, test } from 'vitest';
import { testRoot } from '#components/testing/testRoot.ts';
import { PriceStepper } from './PriceStepper.tsx';

const { container, render } = testRoot();
const cents = [{ startMicros: 0n, endMicros: 1_000_000n, stepMicros: 10_000n }];

function Stepper({ initial }: { initial: string }) {
  const [text, setText] = useState(initial);
  return <PriceStepper label="Limit price" text={text} grid={cents} onChange={setText} />;
}

const field = () => {
  const found = container.querySelector('input');
  if (!found) throw new Error('no field');
  return found;
};
const press = (key: string, shiftKey = false) =>
  act(async () =>
    field().dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey, bubbles: true })),
  );

test('given arrow keys, steps by ticks, ten with Shift', async () => {
  await render(<Stepper initial="42" />);
  await press('ArrowUp');
  expect(field().value).toBe('43');
  await press('ArrowDown', true);
  expect(field().value).toBe('33');
});

test('given a press on a button, goes to the next tick of a price between ticks', async () => {
  await render(<Stepper initial="42.5" />);
  const [down] = container.querySelectorAll('button');
  await act(async () => down?.click());
  expect(field().value).toBe('42');
});

test('given no price, begins in the middle', async () => {
  await render(<Stepper initial="" />);
  await press('ArrowUp');
  expect(field().value).toBe('50');
});
