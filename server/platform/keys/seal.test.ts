import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { createSeal } from './seal.ts';

const newKey = () => randomBytes(32).toString('base64');
const [first, second] = [newKey(), newKey()];

it('given the same text twice, seals it differently, and opens both', () => {
  const { seal, open } = createSeal([first]);
  const sealed = [seal('Anna’s wallet', 'anna'), seal('Anna’s wallet', 'anna')];
  expect(new Set(sealed).size).toBe(2);
  expect(sealed.map((one) => open(one, 'anna'))).toEqual(['Anna’s wallet', 'Anna’s wallet']);
  expect(sealed.join()).not.toContain('Anna');
});

it('given another owner or changed text, opens nothing', () => {
  const { seal, open } = createSeal([first]);
  const sealed = seal('text', 'anna');
  expect(() => open(sealed, 'ben')).toThrow();
  const [id, data = ''] = sealed.split('.');
  const bytes = Buffer.from(data, 'base64');
  bytes.writeUInt8(bytes.readUInt8(12) ^ 1, 12);
  expect(() => open(`${id}.${bytes.toString('base64')}`, 'anna')).toThrow();
});

it('given a new key in front, still opens what the old one sealed', () => {
  const sealed = createSeal([first]).seal('text', 'anna');
  expect(createSeal([second, first]).open(sealed, 'anna')).toBe('text');
  expect(() => createSeal([second]).open(sealed, 'anna')).toThrow(/no key/);
});
