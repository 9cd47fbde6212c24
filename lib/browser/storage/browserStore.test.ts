// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from 'vitest';
import { createBrowserStore, readTexts } from './browserStore.ts';

describe('createBrowserStore', () => {
  beforeEach(() => localStorage.clear());

  it('stores its value in the browser and reads it back', () => {
    createBrowserStore('list', [], readTexts).set(['a', 'b']);
    expect(createBrowserStore<string[]>('list', [], readTexts).get()).toEqual(['a', 'b']);
  });

  it('treats an unreadable value as absent', () => {
    localStorage.setItem('list', '{"not": "a list"}');
    expect(createBrowserStore<string[]>('list', ['initial'], readTexts).get()).toEqual(['initial']);
    localStorage.setItem('other', 'no json');
    expect(createBrowserStore<string[]>('other', [], readTexts).get()).toEqual([]);
  });

  it('follows changes of another tab', () => {
    const store = createBrowserStore<string[]>('list', [], readTexts);
    let received = 0;
    store.subscribe(() => {
      received += 1;
    });
    window.dispatchEvent(new StorageEvent('storage', { key: 'list', newValue: '["x"]' }));
    window.dispatchEvent(new StorageEvent('storage', { key: 'else', newValue: '["y"]' }));
    expect(store.get()).toEqual(['x']);
    expect(received).toBe(1);
  });
});
