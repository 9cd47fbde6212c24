import type { Chain } from '../chain/client.ts';
import type { Config } from '../config.ts';
import type { Database } from '../db/client.ts';
import type { Log } from '../log.ts';
import type { OrderQueue } from '../orders/queue.ts';
import type { Venue } from '../venue/port.ts';

/** What handlers hand on to the services. */
export type HttpDeps = {
  config: Config;
  log: Log;
  database: Database;
  venue: Venue;
  chain: Chain;
  queue: OrderQueue;
};
