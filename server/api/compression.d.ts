/** What we use of it; the published types ask for Express. https://github.com/expressjs/compression */
declare module 'compression' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  /** Packs what is written into the answer from then on, as the request accepts it. */
  function compression(): (
    request: IncomingMessage,
    response: ServerResponse,
    next: () => void,
  ) => void;
  export = compression;
}
