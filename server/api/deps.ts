import type { Runtime } from '../runtime.ts';

/** What handlers hand on to the services. */
export type HttpDeps = Runtime;
