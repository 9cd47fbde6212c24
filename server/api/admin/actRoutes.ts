import { z } from 'zod';
import {
  confirmProposalSchema,
  contractCallSchema,
  doneSchema,
  proposedSchema,
  proposeSchema,
  reasonSchema,
  removeLimitSchema,
  resolveAlertSchema,
  setLimitSchema,
  stopSchema,
  tickerActSchema,
} from '#lib/api/schemas/admin.ts';
import { MicrosError, parseMicros } from '#lib/money.ts';
import { attestPurchase } from '#server/domain/orders/lifecycle/adminActions.ts';
import { ALERT_KINDS, type AlertKind } from '../../domain/admin/alertKinds.ts';
import { NotAllowedError } from '../../domain/admin/notAllowed.ts';
import { resolveAlertAsAdmin } from '../../domain/admin/resolveAlert.ts';
import { EVERY_MARKET } from '../../domain/admin/suspensions.ts';
import { removeLimit, setLimit } from '../../domain/limits/limits.ts';
import { refundOrder, retryOrder } from '../../domain/orders/lifecycle/adminActions.ts';
import { resumeTrading, stopTrading } from '../../domain/reconciliation/adminActions.ts';
import {
  approveProposal,
  finalizePayout,
  prepareVeto,
  proposePayout,
} from '../../domain/settlement/adminActions.ts';
import { ServiceError } from '../../platform/errors.ts';
import { adminOf } from '../middleware/authenticateAdmin.ts';
import type { Caller } from '../middleware/env.ts';
import type { Route } from '../routes/route.ts';
import { adminRoute } from './declare.ts';

const DONE = { done: true } as const;
const idSchema = z.strictObject({ id: z.uuid() });

/** Who does it, and why, as every action by hand takes it. */
function actOf(caller: Caller, reason: string): { by: string; reason: string } {
  return { by: adminOf(caller).name, reason };
}

function micros(pointer: string, text: string): bigint {
  try {
    return parseMicros(text);
  } catch (error) {
    if (!(error instanceof MicrosError)) throw error;
    throw new ServiceError('invalid_request', 'One field must be changed.', {
      errors: [{ pointer, detail: 'must have at most six decimals and not be too large' }],
    });
  }
}

const nullableMicros = (pointer: string, text: string | null) =>
  text === null ? null : micros(pointer, text);

const orderActs: Route[] = [
  adminRoute({
    method: 'POST',
    path: '/orders/{id}/retry',
    name: 'operatorRetry',
    role: 'act',
    params: idSchema,
    body: reasonSchema,
    output: doneSchema,
    async handler({ deps, caller, params, body }) {
      await retryOrder(deps, { id: params.id, ...actOf(caller, body.reason) });
      return DONE;
    },
  }),
  adminRoute({
    method: 'POST',
    path: '/orders/{id}/refund',
    name: 'operatorRefund',
    role: 'act',
    params: idSchema,
    body: reasonSchema,
    output: doneSchema,
    async handler({ deps, caller, params, body }) {
      await refundOrder(deps, { id: params.id, ...actOf(caller, body.reason) });
      return DONE;
    },
  }),
  adminRoute({
    method: 'POST',
    path: '/alerts/resolve',
    name: 'operatorResolveAlert',
    role: 'act',
    body: resolveAlertSchema,
    output: doneSchema,
    async handler({ deps, caller, body }) {
      const { kind, subject, reason } = body;
      if (!Object.hasOwn(ALERT_KINDS, kind))
        throw new NotAllowedError(`“${kind}” is not an alert kind.`);
      const act = actOf(caller, reason);
      await resolveAlertAsAdmin(deps, { kind: kind as AlertKind, subject, ...act });
      return DONE;
    },
  }),
];

const tradingActs: Route[] = [
  adminRoute({
    method: 'POST',
    path: '/suspensions',
    name: 'operatorSuspend',
    role: 'act',
    body: stopSchema,
    output: doneSchema,
    async handler({ deps, caller, body }) {
      const { ticker = EVERY_MARKET, reason } = body;
      await stopTrading(deps, { ticker, ...actOf(caller, reason) });
      return DONE;
    },
  }),
  adminRoute({
    method: 'POST',
    path: '/suspensions/lift',
    name: 'operatorLift',
    role: 'act',
    body: stopSchema,
    output: doneSchema,
    async handler({ deps, caller, body }) {
      const { ticker = EVERY_MARKET, reason } = body;
      await resumeTrading(deps, { ticker, ...actOf(caller, reason) });
      return DONE;
    },
  }),
  adminRoute({
    method: 'PUT',
    path: '/limits',
    name: 'operatorSetLimit',
    role: 'act',
    body: setLimitSchema,
    output: doneSchema,
    async handler({ deps, caller, body }) {
      const { scope, subject, reason } = body;
      const values = {
        maxOrderUsdcMicros: nullableMicros('/maxOrder', body.maxOrder),
        maxDayUsdcMicros: nullableMicros('/maxDay', body.maxDay),
        maxExposureUsdcMicros: nullableMicros('/maxExposure', body.maxExposure),
        maxOpenOrders: body.maxOpenOrders,
      };
      if (Object.values(values).every((value) => value === null)) {
        throw new NotAllowedError('Set at least one value, or remove the limit.');
      }
      await setLimit(deps, { scope, subject, values, ...actOf(caller, reason) });
      return DONE;
    },
  }),
  adminRoute({
    method: 'POST',
    path: '/limits/remove',
    name: 'operatorRemoveLimit',
    role: 'act',
    body: removeLimitSchema,
    output: doneSchema,
    async handler({ deps, caller, body }) {
      const { scope, subject, reason } = body;
      const isGone = await removeLimit(deps, { scope, subject, ...actOf(caller, reason) });
      if (!isGone) throw new NotAllowedError('This limit does not exist.');
      return DONE;
    },
  }),
];

const settlementActs: Route[] = [
  adminRoute({
    method: 'POST',
    path: '/settlements/propose',
    name: 'operatorPropose',
    role: 'act',
    body: proposeSchema,
    output: proposedSchema,
    async handler({ deps, caller, body }) {
      const { ticker, payoutYes, reason } = body;
      const payoutYesMicros = payoutYes === undefined ? undefined : micros('/payoutYes', payoutYes);
      const act = { ticker, payoutYesMicros, ...actOf(caller, reason) };
      return { outcome: await proposePayout(deps, act) };
    },
  }),
  adminRoute({
    method: 'POST',
    path: '/settlements/confirm',
    name: 'operatorConfirmProposal',
    role: 'act',
    body: confirmProposalSchema,
    output: doneSchema,
    async handler({ deps, caller, body }) {
      const { ticker, payoutYes, reason } = body;
      const payoutYesMicros = micros('/payoutYes', payoutYes);
      await approveProposal(deps, { ticker, payoutYesMicros, ...actOf(caller, reason) });
      return DONE;
    },
  }),
  adminRoute({
    method: 'POST',
    path: '/settlements/finalize',
    name: 'operatorFinalize',
    role: 'act',
    body: tickerActSchema,
    output: doneSchema,
    async handler({ deps, caller, body }) {
      await finalizePayout(deps, { ticker: body.ticker, ...actOf(caller, body.reason) });
      return DONE;
    },
  }),
  adminRoute({
    method: 'POST',
    path: '/settlements/veto',
    name: 'operatorVeto',
    role: 'act',
    body: tickerActSchema,
    output: contractCallSchema,
    handler: ({ deps, caller, body }) =>
      prepareVeto(deps, { ticker: body.ticker, ...actOf(caller, body.reason) }),
  }),
  adminRoute({
    method: 'POST',
    path: '/settlements/attest',
    name: 'operatorAttest',
    role: 'act',
    body: tickerActSchema,
    output: doneSchema,
    async handler({ deps, caller, body }) {
      await attestPurchase(deps, { ticker: body.ticker, ...actOf(caller, body.reason) });
      return DONE;
    },
  }),
];

export const adminActionRoutes: Route[] = [...orderActs, ...tradingActs, ...settlementActs];
