import { expect, it } from 'vitest';
import { utc } from './utc.ts';

it('names the zone of an exact moment', () => {
  expect(utc('2026-11-21T16:40:07.123Z')).toBe('2026-11-21 16:40:07 UTC');
});
