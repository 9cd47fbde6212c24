import { type Address, encodeAbiParameters, type Hex, keccak256, toBytes } from 'viem';
import type { OrderMessage } from '#lib/order/orderToSign.ts';

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

const ORDER_COMPONENTS = [
  { name: 'account', type: 'address' },
  { name: 'receiver', type: 'address' },
  { name: 'marketKey', type: 'bytes32' },
  { name: 'outcome', type: 'uint8' },
  { name: 'isBuy', type: 'bool' },
  { name: 'quantity', type: 'uint128' },
  { name: 'quoteLimit', type: 'uint128' },
  { name: 'expiry', type: 'uint64' },
  { name: 'clientRef', type: 'bytes32' },
  { name: 'salt', type: 'uint128' },
] as const;

const ORDER_ID_PARAMETERS = [
  { type: 'uint256' },
  { type: 'address' },
  { type: 'tuple', components: ORDER_COMPONENTS },
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

/** The order as its session key signs it. */
export function orderMessage(order: VaultOrder): OrderMessage {
  return {
    ...order,
    quantity: order.quantity.toString(),
    quoteLimit: order.quoteLimit.toString(),
    expiry: order.expiry.toString(),
    salt: order.salt.toString(),
  };
}
