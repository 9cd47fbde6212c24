import { z } from 'zod';
import { urlField } from './fields.ts';

/** Where traces go. The names are those of OpenTelemetry. */
export const tracingEnvironment = {
  /** A receiver of OTLP over HTTP, without /v1/traces; without it, no tracing. */
  OTEL_EXPORTER_OTLP_ENDPOINT: urlField.optional(),
  /** `name=value,…`, sent to the receiver: its credentials. */
  OTEL_EXPORTER_OTLP_HEADERS: z
    .string()
    .regex(/^[^=,\s]+=[^,]*(,[^=,\s]+=[^,]*)*$/, 'must be name=value,name=value')
    .optional(),
  /** The share of requests that are traced, 0 to 1; an order is traced if its request was. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
};

export type TracingConfig = ReturnType<typeof readTracing>;

export function readTracing(env: z.infer<z.ZodObject<typeof tracingEnvironment>>) {
  const pairs = (env.OTEL_EXPORTER_OTLP_HEADERS ?? '').split(',').filter((pair) => pair !== '');
  return {
    /** Undefined: no tracing. */
    endpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT?.replace(/\/$/, ''),
    headers: Object.fromEntries(
      pairs.map((pair) => {
        const mark = pair.indexOf('=');
        return [pair.slice(0, mark), decodeURIComponent(pair.slice(mark + 1))];
      }),
    ),
    sampleRatio: env.OTEL_TRACES_SAMPLER_ARG,
  };
}
