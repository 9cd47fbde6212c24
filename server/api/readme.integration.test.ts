import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sandboxUnderTest } from '#sandbox/testing/sandboxUnderTest.ts';
import { type Examples, openExamples } from './testing/examples.ts';

const PATIENCE = { timeout: 120_000 };

describe('the README', () => {
  let examples: Examples;
  beforeAll(() => {
    examples = openExamples('README.md', sandboxUnderTest());
  });
  afterAll(() => examples.remove());

  test('trades with curl', PATIENCE, async () => {
    const { code, output } = await examples.bash('curl');
    expect(output).toContain('"status":"completed"');
    expect(output).toContain('"filledBaseQuantity":"10"');
    expect(code).toBe(0);
  });
});

describe('the description of the interface', () => {
  let examples: Examples;
  beforeAll(() => {
    examples = openExamples('docs/API.md', sandboxUnderTest());
  });
  afterAll(() => examples.remove());

  test('trades as a program, placed by the service and sent by the wallet', PATIENCE, async () => {
    const { code, output } = await examples.typescript('typescript');
    expect(output).toContain('placed for me: completed');
    expect(output).toMatch(/sent by me: completed 10 for \d/);
    expect(output).toContain('signed by the key: completed');
    expect(code).toBe(0);
  });

  test('makes, changes, rotates and ends a key', PATIENCE, async () => {
    const { code, output } = await examples.bash('keys');
    expect(output, output).toContain('"orders":[]');
    expect(output).toContain('"scopes":["read"]');
    expect(output).toMatch(/revoked\s*$/);
    expect(code).toBe(0);
  });

  test('receives and verifies a message', PATIENCE, async () => {
    const { code, output } = await examples.typescript('webhook');
    expect(output).toContain('received webhook.test');
    expect(code).toBe(0);
  });

  test('listens to the stream', PATIENCE, async () => {
    const { code, output } = await examples.bash('stream');
    expect(output).toContain('retry: ');
    expect(output).toContain('event: ');
    expect(code).toBe(0);
  });

  test('takes tables home', PATIENCE, async () => {
    const { code, output } = await examples.bash('csv');
    expect(output).toContain('createdAt,id,clientId');
    expect(output).toContain('at,event,detail');
    expect(output).toContain('market,title,subtitle');
    expect(code).toBe(0);
  });
});
