import { createConfig, lintFromString } from '@redocly/openapi-core';
import { beforeAll, expect, it } from 'vitest';
import { createDescribedRoutes } from '../testing/describedRoutes.ts';
import { describeApi } from './openapi.ts';

type Described = {
  tags: { name: string }[];
  paths: Record<string, Record<string, { tags: string[] }>>;
};

let document: string;

beforeAll(async () => {
  const routes = await createDescribedRoutes();
  document = JSON.stringify(describeApi(routes, 'https://api.crossbook.test'));
});

it('is a description to which a public linter has nothing to say', async () => {
  const config = await createConfig({
    extends: ['recommended'],
    rules: {
      // `/v1/order/by-client-id/{clientId}` and `/v1/tokens/portfolio/{address}` are published so.
      'no-ambiguous-paths': 'off',
      // The handshake of `/v1/ws` ends with 101.
      'operation-2xx-response': 'off',
    },
  });
  const problems = await lintFromString({ source: document, absoluteRef: 'openapi.json', config });
  expect(
    problems.map(({ ruleId, message, location }) => [
      ruleId,
      message,
      location.map((one) => one.pointer),
    ]),
  ).toEqual([]);
});

it('describes every tag, and uses every tag', () => {
  const { tags, paths } = JSON.parse(document) as Described;
  const used = Object.values(paths).flatMap((path) =>
    Object.values(path).flatMap((operation) => operation.tags),
  );
  expect(new Set(tags.map((tag) => tag.name))).toEqual(new Set(used));
});
