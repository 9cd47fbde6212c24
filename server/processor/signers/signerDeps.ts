import type { Address } from 'viem';
import type { Chain } from '#server/chain/client.ts';
import type { OperationKind } from '#server/chain/operations/store.ts';
import type { Database } from '#server/platform/database/client.ts';
import type { ChainSigner } from '#server/platform/keys/chainSigner.ts';
import type { Log } from '#server/platform/log.ts';
import type { Checkpoint } from '../runner/checkpoints.ts';
import type { ClaimedOrders } from '../runner/claimedOrders.ts';
import type { WorkSignal } from '../runner/workSignal.ts';

export type SignerDeps = {
  database: Database;
  chain: Chain;
  log: Log;
  checkpoint: (name: Checkpoint) => void;
  /** Rings when operations have been handed over by this process. */
  work: WorkSignal;
  /** Takes on what the signers wake. */
  claimedOrders: ClaimedOrders;
  /** Which keys this process holds. */
  keysHeld: Set<Address>;
  /** The most that is ever offered for gas, in wei. */
  maxFeePerGas: bigint;
};

export type SignerRole = { account: ChainSigner; kinds: readonly OperationKind[] };
