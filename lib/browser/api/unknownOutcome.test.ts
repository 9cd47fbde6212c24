import { describe, expect, it } from 'vitest';
import { ApiProblem, type ApiProblemCode } from '#lib/api/problem.ts';
import { explainUnknownOutcome, isUnknownOutcome } from './unknownOutcome.ts';

function problem(status: number, code: ApiProblemCode): ApiProblem {
  return new ApiProblem({ status, code, title: 'A title', detail: 'Send the same client id.' });
}

describe('a response with unknown outcome', () => {
  it.each([
    [0, 'network_error'],
    [0, 'timeout'],
    [502, 'unexpected_answer'],
    [500, 'internal_error'],
    [503, 'service_unavailable'],
  ] as const)('%i %s is reported without API jargon', (status, code) => {
    const found = problem(status, code);
    expect(isUnknownOutcome(found)).toBe(true);
    const received = explainUnknownOutcome(found, 'your order');
    expect(received).toMatchObject({ cause: found });
    expect(String(received)).toContain('it is not clear whether your order was received');
    expect(String(received)).not.toContain('client id');
  });

  it('keeps the service’s own error text', () => {
    const found = problem(503, 'trading_paused');
    expect(isUnknownOutcome(found)).toBe(true);
    expect(explainUnknownOutcome(found, 'your order')).toBe(found);
  });

  it('given a rejected request, the outcome is known', () => {
    const found = problem(403, 'unexpected_answer');
    expect(isUnknownOutcome(found)).toBe(false);
    expect(explainUnknownOutcome(found, 'your order')).toBe(found);
    const other = new Error('The wallet said no.');
    expect(isUnknownOutcome(other)).toBe(false);
    expect(explainUnknownOutcome(other, 'your order')).toBe(other);
  });
});
