import { describe, expect, it } from 'vitest';
import { isInDoubt, toldOfDoubt } from './doubt.ts';
import { ApiProblem, type ApiProblemCode } from './problem.ts';

function problem(status: number, code: ApiProblemCode): ApiProblem {
  return new ApiProblem({ status, code, title: 'A title', detail: 'Send the same client id.' });
}

describe('an answer that leaves it open what happened', () => {
  it.each([
    [0, 'network_error'],
    [0, 'timeout'],
    [502, 'unexpected_answer'],
    [500, 'internal_error'],
    [503, 'service_unavailable'],
  ] as const)('%i %s is told without a word for programs', (status, code) => {
    const found = problem(status, code);
    expect(isInDoubt(found)).toBe(true);
    const told = toldOfDoubt(found, 'your order');
    expect(told).toMatchObject({ cause: found });
    expect(String(told)).toContain('it is not clear whether your order was received');
    expect(String(told)).not.toContain('client id');
  });

  it('keeps what the service knows better', () => {
    const found = problem(503, 'trading_paused');
    expect(isInDoubt(found)).toBe(true);
    expect(toldOfDoubt(found, 'your order')).toBe(found);
  });

  it('is none when the service refused', () => {
    const found = problem(403, 'unexpected_answer');
    expect(isInDoubt(found)).toBe(false);
    expect(toldOfDoubt(found, 'your order')).toBe(found);
    const other = new Error('The wallet said no.');
    expect(isInDoubt(other)).toBe(false);
    expect(toldOfDoubt(other, 'your order')).toBe(other);
  });
});
