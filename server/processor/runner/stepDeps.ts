import type { Chain } from '../../chain/client.ts';
import type { Venue } from '../../exchange/port.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Database } from '../../platform/database/client.ts';
import type { Log } from '../../platform/log.ts';
import type { Bell } from './bell.ts';
import type { Checkpoint } from './checkpoints.ts';
import type { Hands } from './hands.ts';

/** What every step of an intent's life may use. */
export type StepDeps = {
  database: Database;
  chain: Chain;
  venue: Venue;
  config: Pick<Config, 'unwinding'>;
  log: Log;
  checkpoint: (name: Checkpoint) => void;
  /** Rung when operations are handed to the signers. */
  work: Bell;
  /** What was taken while it was woken. */
  hands: Hands;
};
