import { formatGwei, type Hex, parseTransaction } from 'viem';
import type { ChainTransaction } from '#server/chain/operations/store.ts';
import { storeReplacement, type TransactionVersion } from '#server/chain/operations/versions.ts';
import type { ChainSigner } from '#server/keys/chainSigner.ts';
import { type Fees, raiseFees, readFeeMarket } from './fees.ts';
import type { SignerAlerts } from './signerAlerts.ts';
import type { SignerDeps, SignerRole } from './signerDeps.ts';

/**
 * Signs and stores another version of a transaction when it offers too little to be mined: the
 * same call under the same nonce, for more. Nothing else may ever be signed for that nonce.
 * @returns whether there is a new version to broadcast
 */
export async function replaceWhenUnderpriced(
  deps: SignerDeps,
  role: SignerRole,
  transaction: ChainTransaction,
  newest: TransactionVersion,
  alerts: SignerAlerts,
): Promise<boolean> {
  const market = await readFeeMarket(deps.chain);
  const raise = raiseFees(feesOf(newest.raw), market, deps.maxFeePerGas);
  if (raise.kind === 'enough') return false;
  if (raise.kind === 'capped') {
    const cost = formatGwei(market.nextBaseFeePerGas + market.priorityFeePerGas);
    await alerts.raise('transaction_stuck', `gas costs ${cost} gwei, above the gas price limit`);
    return false;
  }
  const raw = await signAgain(role.account, newest.raw, raise.fees);
  await storeReplacement(deps.database.orm, transaction, raw);
  deps.checkpoint('chain.replacement_stored');
  deps.log.warn(
    {
      signer: transaction.signer,
      nonce: transaction.nonce,
      maxFeePerGas: raise.fees.maxFeePerGas.toString(),
    },
    'replacing an underpriced transaction',
  );
  return true;
}

/** Signs what was signed before, at other fees; nothing else can differ. */
export async function signAgain(account: ChainSigner, raw: Hex, fees: Fees): Promise<Hex> {
  const { to, data, gas, nonce, chainId } = parseTransaction(raw as `0x02${string}`);
  return await account.signTransaction({
    type: 'eip1559',
    chainId,
    nonce,
    to,
    data,
    gas,
    ...fees,
  });
}

function feesOf(raw: Hex): Fees {
  const { maxFeePerGas, maxPriorityFeePerGas } = parseTransaction(raw as `0x02${string}`);
  return { maxFeePerGas: maxFeePerGas ?? 0n, maxPriorityFeePerGas: maxPriorityFeePerGas ?? 0n };
}
