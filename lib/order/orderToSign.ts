import { type Address, type Hex, hashTypedData } from 'viem';
import { accountDomain, DOMAIN_FIELDS } from '#lib/account/accountDomain.ts';

/** `Order` of contracts/src/SwapTypes.sol. */
export const ORDER_FIELDS = [
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

/** The same with its large numbers as strings, as JSON carries them. */
export type OrderMessage = {
  account: string;
  receiver: string;
  marketKey: string;
  /** 0 is Yes, 1 is No. */
  outcome: number;
  isBuy: boolean;
  /** In 1e-6 contracts. */
  quantity: string;
  /** In 1e-6 USDC. */
  quoteLimit: string;
  /** Unix seconds. */
  expiry: string;
  clientRef: string;
  /** The bits of the order's id. */
  salt: string;
};

/** EIP-712 data of an order, under the domain of its account. */
export function orderTypedData(chainId: number, message: OrderMessage) {
  return {
    domain: accountDomain(chainId, message.account as Address),
    types: { EIP712Domain: [...DOMAIN_FIELDS], Order: [...ORDER_FIELDS] },
    primaryType: 'Order' as const,
    message,
  };
}

/** What a session key signs. */
export function orderDigest(chainId: number, message: OrderMessage): Hex {
  return hashTypedData({
    domain: accountDomain(chainId, message.account as Address),
    types: { Order: ORDER_FIELDS },
    primaryType: 'Order',
    message: {
      account: message.account as Address,
      receiver: message.receiver as Address,
      marketKey: message.marketKey as Hex,
      outcome: message.outcome,
      isBuy: message.isBuy,
      quantity: BigInt(message.quantity),
      quoteLimit: BigInt(message.quoteLimit),
      expiry: BigInt(message.expiry),
      clientRef: message.clientRef as Hex,
      salt: BigInt(message.salt),
    },
  });
}

/** An order's id, a UUID, as its salt, which makes every order's id at the vault unique. */
export function saltOf(orderId: string): bigint {
  return BigInt(`0x${orderId.replaceAll('-', '')}`);
}
