import { expect, test } from 'vitest';
import { exposeMetrics } from './registry.ts';
import { observeRequest } from './requests.ts';

test('requests are counted by route, method and status, in cumulative buckets', async () => {
  observeRequest('GET', '/v1/order/{id}', 200, 0.0009);
  observeRequest('GET', '/v1/order/{id}', 200, 0.3);
  observeRequest('GET', '/v1/order/{id}', 200, 99);
  observeRequest('PROPFIND', undefined, 404, 0.001);
  const { body, contentType } = await exposeMetrics();
  expect(contentType).toContain('text/plain');
  const labels = 'method="GET",route="/v1/order/{id}",status="200"';
  expect(body).toContain('# TYPE crossbook_http_request_seconds histogram');
  const bucket = (le: string) => `crossbook_http_request_seconds_bucket{le="${le}",${labels}}`;
  expect(body).toContain(`${bucket('0.001')} 1\n`);
  expect(body).toContain(`${bucket('0.25')} 1\n`);
  expect(body).toContain(`${bucket('0.5')} 2\n`);
  expect(body).toContain(`${bucket('10')} 2\n`);
  expect(body).toContain(`${bucket('+Inf')} 3\n`);
  expect(body).toContain(`crossbook_http_request_seconds_count{${labels}} 3\n`);
  expect(body).toMatch(/crossbook_http_request_seconds_sum\{.*200"\} 99\.30/);
  expect(body).toContain('method="other",route="none",status="404"');
});

test('the process itself is measured', async () => {
  const { body } = await exposeMetrics();
  for (const name of ['nodejs_eventloop_lag_p99_seconds', 'process_resident_memory_bytes']) {
    expect(body).toMatch(new RegExp(`^${name} `, 'm'));
  }
});
