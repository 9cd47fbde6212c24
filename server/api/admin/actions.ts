import type { ZodObject, ZodType, z } from 'zod';
import * as shapes from '#lib/api/schemas/admin.ts';
import type { Chain } from '../../chain/client.ts';
import { ALERT_KINDS, type AlertKind } from '../../domain/admin/alertKinds.ts';
import { resolveAlertAsAdmin } from '../../domain/admin/alerts.ts';
import { NotAllowedError } from '../../domain/admin/notAllowed.ts';
import { EVERY_MARKET } from '../../domain/admin/suspensions.ts';
import { removeLimit, setLimit } from '../../domain/limits/limits.ts';
import {
  type AdminActionDeps,
  attestPurchase,
  refundOrder,
  retryOrder,
} from '../../domain/orders/lifecycle/adminActions.ts';
import { resumeTrading, stopTrading } from '../../domain/reconciliation/adminActions.ts';
import {
  approveProposal,
  finalizePayout,
  prepareVeto,
  proposePayout,
} from '../../domain/settlement/adminActions.ts';
import type { Log } from '../../platform/log.ts';

export type ActionDeps = AdminActionDeps & { chain: Chain; log: Log };

type Route = { name: string; method?: 'PUT'; path: string; output?: ZodType };

/** What an admin with the role `act` may do: `/operator/v1` and `npm run ops` offer the same list. */
export type AdminAction = {
  /** Absent where only the command line offers it. */
  route?: Route;
  /** For `npm run ops`: each command with the fields that its words give; `?` marks optional ones. */
  commands: Record<string, readonly string[]>;
  input: ZodObject;
  run(deps: ActionDeps, input: Record<string, unknown>): Promise<unknown>;
  /** What the command line prints. */
  done(input: Record<string, unknown>, result: unknown): string;
};

/** Declares an action; `run` receives the parsed input and the name of the admin. */
export function action<Input extends ZodObject, Result>(
  declaration: Omit<AdminAction, 'input' | 'run' | 'done'> & {
    input: Input;
    run(deps: ActionDeps, input: z.output<Input> & { by: string }): Promise<Result>;
    done(input: z.output<Input>, result: Result): string;
  },
): AdminAction {
  return declaration;
}

const tradingActions: AdminAction[] = [
  action({
    route: { name: 'operatorSuspend', path: '/suspensions' },
    commands: { pause: [], suspend: ['ticker'] },
    input: shapes.stopSchema,
    run: (deps, { ticker = EVERY_MARKET, ...act }) => stopTrading(deps, { ticker, ...act }),
    done: ({ ticker }) =>
      ticker === undefined
        ? 'Trading is paused. Orders not yet sent to the exchange are returned.'
        : `${ticker} accepts no new orders.`,
  }),
  action({
    route: { name: 'operatorLift', path: '/suspensions/lift' },
    commands: { resume: [], lift: ['ticker'] },
    input: shapes.stopSchema,
    run: (deps, { ticker = EVERY_MARKET, ...act }) => resumeTrading(deps, { ticker, ...act }),
    done: ({ ticker }) =>
      ticker === undefined
        ? 'Trading is resumed. Individually suspended markets stay suspended.'
        : `${ticker} accepts new orders. If the books still differ, the next reconciliation ` +
          'suspends it again; see npm run reconcile -- --accept.',
  }),
  action({
    route: { name: 'operatorSetLimit', method: 'PUT', path: '/limits' },
    commands: { limit: ['scope', 'subject'] },
    input: shapes.setLimitSchema,
    async run(deps, { scope, subject, by, reason, ...given }) {
      const values = {
        maxOrderUsdcMicros: given.maxOrder,
        maxDayUsdcMicros: given.maxDay,
        maxExposureUsdcMicros: given.maxExposure,
        maxOpenOrders: given.maxOpenOrders,
      };
      if (Object.values(values).every((value) => value === null)) {
        throw new NotAllowedError('Set at least one value, or remove the limit.');
      }
      await setLimit(deps, { scope, subject, values, by, reason });
    },
    done: ({ scope, subject }) => `Limit set for ${scope} ${subject}, from the next order on.`,
  }),
  action({
    route: { name: 'operatorRemoveLimit', path: '/limits/remove' },
    commands: { unlimit: ['scope', 'subject'] },
    input: shapes.removeLimitSchema,
    async run(deps, input) {
      if (!(await removeLimit(deps, input))) {
        throw new NotAllowedError('This limit does not exist.');
      }
    },
    done: ({ scope, subject }) => `The limit for ${scope} ${subject} is removed.`,
  }),
];

const settlementActions: AdminAction[] = [
  action({
    route: { name: 'operatorPropose', path: '/settlements/propose', output: shapes.proposedSchema },
    commands: { propose: ['ticker'] },
    input: shapes.proposeSchema,
    run: async (deps, { payoutYes: payoutYesMicros, ...act }) => ({
      outcome: await proposePayout(deps, { payoutYesMicros, ...act }),
    }),
    done: (_, { outcome }) =>
      outcome === 'sent'
        ? 'A processor with the resolver’s key will propose it.'
        : 'This differs from the exchange’s result, so another admin must confirm it: ' +
          'npm run ops -- confirm <ticker> --pays <dollars> --why "…"',
  }),
  action({
    route: { name: 'operatorConfirmProposal', path: '/settlements/confirm' },
    commands: { confirm: ['ticker'] },
    input: shapes.confirmProposalSchema,
    run: (deps, { payoutYes: payoutYesMicros, ...act }) =>
      approveProposal(deps, { payoutYesMicros, ...act }),
    done: () => 'Confirmed. A processor with the resolver’s key will propose it.',
  }),
  action({
    route: { name: 'operatorFinalize', path: '/settlements/finalize' },
    commands: { finalize: ['ticker'] },
    input: shapes.tickerActSchema,
    run: finalizePayout,
    done: () => 'A processor with the resolver’s key will finalize it.',
  }),
  action({
    route: { name: 'operatorVeto', path: '/settlements/veto', output: shapes.contractCallSchema },
    commands: { veto: ['ticker'] },
    input: shapes.tickerActSchema,
    run: prepareVeto,
    done: (_, { to, data }) =>
      'To be sent by PAUSER or ADMIN, whose keys the service does not have:\n' +
      `  to    ${to}\n  data  ${data}`,
  }),
  action({
    route: { name: 'operatorAttest', path: '/settlements/attest' },
    commands: { attest: ['ticker'] },
    input: shapes.tickerActSchema,
    run: attestPurchase,
    done: (_, sides) => `A processor with the attestor’s key will attest ${sides} side(s).`,
  }),
];

export const ADMIN_ACTIONS: readonly AdminAction[] = [
  action({
    route: { name: 'operatorRetry', path: '/orders/{id}/retry' },
    commands: { retry: ['id'] },
    input: shapes.orderActSchema,
    run: retryOrder,
    done: ({ id }) => `${id} is due now.`,
  }),
  action({
    route: { name: 'operatorRefund', path: '/orders/{id}/refund' },
    commands: { refund: ['id'] },
    input: shapes.orderActSchema,
    run: refundOrder,
    done: ({ id }) => `${id} is being refunded.`,
  }),
  action({
    route: { name: 'operatorResolveAlert', path: '/alerts/resolve' },
    commands: { 'resolve-alert': ['kind', 'subject?'] },
    input: shapes.resolveAlertSchema,
    async run(deps, { kind, ...act }) {
      if (!Object.hasOwn(ALERT_KINDS, kind)) {
        const known = Object.keys(ALERT_KINDS).join(', ');
        throw new NotAllowedError(`“${kind}” is not an alert kind. Kinds: ${known}.`);
      }
      await resolveAlertAsAdmin(deps, { kind: kind as AlertKind, ...act });
    },
    done: () => 'The alert is resolved. It returns if its cause persists.',
  }),
  ...tradingActions,
  ...settlementActions,
];
