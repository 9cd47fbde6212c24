import type { Address } from 'viem';
import type { Chain } from '#server/chain/client.ts';
import type { OperationKind } from '#server/chain/operations/store.ts';
import type { Database } from '#server/db/client.ts';
import type { ChainSigner } from '#server/keys/chainSigner.ts';
import type { Log } from '#server/log.ts';
import type { OrderQueue } from '#server/orders/queue.ts';
import type { Bell } from '../bell.ts';
import type { Checkpoint } from '../checkpoints.ts';
import type { Hands } from '../hands.ts';

export type SignerDeps = {
  database: Database;
  chain: Chain;
  queue: OrderQueue;
  log: Log;
  checkpoint: (name: Checkpoint) => void;
  /** Rings when operations have been handed over by this process. */
  work: Bell;
  /** Takes on what the signers wake. */
  hands: Hands;
  /** Which keys this process holds. */
  keysHeld: Set<Address>;
  /** The most that is ever offered for gas, in wei. */
  maxFeePerGas: bigint;
};

export type SignerRole = { account: ChainSigner; kinds: readonly OperationKind[] };
