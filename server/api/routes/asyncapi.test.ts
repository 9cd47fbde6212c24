import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { streamDataSchemas } from '#lib/api/schemas/stream.ts';
import { describeSocket } from './asyncapi.ts';

const document = describeSocket('https://api.crossbook.test');

it('is a description to which a public linter has nothing to say', async () => {
  const problems = await lintFromString({
    source: JSON.stringify(document),
    absoluteRef: 'asyncapi.json',
    config: await createConfig({ extends: ['recommended'] }),
  });
  expect(problems.map(({ ruleId, message }) => [ruleId, message])).toEqual([]);
});

it('refers only to what it contains', () => {
  const text = JSON.stringify(document);
  for (const [, pointer = ''] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    const found = pointer
      .split('/')
      .reduce<unknown>((part, key) => (part as Record<string, unknown>)[key], document);
    expect(found, pointer).toBeDefined();
  }
});

describe('its messages', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, 'socket');
  const accepts = (name: string, message: unknown) =>
    ajv.validate({ $ref: `socket#/components/messages/${name}/payload` }, message);

  it('include every event', () => {
    expect(Object.keys(document.components.messages)).toEqual(
      expect.arrayContaining(Object.keys(streamDataSchemas)),
    );
  });

  it('describe what is sent and taken', () => {
    const stale = { kind: 'stale', ticker: 'T', version: 2, asOf: null };
    expect(accepts('book', { type: 'book', data: stale })).toBe(true);
    expect(accepts('book', { type: 'book', data: { ...stale, kind: 'late' } })).toBe(false);
    const subscribe = { type: 'subscribe', channels: ['book'], tickers: ['T'] };
    expect(accepts('subscribe', subscribe)).toBe(true);
    expect(accepts('subscribe', { ...subscribe, tickers: [] })).toBe(false);
    expect(accepts('subscribe', { ...subscribe, channel: 'book' })).toBe(false);
  });
});
