import { type Address, encodeFunctionData, type Hex } from 'viem';
import { swapVaultAbi } from '#contracts/abi/swapVault.ts';
import { tradingAccountAbi } from '#contracts/abi/tradingAccount.ts';
import { tradingAccountFactoryAbi } from '#contracts/abi/tradingAccountFactory.ts';
import type { AccountGrant } from '../accountReads.ts';
import type { Contracts } from '../client.ts';
import type { VaultOrder } from '../vaultOrder.ts';

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
  | { kind: 'request'; orders: VaultOrder[] }
  | { kind: 'attest'; backings: Backing[] }
  | { kind: 'register'; ticker: string }
  | { kind: 'fill'; fills: { order: VaultOrder; filledQuantity: bigint; quoteAmount: bigint }[] }
  | { kind: 'refund'; orders: VaultOrder[] }
  | {
      kind: 'withdraw';
      account: Address;
      token: Address;
      tokenId: bigint;
      amountMicros: bigint;
      to: Address;
      ref: Hex;
      /** Under the owner's own signature, not under a permission. */
      signed: { signature: Hex; deadline: bigint } | undefined;
    }
  | { kind: 'redeem'; redemptions: RedemptionCall[] }
  | { kind: 'propose'; marketKey: Hex; payoutYesMicros: bigint; payoutNoMicros: bigint }
  | { kind: 'finalize'; marketKey: Hex };

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

type SettlementCall = Extract<OperationCall, { kind: 'register' | 'propose' | 'finalize' }>;

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
  switch (call.kind) {
    case 'grant':
      return encodeGrant(contracts, call);
    case 'request':
      return vaultCall(
        contracts,
        encodeFunctionData({ abi: swapVaultAbi, functionName: 'requestFor', args: [call.orders] }),
        call.orders.length,
      );
    case 'fill':
      return vaultCall(
        contracts,
        encodeFunctionData({ abi: swapVaultAbi, functionName: 'fillBatch', args: [call.fills] }),
        call.fills.length,
      );
    case 'refund':
      return vaultCall(
        contracts,
        encodeFunctionData({
          abi: swapVaultAbi,
          functionName: 'refundBatch',
          args: [call.orders],
        }),
        call.orders.length,
      );
    case 'attest':
      return {
        to: contracts.swapVault,
        data: encodeFunctionData({
          abi: swapVaultAbi,
          functionName: 'attestBacking',
          args: [
            call.backings.map((backing) => ({
              tokenId: backing.tokenId,
              bought: backing.boughtContractMicros,
              floor: Number(backing.floorMicros),
            })),
          ],
        }),
        gas: GAS.base + GAS.attestation * BigInt(call.backings.length),
      };
    case 'deploy':
      return {
        to: contracts.accountFactory,
        data: encodeFunctionData({
          abi: tradingAccountFactoryAbi,
          functionName: 'createAccount',
          args: [call.owner],
        }),
        gas: GAS.deploy,
      };
    case 'withdraw':
      return encodeWithdrawal(call);
    case 'redeem':
      return vaultCall(
        contracts,
        encodeFunctionData({
          abi: swapVaultAbi,
          functionName: 'redeemBatch',
          args: [
            call.redemptions.map(({ contractMicros, ...one }) => ({
              ...one,
              amount: contractMicros,
            })),
          ],
        }),
        call.redemptions.length,
      );
    case 'register':
    case 'propose':
    case 'finalize':
      return encodeSettlement(contracts, call);
  }
}

function encodeWithdrawal(call: Extract<OperationCall, { kind: 'withdraw' }>): EncodedCall {
  const { account, token, tokenId, amountMicros, to, ref, signed } = call;
  const data = signed
    ? encodeFunctionData({
        abi: tradingAccountAbi,
        functionName: 'withdrawWithSig',
        args: [
          { token, tokenId, amount: amountMicros, to, ref, deadline: signed.deadline },
          signed.signature,
        ],
      })
    : encodeFunctionData({
        abi: tradingAccountAbi,
        functionName: 'operatorWithdraw',
        args: [token, tokenId, amountMicros, to, ref],
      });
  return { to: account, data, gas: signed ? GAS.signedWithdraw : GAS.withdraw };
}

function encodeSettlement(contracts: Contracts, call: SettlementCall): EncodedCall {
  return { to: contracts.swapVault, data: settlementData(call), gas: GAS.settlement };
}

function settlementData(call: SettlementCall): Hex {
  const abi = swapVaultAbi;
  switch (call.kind) {
    case 'register':
      return encodeFunctionData({ abi, functionName: 'registerMarket', args: [call.ticker] });
    case 'propose': {
      const args = [call.marketKey, call.payoutYesMicros, call.payoutNoMicros] as const;
      return encodeFunctionData({ abi, functionName: 'proposeSettlement', args });
    }
    case 'finalize':
      return encodeFunctionData({
        abi,
        functionName: 'finalizeSettlement',
        args: [call.marketKey],
      });
  }
}

function vaultCall(contracts: Contracts, data: Hex, members: number): EncodedCall {
  return { to: contracts.swapVault, data, gas: GAS.base + GAS.member * BigInt(members) };
}

function encodeGrant(
  contracts: Contracts,
  call: Extract<OperationCall, { kind: 'grant' }>,
): EncodedCall {
  const grant = { ...call.grant, validUntil: Number(call.grant.validUntil) };
  return call.deployed
    ? {
        to: call.account,
        data: encodeFunctionData({
          abi: tradingAccountAbi,
          functionName: 'setGrant',
          args: [grant, call.signature],
        }),
        gas: GAS.grant,
      }
    : {
        to: contracts.accountFactory,
        data: encodeFunctionData({
          abi: tradingAccountFactoryAbi,
          functionName: 'createAndGrant',
          args: [call.owner, grant, call.signature],
        }),
        gas: GAS.grant,
      };
}
