import type { SandboxDescription } from '#sandbox/stack/description.ts';

/** The sandbox exchange's state, with its faults. */
export async function readExchangeState(
  sandbox: Pick<SandboxDescription, 'exchangeUrl'>,
): Promise<Record<string, unknown>> {
  const response = await fetch(new URL('/_control/state', sandbox.exchangeUrl));
  if (!response.ok) throw new Error(`the exchange does not tell its state: ${response.status}`);
  return (await response.json()) as Record<string, unknown>;
}

/** A control command to the sandbox exchange, outside the exchange's own paths. */
export async function controlExchange(
  sandbox: Pick<SandboxDescription, 'exchangeUrl'>,
  command: string,
  body: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const url = new URL(`/_control/${command}`, sandbox.exchangeUrl);
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`the exchange refused ${command}: ${response.status} ${text}`);
  return JSON.parse(text) as Record<string, unknown>;
}

/**
 * A simulated taker fills a resting order now, at its price: all that remains of it, or so many
 * contracts (`"0.01"` steps).
 */
export async function fillRestingOrder(
  sandbox: Pick<SandboxDescription, 'exchangeUrl'>,
  order: { clientOrderId: string } | { orderId: string },
  contracts?: string,
): Promise<void> {
  await controlExchange(sandbox, 'fill', { ...order, ...(contracts ? { contracts } : {}) });
}
