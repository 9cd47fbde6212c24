import type { z } from 'zod';
import type {
  activityExportQuerySchema,
  orderExportQuerySchema,
  portfolioExportQuerySchema,
} from '#lib/api/schemas/export.ts';
import { type QueryValue, requestResponse, type TransportOptions } from '#lib/api/transport.ts';

export type ExportQueries = {
  orders: Partial<z.output<typeof orderExportQuerySchema>>;
  activity: Partial<z.output<typeof activityExportQuerySchema>>;
  portfolio: z.input<typeof portfolioExportQuerySchema>;
};

/** Fetches a table as a file to save. @throws {ApiProblem} */
export async function exportCsv<Name extends keyof ExportQueries>(
  options: TransportOptions,
  name: Name,
  query: ExportQueries[Name],
): Promise<Blob> {
  const response = await requestResponse(options, {
    method: 'GET',
    path: `/v1/exports/${name}.csv`,
    query: query as Record<string, QueryValue>,
  });
  return await response.blob();
}
