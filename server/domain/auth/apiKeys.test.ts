import { describe, expect, it } from 'vitest';
import { API_KEY_KINDS, apiKeyHint, apiKeyKindOf, generateApiKey, hashApiKey } from './apiKeys.ts';

describe('API key format', () => {
  it.each(API_KEY_KINDS)('generates %s keys that it recognises', (kind) => {
    for (let round = 0; round < 200; round++) {
      const key = generateApiKey(kind);
      expect(key).toHaveLength(`cbk_${kind}_`.length + 49);
      expect(apiKeyKindOf(key)).toBe(kind);
    }
  });

  it('refuses a key with any one character changed', () => {
    const key = generateApiKey('test');
    for (let index = 0; index < key.length; index++) {
      const other = key.charAt(index) === 'x' ? 'y' : 'x';
      const changed = key.slice(0, index) + other + key.slice(index + 1);
      expect(apiKeyKindOf(changed), changed).toBeUndefined();
    }
  });

  it('refuses anything that is not a key', () => {
    for (const text of ['', 'cbk_test_', 'sk_test_abc', `${generateApiKey('live')} `]) {
      expect(apiKeyKindOf(text)).toBeUndefined();
    }
  });

  it('hashes to 32 bytes, with a hint that does not reveal the key', () => {
    const key = generateApiKey('live');
    expect(hashApiKey(key)).toMatch(/^[0-9a-f]{64}$/);
    expect(apiKeyHint(key).length).toBeLessThan(20);
  });
});
