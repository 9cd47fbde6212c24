import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readRelay, relayEnvironment } from './relay.ts';

const parse = (variables: Record<string, string>) =>
  z.object(relayEnvironment).safeParse(variables);

describe('the relay', () => {
  test('given no hourly budget, is closed', () => {
    expect(
      readRelay(z.object(relayEnvironment).parse({ RELAY_ETHER_USD: '4000' })),
    ).toBeUndefined();
  });

  test('given one, has the usual budget of an account, in micro-dollars', () => {
    expect(readRelay(z.object(relayEnvironment).parse({ RELAY_USD_PER_HOUR: '12.5' }))).toEqual({
      messagesPerAccountDay: 20,
      usdMicrosPerAccountDay: 500_000n,
      usdMicrosPerHour: 12_500_000n,
      etherUsdMicros: 5_000_000_000n,
    });
  });

  test.each([
    ['RELAY_USD_PER_HOUR', '-1'],
    ['RELAY_USD_PER_ACCOUNT', '$5'],
    ['RELAY_ETHER_USD', '1e3'],
    ['RELAY_MESSAGES_PER_ACCOUNT', '0'],
  ])('refuses %s=%s', (name, value) => {
    expect(parse({ [name]: value }).error?.issues.map(({ path }) => path)).toEqual([[name]]);
  });
});
