// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest';
import { whenPresent } from './whenPresent.ts';

test.each(['pointermove', 'pointerdown', 'keydown', 'scroll', 'focusin'])(
  'begins at the first %s, and once only',
  (sign) => {
    const work = vi.fn();
    whenPresent(work);
    expect(work).not.toHaveBeenCalled();
    window.dispatchEvent(new Event(sign));
    window.dispatchEvent(new Event('pointerdown'));
    expect(work).toHaveBeenCalledTimes(1);
  },
);

test('hears of what does not bubble', () => {
  const work = vi.fn();
  whenPresent(work);
  document.body.dispatchEvent(new Event('scroll', { bubbles: false }));
  expect(work).toHaveBeenCalledTimes(1);
});

test('can be called off', () => {
  const work = vi.fn();
  whenPresent(work)();
  window.dispatchEvent(new Event('pointerdown'));
  expect(work).not.toHaveBeenCalled();
});
