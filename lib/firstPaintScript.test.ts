// @vitest-environment happy-dom
import { runInThisContext } from 'node:vm';
import { beforeEach, expect, test, vi } from 'vitest';
import { rememberWallet } from './browser/wallet/walletStore.ts';
import { FIRST_PAINT_SCRIPT } from './firstPaintScript.ts';

const root = document.documentElement;
const run = (): unknown => runInThisContext(FIRST_PAINT_SCRIPT);

beforeEach(() => {
  localStorage.clear();
  delete root.dataset.wallet;
  delete root.dataset.theme;
  delete root.dataset.network;
});

test('given an empty storage, leaves the page unchanged', () => {
  run();
  expect(root.dataset).toEqual({});
});

test('given a remembered wallet, marks the page', () => {
  rememberWallet({ address: '0x00000000000000000000000000000000000000Aa', walletName: undefined });
  run();
  expect(root.dataset.wallet).toBe('remembered');
});

test.each(['light', 'dark'])('given a chosen theme, applies it: %s', (theme) => {
  localStorage.setItem('crossbook.theme', theme);
  run();
  expect(root.dataset.theme).toBe(theme);
});

test('given a lost and restored network, marks the page', () => {
  const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  run();
  expect(root.dataset.network).toBe('none');
  onLine.mockReturnValue(true);
  window.dispatchEvent(new Event('online'));
  expect(root.dataset.network).toBeUndefined();
  onLine.mockReturnValue(false);
  window.dispatchEvent(new Event('offline'));
  expect(root.dataset.network).toBe('none');
  onLine.mockRestore();
});

test('given any other stored text, ignores it', () => {
  localStorage.setItem('crossbook.theme', 'x');
  run();
  expect(root.dataset.theme).toBeUndefined();
});
