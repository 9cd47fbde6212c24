import { keyCalls, pushCalls, webhookCalls } from './managementCalls.ts';
import { type ClientOptions, createTradingClient } from './tradingClient.ts';
import { createTransport } from './transport.ts';

/**
 * A typed client of all of /v1. Every call throws an `ApiProblem` for an error response or a
 * missing one.
 */
export function createClient(options: ClientOptions) {
  const call = createTransport(options);
  return {
    ...createTradingClient(options),
    ...keyCalls(call),
    ...webhookCalls(call),
    ...pushCalls(call),
  };
}

export type CrossbookClient = ReturnType<typeof createClient>;
