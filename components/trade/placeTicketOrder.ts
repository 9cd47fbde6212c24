import type { Account } from '#lib/api/schemas/account.ts';
import type { AnyOrderRequestInput } from '#lib/api/schemas/order.ts';
import type { TradingClient } from '#lib/api/tradingClient.ts';
import { readDeviceKey } from '#lib/browser/account/deviceKey.ts';
import { placeOrder } from '#lib/order/signOrder.ts';

/**
 * Places an order that this device's key signs, if the account's permission names a key.
 * @throws when the browser has lost the key, before anything is sent
 */
export async function placeTicketOrder(
  api: TradingClient,
  { owner, grant }: Pick<Account, 'owner' | 'grant'>,
  request: AnyOrderRequestInput,
) {
  if (!grant?.sessionKey) return await api.createOrder(request);
  const signer = await readDeviceKey(owner);
  if (signer) return await placeOrder(api, signer, request);
  throw new Error(
    'This browser no longer has the key that signs your orders. Reload the page and sign a new permission. No order was placed.',
  );
}
