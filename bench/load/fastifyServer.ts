import Fastify from 'fastify';
import pg from 'pg';
import { notifyParent, settingsFromParent } from '../harness/child.ts';

/**
 * A quick implementation: Fastify, node-postgres, one statement, its rows as the response. No keys,
 * no limits, no logging.
 */
export type FastifyRoutes = { databaseUrl: string; orderSql: string };

const settings = await settingsFromParent<FastifyRoutes>();
const pool = new pg.Pool({ connectionString: settings.databaseUrl, max: 10 });
const app = Fastify({ logger: false });
app.get<{ Params: { id: string } }>('/v1/order/:id', async (request, reply) => {
  const { rows } = await pool.query<object>(settings.orderSql, [request.params.id]);
  const [row] = rows;
  return row ?? reply.code(404).send({});
});
await app.listen({ port: 0, host: '127.0.0.1' });
const address = app.server.address();
notifyParent({ ready: typeof address === 'object' ? address?.port : 0 });
