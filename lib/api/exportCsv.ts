import { ApiProblem } from './problem.ts';
import type { Problem } from './schemas/problem.ts';

export type ExportName = 'orders' | 'activity' | 'portfolio';

/** Who asks: the API key of the page and, where one is signed in, the bearer token. */
export type ExportCredentials = { apiKey: string; token: string | undefined };

/** Fetches a whole export as a file. @throws {ApiProblem} */
export async function exportCsv(
  credentials: ExportCredentials,
  name: ExportName,
  query: Record<string, string | undefined>,
): Promise<Blob> {
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(key, value);
  }
  const response = await fetch(`/v1/exports/${name}.csv?${parameters}`, {
    headers: {
      accept: 'text/csv, application/problem+json',
      'x-api-key': credentials.apiKey,
      ...(credentials.token !== undefined && { authorization: `Bearer ${credentials.token}` }),
    },
    cache: 'no-store',
  });
  if (response.ok) return response.blob();
  const problem = (await response.json().catch(() => undefined)) as Problem | undefined;
  throw new ApiProblem({
    status: response.status,
    code: problem?.code ?? 'unexpected_answer',
    title: problem?.title ?? 'The file could not be made',
    detail: problem?.detail ?? 'The file could not be made. Try again in a moment.',
  });
}
