import { afterEach, expect, test, vi } from 'vitest';
import { loadOptionalPart, loadPart } from './loadPart.ts';

const Part = () => 'part';
const onLine = vi.spyOn(navigator, 'onLine', 'get');
const failing = () => vi.fn<() => Promise<typeof Part>>(() => Promise.reject(new Error('offline')));

afterEach(() => onLine.mockReturnValue(true));

test('given no connection, the part loads once there is one', async () => {
  onLine.mockReturnValue(false);
  const load = failing();
  const loaded = loadPart(load);
  await vi.waitFor(() => expect(load).toHaveBeenCalled());
  load.mockResolvedValue(Part);
  window.dispatchEvent(new Event('online'));
  expect(await loaded).toBe(Part);
  expect(load).toHaveBeenCalledTimes(2);
});

test('given a part that cannot be loaded, the page fails; an optional one is left out', async () => {
  onLine.mockReturnValue(true);
  await expect(loadPart(failing())).rejects.toThrow('offline');
  const Nothing = (await loadOptionalPart(failing())) as () => unknown;
  expect(Nothing()).toBeNull();
});
