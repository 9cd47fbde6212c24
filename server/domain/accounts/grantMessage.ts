import type { Address } from 'viem';
import { accountDomain, DOMAIN_FIELDS } from '#lib/account/accountDomain.ts';
import type { GrantMessage, GrantToSign } from '#lib/api/schemas/account.ts';
import type { AccountGrant } from '../../chain/accountReads.ts';

/** The struct of contracts/src/TradingAccount.sol that owners sign. */
const GRANT_FIELDS = [
  { name: 'operator', type: 'address' },
  { name: 'validUntil', type: 'uint48' },
  { name: 'withdrawAnywhere', type: 'bool' },
  { name: 'maxPerOrder', type: 'uint64' },
  { name: 'maxPerDay', type: 'uint64' },
  { name: 'maxWithdrawPerDay', type: 'uint64' },
  { name: 'nonce', type: 'uint64' },
] as const;

/** The grant with its numbers as strings, as JSON carries it. */
export function toGrantMessage(grant: AccountGrant): GrantMessage {
  return {
    operator: grant.operator,
    validUntil: grant.validUntil.toString(),
    withdrawAnywhere: grant.withdrawAnywhere,
    maxPerOrder: grant.maxPerOrder.toString(),
    maxPerDay: grant.maxPerDay.toString(),
    maxWithdrawPerDay: grant.maxWithdrawPerDay.toString(),
    nonce: grant.nonce.toString(),
  };
}

export function fromGrantMessage(message: GrantMessage): AccountGrant {
  return {
    operator: message.operator as Address,
    validUntil: BigInt(message.validUntil),
    withdrawAnywhere: message.withdrawAnywhere,
    maxPerOrder: BigInt(message.maxPerOrder),
    maxPerDay: BigInt(message.maxPerDay),
    maxWithdrawPerDay: BigInt(message.maxWithdrawPerDay),
    nonce: BigInt(message.nonce),
  };
}

/** EIP-712 data in the form of `eth_signTypedData_v4`. */
export function grantToSign(chainId: number, account: Address, grant: AccountGrant): GrantToSign {
  return {
    typedData: {
      domain: accountDomain(chainId, account),
      types: { EIP712Domain: [...DOMAIN_FIELDS], Grant: [...GRANT_FIELDS] },
      primaryType: 'Grant',
      message: toGrantMessage(grant),
    },
  };
}

/** The same data in viem's form. */
export function grantTypedData(chainId: number, account: Address, grant: AccountGrant) {
  return {
    domain: accountDomain(chainId, account),
    types: { Grant: GRANT_FIELDS },
    primaryType: 'Grant',
    message: { ...grant, validUntil: Number(grant.validUntil) },
  } as const;
}
