import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parser } from '@prometheus-io/lezer-promql';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { ALERT_KINDS } from '../../domain/admin/alertKinds.ts';
import { databaseParts } from '../../domain/monitoring/databaseParts.ts';
import { externalParts } from '../../domain/monitoring/externalParts.ts';
import type { ServiceDeps } from '../../domain/monitoring/parts.ts';
import { watchService } from '../../domain/monitoring/serviceGauges.ts';
import { observeChainRequest, observeExchangeCall } from './calls.ts';
import { observeStep } from './orders.ts';
import { exposeMetrics } from './registry.ts';
import { observeRequest, watchStreams } from './requests.ts';

/** The rules and the dashboard for Prometheus and Grafana name only metrics that exist. */

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const read = (path: string) => readFileSync(`${ROOT}${path}`, 'utf8');

const rulesSchema = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string().startsWith('Crossbook'),
          expr: z.string().min(5),
          for: z.string().regex(/^\d+[smh]$/),
          labels: z.strictObject({ severity: z.enum(['page', 'ticket']) }),
          annotations: z.strictObject({
            summary: z.string(),
            description: z.string(),
            runbook: z.string(),
          }),
        }),
      ),
    }),
  ),
});

const dashboardSchema = z.looseObject({
  title: z.string(),
  panels: z.array(
    z.looseObject({
      id: z.number(),
      title: z.string(),
      targets: z.array(z.looseObject({ expr: z.string() })).optional(),
    }),
  ),
});

const rules = rulesSchema
  .parse(parse(read('deploy/monitoring/alerts.yaml')))
  .groups.flatMap((group) => group.rules);
const dashboard = dashboardSchema.parse(JSON.parse(read('deploy/monitoring/dashboard.json')));
const shown = dashboard.panels.flatMap((panel) => panel.targets?.map(({ expr }) => expr) ?? []);

/** Without a database, a chain and an exchange no part can be read. */
const noOne: ServiceDeps = {
  database: undefined as unknown as ServiceDeps['database'],
  chain: undefined as unknown as ServiceDeps['chain'],
  exchange: undefined as unknown as ServiceDeps['exchange'],
  signers: () => [],
};

let exported: Set<string>;
let samples: string;

beforeAll(async () => {
  observeRequest('GET', '/v1/status', 200, 0.001);
  observeExchangeCall('getStatus', 'ok', 0.01);
  observeChainRequest('eth_call', 'ok', 0.01);
  observeStep('place', 'moved', 0.1);
  watchStreams(() => 0);
  watchService(noOne);
  const { body } = await exposeMetrics();
  samples = body;
  exported = new Set(
    [...body.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
    ),
  );
});

/** Names of metrics in an expression; `up` is Prometheus's own. */
function namesIn(expr: string): string[] {
  return [...expr.matchAll(/\b(crossbook|nodejs|process)_\w+/g)].map(([name]) => name);
}

describe.each([
  ['the alert rules', rules.map((rule) => rule.expr)],
  ['the dashboard', shown],
])('%s', (_what, expressions) => {
  test('use exported metrics only', () => {
    const asked = expressions.flatMap(namesIn);
    expect(asked.length).toBeGreaterThan(10);
    expect(asked.filter((name) => !exported.has(name))).toEqual([]);
  });

  test('name existing kinds of alerts only', () => {
    const kinds = expressions.flatMap((expr) =>
      [...expr.matchAll(/crossbook_alerts_open\{kind="(\w+)"\}/g)].map(([, kind = '']) => kind),
    );
    expect(kinds.filter((kind) => !(kind in ALERT_KINDS))).toEqual([]);
  });

  test('are valid PromQL', () => {
    for (const expr of expressions) expect(mistakesIn(expr), expr).toEqual([]);
  });
});

/** What the language's own grammar rejects. */
function mistakesIn(expr: string): string[] {
  // Grafana replaces this by the duration of one step of the graph.
  const query = expr.replaceAll('$__rate_interval', '1m');
  const mistakes: string[] = [];
  parser.parse(query).iterate({
    enter: ({ type, from, to }) => {
      if (type.isError) mistakes.push(`${from}: ${query.slice(from, to + 12)}`);
    },
  });
  return mistakes;
}

test('a mistake in an expression is found', () => {
  expect(mistakesIn('max(crossbook_exchange_up) ==')).not.toEqual([]);
  expect(mistakesIn('rate(crossbook_exchange_up[5 minutes])')).not.toEqual([]);
});

test('every rule has its own name and an existing runbook', () => {
  expect(new Set(rules.map((rule) => rule.alert)).size).toBe(rules.length);
  for (const { annotations } of rules) {
    const [file = '', anchor] = annotations.runbook.split('#');
    expect(existsSync(`${ROOT}${file}`), file).toBe(true);
    if (anchor === undefined) continue;
    const anchors = [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, head = '']) =>
      head
        .toLowerCase()
        .replaceAll(/[^a-z0-9 -]/g, '')
        .replaceAll(' ', '-'),
    );
    expect(anchors).toContain(anchor);
  }
});

test('a part that cannot be read shows no value, of gauges with and without labels', () => {
  expect(samples).toContain('crossbook_part_readable{part="reconciliation"} 0\n');
  expect(samples).not.toMatch(/^crossbook_reconciliation_(ok|differences)[ {]/m);
});

test('every panel of the dashboard has its own id', () => {
  expect(new Set(dashboard.panels.map((panel) => panel.id)).size).toBe(dashboard.panels.length);
});

test('every gauge of the service is on the dashboard or in a rule, and in the handbook', () => {
  const names = [...databaseParts(noOne), ...externalParts(noOne)].flatMap((part) =>
    part.gauges.map((gauge) => (gauge as unknown as { name: string }).name),
  );
  const used = new Set([...shown, ...rules.map((rule) => rule.expr)].flatMap(namesIn));
  const informative = new Set(['crossbook_chain_head_block', 'crossbook_catalogue_markets']);
  expect(names.filter((name) => !(used.has(name) || informative.has(name)))).toEqual([]);
  const handbook = read('docs/OPERATIONS.md');
  expect(names.filter((name) => !handbook.includes(`\`${name}\``))).toEqual([]);
});
