import type { Chain } from '../../chain/client.ts';
import type { Exchange } from '../../exchange/port.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Database } from '../../platform/database/client.ts';
import type { Log } from '../../platform/log.ts';
import type { Checkpoint } from './checkpoints.ts';
import type { ClaimedOrders } from './claimedOrders.ts';
import type { WorkSignal } from './workSignal.ts';

/** What steps and signers share. */
export type ProcessorDeps = {
  database: Database;
  chain: Chain;
  log: Log;
  checkpoint: (name: Checkpoint) => void;
  /** Rings when this process has queued operations for the signers. */
  work: WorkSignal;
  /** Orders that this process claimed when it woke them. */
  claimedOrders: ClaimedOrders;
};

export type StepDeps = ProcessorDeps & {
  exchange: Exchange;
  config: Pick<Config, 'unwinding' | 'shardTargets'>;
};
