// @vitest-environment happy-dom
import { runInThisContext } from 'node:vm';
import { beforeEach, expect, test, vi } from 'vitest';
import { rememberWallet } from './browser/wallet/rememberedWallet.ts';
import { FIRST_PAINT_SCRIPT } from './firstPaintScript.ts';

const root = document.documentElement;
const pageLives = (): void => window.crossbookLives?.();
const run = (): unknown => runInThisContext(FIRST_PAINT_SCRIPT);

beforeEach(() => {
  // The last test's page no longer waits.
  pageLives();
  localStorage.clear();
  delete root.dataset.wallet;
  delete root.dataset.theme;
  delete root.dataset.network;
  delete root.dataset.lives;
});

test('a browser that remembers nothing leaves the page as it is', () => {
  run();
  expect(root.dataset).toEqual({});
});

test('a remembered wallet is told to the page', () => {
  rememberWallet({ address: '0x00000000000000000000000000000000000000Aa', walletName: undefined });
  run();
  expect(root.dataset.wallet).toBe('remembered');
});

test.each(['light', 'dark'])('a chosen theme is applied: %s', (theme) => {
  localStorage.setItem('crossbook.theme', theme);
  run();
  expect(root.dataset.theme).toBe(theme);
});

test('what is pressed before the page lives is answered in its turn, and once', async () => {
  run();
  document.body.innerHTML =
    '<form><button><b>Buy</b></button></form><input type="radio"><i>Else</i>';
  const heard: string[] = [];
  const signs = vi.fn();
  const submitted = vi.fn((event: Event) => event.preventDefault());
  window.addEventListener('pointermove', signs, { once: true });
  const radio = document.querySelector('input');
  document.querySelector('form')?.addEventListener('submit', submitted);
  document.querySelector('button')?.addEventListener('click', () => heard.push('button'));
  radio?.addEventListener('change', () => heard.push('radio'));
  document.querySelector('i')?.click();
  document.querySelector('b')?.click();
  document.querySelector('b')?.click();
  expect(heard).toEqual([]);
  expect(submitted).not.toHaveBeenCalled();
  radio?.click();
  expect(radio?.checked).toBe(true);
  heard.length = 0;
  pageLives();
  await vi.waitFor(() => expect(heard).toEqual(['button', 'radio', 'radio']));
  expect(radio?.checked).toBe(true);
  expect(signs).toHaveBeenCalledOnce();
  expect(submitted).toHaveBeenCalledOnce();
  expect(root.dataset.lives).toBe('');
  pageLives();
  document.querySelector('b')?.click();
  expect(heard.slice(3)).toEqual(['button']);
});

test('a network that goes and comes is told to the page', () => {
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

test('no other text is', () => {
  localStorage.setItem('crossbook.theme', 'x');
  run();
  expect(root.dataset.theme).toBeUndefined();
});
