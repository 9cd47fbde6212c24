import { describe, expect, it } from 'vitest';
import { decideOutcome, RETRY_POLICIES } from './deliver.ts';

const { webhook, push } = RETRY_POLICIES;
const failed = { error: 'no response', statusCode: null, retryAfterSeconds: undefined };
const refused = (statusCode: number, retryAfterSeconds?: number) => ({
  error: `responded with status ${statusCode}`,
  statusCode,
  retryAfterSeconds,
});
const shortest = () => 0;

function wait(policy = webhook, round = 1, result: Parameters<typeof decideOutcome>[2] = failed) {
  const outcome = decideOutcome(policy, round, result, shortest);
  return outcome.status === 'pending' ? outcome.waitSeconds : outcome.status;
}

it.each([
  ['webhook', webhook, 24, 48],
  ['push', push, 7, 24],
])('a %s that fails is retried at growing intervals, then fails', (_, policy, least, most) => {
  const waits = policy.waitSeconds.map((_wait, index) => Number(wait(policy, index + 1)));
  expect(waits).toEqual(policy.waitSeconds);
  expect(waits).toEqual(waits.toSorted((a, b) => a - b));
  const hours = waits.reduce((sum, seconds) => sum + seconds, 0) / 3_600;
  expect(hours).toBeGreaterThan(least);
  expect(hours).toBeLessThan(most);
  expect(wait(policy, waits.length + 1)).toBe('failed');
});

it('a message that arrives is delivered, at any attempt', () => {
  const arrived = { error: null, statusCode: 204, retryAfterSeconds: undefined };
  expect(wait(webhook, 1, arrived)).toBe('delivered');
  expect(wait(push, 99, arrived)).toBe('delivered');
});

it('attempts that fail at the same moment are spread', () => {
  const outcome = decideOutcome(webhook, 1, failed, () => 1);
  expect(outcome).toMatchObject({ waitSeconds: 6 });
});

it('a target that asks for a longer wait gets it, up to an hour', () => {
  expect(wait(webhook, 1, refused(503, 0))).toBe(5);
  expect(wait(webhook, 1, refused(503, 120))).toBe(120);
  expect(wait(push, 1, refused(429, 1e9))).toBe(3_600);
});

describe('a client error', () => {
  it.each([400, 404, 410, 429])('%i to a webhook is retried', (code) => {
    expect(wait(webhook, 1, refused(code))).toBe(5);
  });

  it.each([400, 401, 403, 413])('%i to a push message is final', (code) => {
    expect(wait(push, 1, refused(code))).toBe('failed');
  });

  it.each([408, 425, 429])('%i to a push message is retried', (code) => {
    expect(wait(push, 1, refused(code))).toBe(5);
  });
});
