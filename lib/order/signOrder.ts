import { type Hex, isAddressEqual } from 'viem';
import type { CrossbookClient } from '#lib/api/client.ts';
import type { AnyOrderRequestInput, OrderToSign } from '#lib/api/schemas/order.ts';
import { parseMicros } from '#lib/money.ts';
import { marketKeyOf, OUTCOME_INDEX, outcomeTokenIdOfKey } from '#lib/outcomeToken.ts';
import { type OrderMessage, orderDigest, saltOf } from './orderToSign.ts';

/** Whatever holds a session key: a program its private key, a browser one that no script reads. */
export type OrderSigner = {
  /** What `GET /v1/account/grant` takes as `sessionKey`. */
  sessionKey: Hex;
  /** The signature of a digest in the form that the account checks. */
  signDigest: (digest: Hex) => Promise<Hex>;
};

/** The service asks for a signature of another order than the one wanted. Nothing was signed. */
export class OtherOrderError extends Error {
  override name = 'OtherOrderError';
}

/**
 * Places an order for an account whose permission names a session key: asks for what is to be
 * signed, compares it with what is wanted, signs and sends it. Without a session key, and for a
 * redemption, nothing is signed. Give a `clientId`, so that a repetition is the same order.
 * @throws {OtherOrderError} and what `POST /v1/order` answers with
 */
export async function placeOrder(
  api: Pick<CrossbookClient, 'prepareOrder' | 'createOrder'>,
  signer: OrderSigner | undefined,
  wanted: AnyOrderRequestInput,
) {
  if (!signer) return await api.createOrder(wanted);
  return await api.createOrder(await signOrder(signer, wanted, await api.prepareOrder(wanted)));
}

/**
 * Completes a prepared order with the session key's signature.
 * @throws {OtherOrderError}
 */
export async function signOrder(
  signer: OrderSigner,
  wanted: AnyOrderRequestInput,
  { typedData, clientId, preparedAt }: OrderToSign,
): Promise<AnyOrderRequestInput> {
  if (!typedData) return wanted;
  requireSameOrder(wanted, typedData.message);
  const id = crypto.randomUUID();
  const message = { ...typedData.message, salt: saltOf(id).toString() };
  const signature = await signer.signDigest(orderDigest(wanted.chainId, message));
  return { ...wanted, clientId, signed: { id, preparedAt, signature } };
}

/** More than the exchange charges for a contract at any price, in micro-dollars. */
const MOST_FEE_MICROS = 50_000n;

/**
 * The service computes what the chain needs; that it is no other order, and no worse one, is for the
 * signer to see.
 */
function requireSameOrder(wanted: AnyOrderRequestInput, message: OrderMessage): void {
  const { order, receiverAddress } = wanted;
  const expect = (fine: boolean, what: string) => {
    if (!fine) throw new OtherOrderError(`The service asks to sign another order: ${what}.`);
  };
  const isBuy = order.orderType === 'BUY';
  const receiver = receiverAddress ?? message.account;
  expect(isAddressEqual(message.receiver as Hex, receiver as Hex), 'its receiver differs');
  expect(isOutcome(order.baseToken, message), 'its market or side differs');
  expect(message.isBuy === isBuy, 'it does not trade in the same direction');
  const quantity = BigInt(message.quantity);
  const quoteLimit = BigInt(message.quoteLimit);
  const { baseQuantity } = order;
  const isSameSize = baseQuantity === undefined || quantity === parseMicros(baseQuantity);
  expect(isSameSize, 'its quantity differs');
  expect(isWithinLimit(wanted, { quantity, quoteLimit }), 'its price limit is worse');
}

function isOutcome(
  { type, data }: AnyOrderRequestInput['order']['baseToken'],
  { marketKey, outcome }: OrderMessage,
): boolean {
  if (type === 'venue') {
    return marketKeyOf(data.marketId) === marketKey && OUTCOME_INDEX[data.side] === outcome;
  }
  return outcomeTokenIdOfKey(marketKey as Hex, outcome) === BigInt(data.tokenId);
}

function isWithinLimit(
  { orderType, order }: AnyOrderRequestInput,
  { quantity, quoteLimit }: { quantity: bigint; quoteLimit: bigint },
): boolean {
  const isBuy = order.orderType === 'BUY';
  const most = order.maxQuoteQuantityIn;
  if (isBuy && most !== undefined && quoteLimit > parseMicros(most)) return false;
  if (orderType === 'MarketOrder') {
    return isBuy || quoteLimit >= parseMicros(order.minQuoteQuantityOut ?? '0');
  }
  const price = parseMicros(order.limitPrice);
  const worst = isBuy ? price + MOST_FEE_MICROS : price - MOST_FEE_MICROS;
  return isBuy
    ? quoteLimit * 1_000_000n <= quantity * worst + 1_000_000n
    : (quoteLimit + 1n) * 1_000_000n >= quantity * worst;
}
