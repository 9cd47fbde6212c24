import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sirv from 'sirv';

const PROJECT_ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Serves everything outside the API: build output from disk, pages by Next. */
export async function openPages(host: string, port: number): Promise<RequestListener> {
  const { default: next } = await import('next');
  // With its first page Next would listen for upgrades on our server, and end every WebSocket that is
  // not its own; this server never listens.
  const httpServer = createServer();
  const app = next({ dev: false, dir: PROJECT_ROOT, hostname: host, port, httpServer });
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

/** Serves a file, or calls `next`. */
export type StaticFiles = (
  request: IncomingMessage,
  response: ServerResponse,
  next: () => void,
) => void;

/** Whether the path is build output for browsers. */
export function isStaticPath(path: string): boolean {
  return path.startsWith(`${PREFIX}/`);
}

/**
 * Scripts, styles and fonts, compressed once by `compressAssets`; Next would compress them for every
 * visitor. Their names change with their content, so browsers cache them forever.
 * @param folder the build output, read once
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
