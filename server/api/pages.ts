import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sirv from 'sirv';

const PROJECT_ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Answers what is not of the interface: what the build has made as it lies there, pages by Next.
 */
export async function openPages(host: string, port: number): Promise<RequestListener> {
  const { default: next } = await import('next');
  const app = next({ dev: false, dir: PROJECT_ROOT, hostname: host, port });
  await app.prepare();
  const handle = app.getRequestHandler();
  const responseStatic = createStaticFiles(join(PROJECT_ROOT, '.next', 'static'));
  return (request, response) => {
    const render = () => void handle(request, response);
    if (isStaticPath(request.url ?? '')) responseStatic(request, response, render);
    else render();
  };
}

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
