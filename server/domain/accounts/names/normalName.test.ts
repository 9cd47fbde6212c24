import { describe, expect, test } from 'vitest';
import { normalName } from './normalName.ts';

describe('normalName', () => {
  test.each([
    ['vitalik.eth', 'vitalik.eth'],
    ['Vitalik.ETH', 'vitalik.eth'],
    ['ＡＬＩＣＥ.base.eth', 'alice.base.eth'],
    ['jürgen.eth', 'jürgen.eth'],
    ['👨‍👩‍👧.eth', '👨‍👩‍👧.eth'],
    ['рынок.eth', 'рынок.eth'],
  ])('%s is %s', (text, name) => {
    expect(normalName(text)).toEqual({ name });
  });

  test.each([
    ['a zero-width space', 'vita\u200blik.eth'],
    ['a zero-width non-joiner', 'vita\u200clik.eth'],
    ['a word joiner', 'vita\u2060lik.eth'],
    ['a byte order mark', '\ufeffvitalik.eth'],
    ['a soft hyphen', 'vita\u00adlik.eth'],
    ['a turn of direction', 'vita\u202elik.eth'],
  ])('refuses %s', (_, text) => {
    expect(normalName(text)).toEqual({ problem: 'invisible' });
  });

  test.each([
    ['a Cyrillic letter among Latin ones', 'vit\u0430lik.eth'],
    ['a word of letters that look Latin', '\u0440\u0430\u0443\u0440\u0430\u04cf.eth'],
    ['a joiner outside of an emoji', 'vita\u200dlik.eth'],
    ['a blank', 'vita lik.eth'],
    ['an underscore inside', 'vita_lik.eth'],
    ['an empty label', 'vitalik..eth'],
    ['a dot at the end', 'vitalik.eth.'],
    ['no dot', 'vitalik'],
    ['nothing', ''],
    ['an address', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'],
  ])('refuses %s', (_, text) => {
    expect(normalName(text)).toEqual({ problem: 'not_a_name' });
  });
});
