// @vitest-environment happy-dom
import { runInThisContext } from 'node:vm';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { START_SCRIPTS_AFTER_PAINT } from './scriptsAfterPaint.ts';

const run = (): unknown => runInThisContext(START_SCRIPTS_AFTER_PAINT);

type Told = (list: { getEntriesByName(name: string): unknown[] }, observer: unknown) => void;

/** Told when the first paint has been shown. */
let tell: Told | undefined;
const disconnect = vi.fn();
/** What would have been asked for: a document of the tests loads nothing. */
let asked: string[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  tell = undefined;
  asked = [];
  vi.stubGlobal(
    'PerformanceObserver',
    class {
      constructor(told: Told) {
        tell = told;
      }
      observe() {}
    },
  );
  vi.spyOn(HTMLScriptElement.prototype, 'src', 'set').mockImplementation((address) => {
    asked.push(address);
  });
  show('visible');
  document.body.innerHTML =
    '<p>a</p><script data-src="/a.js" nonce="n"></script><script data-src="/b.js"></script>';
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const show = (state: DocumentVisibilityState) =>
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
const paint = (name: string) =>
  tell?.({ getEntriesByName: (wanted) => (wanted === name ? [{}] : []) }, { disconnect });
const finish = () => document.dispatchEvent(new Event('DOMContentLoaded'));

test('scripts are asked for once something is seen, in their order', () => {
  run();
  finish();
  paint('first-paint');
  expect(asked).toEqual([]);
  paint('first-contentful-paint');
  expect(asked).toEqual(['/a.js', '/b.js']);
  expect(disconnect).toHaveBeenCalledOnce();
  const scripts = [...document.querySelectorAll('script')];
  expect(scripts.map((one) => [one.async, one.hasAttribute('data-src')])).toEqual([
    [true, false],
    [true, false],
  ]);
  vi.runAllTimers();
  finish();
  expect(asked).toHaveLength(2);
});

test('a script that comes after the first paint is asked for when the page is whole', () => {
  run();
  paint('first-contentful-paint');
  document.body.insertAdjacentHTML('beforeend', '<script data-src="/c.js"></script>');
  expect(asked).not.toContain('/c.js');
  finish();
  expect(asked).toEqual(['/a.js', '/b.js', '/c.js']);
});

test('many scripts are asked for some at a time, each once', () => {
  const many = Array.from({ length: 9 }, (_, index) => `/${index}.js`);
  document.body.innerHTML = many.map((src) => `<script data-src="${src}"></script>`).join('');
  run();
  paint('first-contentful-paint');
  expect(asked).toEqual(many.slice(0, 4));
  finish();
  vi.runAllTimers();
  expect(asked.toSorted()).toEqual(many);
});

test('a page in a window that nobody sees waits for no paint', () => {
  show('hidden');
  run();
  expect(asked).toEqual(['/a.js', '/b.js']);
});

test('where no paint is reported nothing waits longer than a second', () => {
  run();
  vi.advanceTimersByTime(999);
  expect(asked).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(asked).toEqual(['/a.js', '/b.js']);
});

test('nor where paints cannot be observed', () => {
  vi.stubGlobal('PerformanceObserver', undefined);
  run();
  expect(asked).toEqual(['/a.js', '/b.js']);
});
