import type { IncomingMessage, ServerResponse } from 'node:http';
import sirv from 'sirv';

const PREFIX = '/_next/static';
const YEAR_SECONDS = 31_536_000;

/** Answers the request, or hands it on. */
export type StaticFiles = (
  request: IncomingMessage,
  response: ServerResponse,
  next: () => void,
) => void;

/** Whether the path is that of something the build made for browsers. */
export function isStaticPath(path: string): boolean {
  return path.startsWith(`${PREFIX}/`);
}

/**
 * Scripts, styles and fonts of the pages, as `compressAssets` has laid them ready: Next would
 * compress each of them again for every visitor, in the process that answers the interface. Their
 * names change with what is in them, so browsers keep them.
 * @param folder where the build has put them, read once
 */
export function createStaticFiles(folder: string): StaticFiles {
  const serve = sirv(folder, {
    brotli: true,
    gzip: true,
    etag: true,
    immutable: true,
    maxAge: YEAR_SECONDS,
  });
  return (request, response, next) => {
    const { url = '', method } = request;
    if (method !== 'GET' && method !== 'HEAD') {
      next();
      return;
    }
    request.url = url.slice(PREFIX.length);
    serve(request, response, () => {
      request.url = url;
      next();
    });
  };
}
