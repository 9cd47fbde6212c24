import type { Chain } from '../../chain/client.ts';
import type { Exchange } from '../../exchange/port.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Database } from '../../platform/database/client.ts';
import type { Log } from '../../platform/log.ts';
import type { Checkpoint } from './checkpoints.ts';
import type { ClaimedOrders } from './claimedOrders.ts';
import type { WorkSignal } from './workSignal.ts';

/** Dependencies for reading facts and carrying out decisions. */
export type StepDeps = {
  database: Database;
  chain: Chain;
  exchange: Exchange;
  config: Pick<Config, 'unwinding' | 'shardTargets'>;
  log: Log;
  checkpoint: (name: Checkpoint) => void;
  /** Rings when operations are queued for the signers. */
  work: WorkSignal;
  /** Orders that this process claimed when it woke them. */
  claimedOrders: ClaimedOrders;
};
