import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

/** A span as an OTLP/HTTP receiver gets it. */
export type ReceivedSpan = {
  service: string;
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  attributes: Record<string, unknown>;
};

const attributeSchema = z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) });
const bodySchema = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes: z.array(attributeSchema) }),
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              traceId: z.string(),
              spanId: z.string(),
              parentSpanId: z.string().optional(),
              name: z.string(),
              attributes: z.array(attributeSchema),
            }),
          ),
        }),
      ),
    }),
  ),
});

export type OtlpReceiver = { url: string; spans: () => ReceivedSpan[]; close: () => void };

/** Receives traces as a collector would, and stores them. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const server = createServer((request, response) => {
    text(request)
      .then((body) => {
        if (request.url === '/v1/traces') spans.push(...spansOf(JSON.parse(body)));
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      })
      .catch(() => response.writeHead(400).end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    spans: () => spans,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function spansOf(body: unknown): ReceivedSpan[] {
  return bodySchema.parse(body).resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const name = valuesOf(resource.attributes)['service.name'];
    const service = typeof name === 'string' ? name : '';
    return scopeSpans.flatMap((scope) =>
      scope.spans.map(({ attributes, parentSpanId, ...span }) => ({
        ...span,
        service,
        parentSpanId: parentSpanId === '' ? undefined : parentSpanId,
        attributes: valuesOf(attributes),
      })),
    );
  });
}

function valuesOf(attributes: z.infer<typeof attributeSchema>[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
