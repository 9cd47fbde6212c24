import type { Address } from 'viem';
import type { Chain } from '#server/chain/client.ts';
import type { OperationKind } from '#server/chain/operations/store.ts';
import { raiseAlert, resolveAlert } from '#server/domain/admin/alerts.ts';
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
  /** Rings when this process has queued operations. */
  work: WorkSignal;
  /** Receives the orders that the signers wake. */
  claimedOrders: ClaimedOrders;
  /** The keys that this process holds. */
  keysHeld: Set<Address>;
  /** The maximum fee per gas, in wei. */
  maxFeePerGas: bigint;
};

export type SignerRole = { account: ChainSigner; kinds: readonly OperationKind[] };

type SignerAlert =
  | 'operator_unfunded'
  | 'transaction_stuck'
  | 'key_refused'
  | 'key_service_failing';

/** Alerts about one key; an unchanged state is not written again. */
export type SignerAlerts = {
  raise(kind: SignerAlert, internalDetail: string): Promise<void>;
  clear(kind: SignerAlert): Promise<void>;
  /** Whether it may be open; unknown until this process has raised or resolved it. */
  mayBeOpen(kind: SignerAlert): boolean;
};

const REPEAT_MS = 15_000;

export function createSignerAlerts(
  deps: { database: Database; log: Log },
  signer: string,
): SignerAlerts {
  const raisedAt = new Map<SignerAlert, number>();
  const clear = new Set<SignerAlert>();
  return {
    async raise(kind, internalDetail) {
      if (performance.now() - (raisedAt.get(kind) ?? -REPEAT_MS) < REPEAT_MS) return;
      raisedAt.set(kind, performance.now());
      clear.delete(kind);
      await raiseAlert(deps, { kind, subject: signer, internalDetail });
    },
    async clear(kind) {
      if (clear.has(kind)) return;
      await resolveAlert(deps, { kind, subject: signer });
      clear.add(kind);
      raisedAt.delete(kind);
    },
    mayBeOpen: (kind) => !clear.has(kind),
  };
}
