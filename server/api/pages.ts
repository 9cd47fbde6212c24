import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createStaticFiles, isStaticPath } from './staticFiles.ts';

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
