import type { Address, Hex } from 'viem';
import { settlementAbi } from '#contracts/abi/settlement.ts';
import { swapVaultAbi } from '#contracts/abi/swapVault.ts';
import { tradingAccountAbi } from '#contracts/abi/tradingAccount.ts';
import { tradingAccountFactoryAbi } from '#contracts/abi/tradingAccountFactory.ts';
import { encodeCall } from '#contracts/encodeCall.ts';
import type { AccountGrant } from '../accountReads.ts';
import type { Contracts } from '../client.ts';
import type { VaultOrder } from '../vaultOrder.ts';
import { encodeSigned } from './passkeyWallet.ts';
import { encodeRelay, type RelayCall } from './relayCall.ts';

/** The inputs for encoding an operation as a transaction. */
export type OperationCall =
  | {
      kind: 'grant';
      owner: Address;
      account: Address;
      deployed: boolean;
      grant: AccountGrant;
      signature: Hex;
    }
  | { kind: 'deploy'; owner: Address }
  /** Each with its session key's signature; empty where the grant names no key. */
  | { kind: 'request'; orders: VaultOrder[]; signatures: Hex[] }
  | { kind: 'attest'; backings: Backing[] }
  | { kind: 'register'; ticker: string }
  | { kind: 'fill'; fills: FillCall[] }
  | { kind: 'refund'; orders: VaultOrder[] }
  | {
      kind: 'withdraw';
      account: Address;
      token: Address;
      tokenId: bigint;
      amountMicros: bigint;
      to: Address;
      ref: Hex;
      /** The owner's signature for this withdrawal; undefined under a grant. */
      signed: { signature: Hex; deadline: bigint } | undefined;
    }
  | { kind: 'redeem'; redemptions: RedemptionCall[] }
  | { kind: 'relay'; relay: RelayCall }
  | { kind: 'propose'; marketKey: Hex; payoutYesMicros: bigint; payoutNoMicros: bigint }
  | { kind: 'finalize'; marketKey: Hex };

/** What an order has reached with a delivery; the vault delivers the difference. */
export type FillCall = {
  order: VaultOrder;
  filledTotal: bigint;
  quoteTotal: bigint;
  /** Ends the order and returns the rest of its input. */
  isLast: boolean;
};

/** The attestor's statement about one outcome token. */
export type Backing = {
  tokenId: bigint;
  /** Total bought at the exchange for it: sales deduct nothing. */
  boughtContractMicros: bigint;
  /** The lowest price of a purchase not yet delivered, in micro-dollars per contract. */
  floorMicros: bigint;
};

/** Tokens of a settled market to be burnt for their payout, which goes to the holder. */
export type RedemptionCall = {
  holder: Address;
  marketKey: Hex;
  outcome: number;
  contractMicros: bigint;
};

export type EncodedCall = { to: Address; data: Hex; gas: bigint };

/**
 * Gas limits are fixed, not estimated: a batch tolerates failing members, so an estimate would
 * settle on too little gas and make members fail. The vault gives each member up to 700,000.
 */
const GAS = {
  base: 200_000n,
  member: 760_000n,
  attestation: 60_000n,
  grant: 900_000n,
  deploy: 400_000n,
  withdraw: 600_000n,
  // A smart wallet that owns the account runs its own code to check the signature.
  signedWithdraw: 1_200_000n,
  settlement: 600_000n,
} as const;

/** The transaction for a call, or for several of one kind as a batch. */
export function encodeOperationCall(contracts: Contracts, call: OperationCall): EncodedCall {
  const { swapVault, settlement, accountFactory } = contracts;
  const batch = (
    data: Hex,
    members: readonly unknown[],
    { to = swapVault, each = GAS.member }: { to?: Address; each?: bigint } = {},
  ): EncodedCall => ({
    to,
    data,
    gas: GAS.base + each * BigInt(members.length),
  });
  const toSettlement = (data: Hex): EncodedCall => ({
    to: settlement,
    data,
    gas: GAS.settlement,
  });
  switch (call.kind) {
    case 'grant':
      return encodeSigned(contracts, call.signature, (signature) =>
        encodeGrant(accountFactory, { ...call, signature }),
      );
    case 'deploy': {
      const data = encodeCall(tradingAccountFactoryAbi, 'createAccount', [call.owner]);
      return { to: accountFactory, data, gas: GAS.deploy };
    }
    case 'withdraw':
      return encodeWithdrawal(contracts, call);
    case 'relay':
      return encodeRelay(contracts, call.relay);
    case 'request':
      return batch(
        encodeCall(swapVaultAbi, 'requestFor', [call.orders, call.signatures]),
        call.orders,
      );
    case 'fill':
      return batch(encodeCall(swapVaultAbi, 'fillBatch', [call.fills]), call.fills);
    case 'refund':
      return batch(encodeCall(swapVaultAbi, 'refundBatch', [call.orders]), call.orders);
    case 'attest': {
      const backings = call.backings.map(({ tokenId, boughtContractMicros, floorMicros }) => ({
        tokenId,
        bought: boughtContractMicros,
        floor: Number(floorMicros),
      }));
      const data = encodeCall(swapVaultAbi, 'attestBacking', [backings]);
      return batch(data, backings, { each: GAS.attestation });
    }
    case 'redeem': {
      const redemptions = call.redemptions.map(({ contractMicros, ...one }) => ({
        ...one,
        amount: contractMicros,
      }));
      const data = encodeCall(settlementAbi, 'redeemBatch', [redemptions]);
      return batch(data, redemptions, { to: settlement });
    }
    case 'register':
      return toSettlement(encodeCall(settlementAbi, 'registerMarket', [call.ticker]));
    case 'propose': {
      const { marketKey, payoutYesMicros, payoutNoMicros } = call;
      const args = [marketKey, payoutYesMicros, payoutNoMicros] as const;
      return toSettlement(encodeCall(settlementAbi, 'proposeSettlement', args));
    }
    case 'finalize':
      return toSettlement(encodeCall(settlementAbi, 'finalizeSettlement', [call.marketKey]));
  }
}

function encodeWithdrawal(
  contracts: Contracts,
  call: Extract<OperationCall, { kind: 'withdraw' }>,
): EncodedCall {
  const { account, token, tokenId, amountMicros: amount, to, ref, signed } = call;
  if (!signed) {
    const args = [token, tokenId, amount, to, ref] as const;
    const data = encodeCall(tradingAccountAbi, 'operatorWithdraw', args);
    return { to: account, data, gas: GAS.withdraw };
  }
  const withdrawal = { token, tokenId, amount, to, ref, deadline: signed.deadline };
  return encodeSigned(contracts, signed.signature, (signature) => {
    const data = encodeCall(tradingAccountAbi, 'withdrawWithSig', [withdrawal, signature]);
    return { to: account, data, gas: GAS.signedWithdraw };
  });
}

function encodeGrant(
  accountFactory: Address,
  { owner, account, deployed, signature, ...call }: Extract<OperationCall, { kind: 'grant' }>,
): EncodedCall {
  const grant = { ...call.grant, validUntil: Number(call.grant.validUntil) };
  if (deployed) {
    const data = encodeCall(tradingAccountAbi, 'setGrant', [grant, signature]);
    return { to: account, data, gas: GAS.grant };
  }
  const data = encodeCall(tradingAccountFactoryAbi, 'createAndGrant', [owner, grant, signature]);
  return { to: accountFactory, data, gas: GAS.grant };
}
