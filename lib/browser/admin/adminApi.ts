import type {
  AdminAlert,
  AdminOverview,
  AdminSettlement,
  AuditEntry,
  LimitInput,
  LimitScope,
  ProblemOrder,
  Suspension,
  TradingLimit,
} from '#lib/api/schemas/admin.ts';
import { createTransport } from '#lib/api/transport.ts';
import { adminToken } from './adminToken.ts';

export type OrderStory = Record<string, Record<string, unknown>[]>;

const send = createTransport({ baseUrl: '', token: () => adminToken() || undefined });

function get<Reply>(path: string, query?: Record<string, string | undefined>): Promise<Reply> {
  return send<Reply>({ method: 'GET', path: `/operator/v1${path}`, ...(query && { query }) });
}

function act<Reply = unknown>(path: string, body: object, method: 'POST' | 'PUT' = 'POST') {
  return send<Reply>({ method, path: `/operator/v1${path}`, body });
}

/** Checks a token before it is stored. @throws {ApiProblem} when the service rejects it */
export async function checkAdminToken(token: string): Promise<void> {
  const ask = createTransport({ baseUrl: '', token });
  await ask({ method: 'GET', path: '/operator/v1/overview' });
}

/** The admin interface, as the page uses it. Every action takes a reason for the audit log. */
export const adminApi = {
  overview: () => get<AdminOverview>('/overview'),
  orders: (all: boolean) => get<{ orders: ProblemOrder[] }>('/orders', { all: String(all) }),
  order: (id: string) => get<{ story: OrderStory }>(`/orders/${encodeURIComponent(id)}`),
  alerts: (all: boolean) => get<{ alerts: AdminAlert[] }>('/alerts', { all: String(all) }),
  suspensions: () => get<{ suspensions: Suspension[] }>('/suspensions'),
  limits: () => get<{ limits: TradingLimit[] }>('/limits'),
  settlements: () => get<{ settlements: AdminSettlement[] }>('/settlements'),
  audit: (subject: string) =>
    get<{ entries: AuditEntry[] }>('/audit', { subject: subject || undefined }),

  retry: (id: string, reason: string) => act(`/orders/${id}/retry`, { reason }),
  refund: (id: string, reason: string) => act(`/orders/${id}/refund`, { reason }),
  resolveAlert: (kind: string, subject: string, reason: string) =>
    act('/alerts/resolve', { kind, subject, reason }),
  suspend: (ticker: string | undefined, reason: string) => act('/suspensions', { ticker, reason }),
  lift: (ticker: string | undefined, reason: string) =>
    act('/suspensions/lift', { ticker, reason }),
  setLimit: (limit: LimitInput, reason: string) => act('/limits', { ...limit, reason }, 'PUT'),
  removeLimit: (scope: LimitScope, subject: string, reason: string) =>
    act('/limits/remove', { scope, subject, reason }),
  propose: (ticker: string, payoutYes: string | undefined, reason: string) =>
    act<{ outcome: 'sent' | 'pending' }>('/settlements/propose', { ticker, payoutYes, reason }),
  confirmProposal: (ticker: string, payoutYes: string, reason: string) =>
    act('/settlements/confirm', { ticker, payoutYes, reason }),
  finalize: (ticker: string, reason: string) => act('/settlements/finalize', { ticker, reason }),
  veto: (ticker: string, reason: string) =>
    act<{ to: string; data: string }>('/settlements/veto', { ticker, reason }),
  attest: (ticker: string, reason: string) => act('/settlements/attest', { ticker, reason }),
};
