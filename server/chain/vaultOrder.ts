import { type Address, encodeAbiParameters, type Hex, keccak256, toBytes } from 'viem';
import { ORDER_FIELDS, type OrderMessage } from '#lib/order/orderToSign.ts';

/** `Order` of contracts/src/SwapTypes.sol; its hash is the id at the vault. */
export type VaultOrder = {
  account: Address;
  receiver: Address;
  marketKey: Hex;
  /** 0 is YES, 1 is NO. */
  outcome: number;
  isBuy: boolean;
  /** Contract micros to buy or to sell. */
  quantity: bigint;
  /** Buy: most USDC micros to spend, fees included. Sell: least USDC micros to receive. */
  quoteLimit: bigint;
  /** Unix seconds after which anyone may return the input. */
  expiry: bigint;
  clientRef: Hex;
  salt: bigint;
};

const ORDER_ID_PARAMETERS = [
  { type: 'uint256' },
  { type: 'address' },
  { type: 'tuple', components: ORDER_FIELDS },
] as const;

/** The vault's id of an order, as `SwapVault.orderIdOf` computes it. */
export function vaultOrderId(chainId: number, vault: Address, order: VaultOrder): Hex {
  return keccak256(encodeAbiParameters(ORDER_ID_PARAMETERS, [BigInt(chainId), vault, order]));
}

/**
 * A client id in the chain's logs. Equal client ids of two API keys differ here.
 */
export function clientRefOf(apiKeyId: string, clientId: string): Hex {
  return keccak256(toBytes(`${apiKeyId}\u0000${clientId}`));
}

/** The order as its session key signs it, and as JSON: bigints become strings. */
export function orderMessage(order: VaultOrder): OrderMessage {
  return {
    ...order,
    quantity: order.quantity.toString(),
    quoteLimit: order.quoteLimit.toString(),
    expiry: order.expiry.toString(),
    salt: order.salt.toString(),
  };
}

export function readOrderMessage(message: OrderMessage): VaultOrder {
  return {
    ...message,
    account: message.account as Address,
    receiver: message.receiver as Address,
    marketKey: message.marketKey as Hex,
    clientRef: message.clientRef as Hex,
    quantity: BigInt(message.quantity),
    quoteLimit: BigInt(message.quoteLimit),
    expiry: BigInt(message.expiry),
    salt: BigInt(message.salt),
  };
}
