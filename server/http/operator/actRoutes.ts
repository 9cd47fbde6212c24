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
} from '#lib/api/schemas/operator.ts';
import { MicrosError, parseMicros } from '#lib/money.ts';
import { resolveAlertByHand } from '../../alerts/byHand.ts';
import { ALERT_KINDS, type AlertKind } from '../../alerts/kinds.ts';
import { ServiceError } from '../../errors.ts';
import { removeLimit, setLimit } from '../../limits/limits.ts';
import { NotAllowedError } from '../../operations/notAllowed.ts';
import { attestByHand } from '../../orders/attestByHand.ts';
import { refundByHand, retryByHand } from '../../orders/byHand.ts';
import { resumeTrading, stopTrading } from '../../reconcile/byHand.ts';
import { EVERY_MARKET } from '../../reconcile/suspensions.ts';
import {
  confirmProposalByHand,
  finalizeByHand,
  prepareVeto,
  proposeByHand,
} from '../../settlement/byHand.ts';
import type { Caller, Route } from '../route.ts';
import { operatorOf } from './authenticate.ts';
import { operatorRoute } from './declare.ts';

const DONE = { done: true } as const;
const idSchema = z.strictObject({ id: z.uuid() });

/** Who does it, and why, as every action by hand takes it. */
function actOf(caller: Caller, reason: string): { by: string; reason: string } {
  return { by: operatorOf(caller).name, reason };
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
  operatorRoute({
    method: 'POST',
    path: '/orders/{id}/retry',
    name: 'operatorRetry',
    role: 'act',
    params: idSchema,
    body: reasonSchema,
    answer: doneSchema,
    async handler({ deps, caller, params, body }) {
      await retryByHand(deps, { id: params.id, ...actOf(caller, body.reason) });
      return DONE;
    },
  }),
  operatorRoute({
    method: 'POST',
    path: '/orders/{id}/refund',
    name: 'operatorRefund',
    role: 'act',
    params: idSchema,
    body: reasonSchema,
    answer: doneSchema,
    async handler({ deps, caller, params, body }) {
      await refundByHand(deps, { id: params.id, ...actOf(caller, body.reason) });
      return DONE;
    },
  }),
  operatorRoute({
    method: 'POST',
    path: '/alerts/resolve',
    name: 'operatorResolveAlert',
    role: 'act',
    body: resolveAlertSchema,
    answer: doneSchema,
    async handler({ deps, caller, body }) {
      const { kind, subject, reason } = body;
      if (!Object.hasOwn(ALERT_KINDS, kind))
        throw new NotAllowedError(`“${kind}” is not an alert kind.`);
      const act = actOf(caller, reason);
      await resolveAlertByHand(deps, { kind: kind as AlertKind, subject, ...act });
      return DONE;
    },
  }),
];

const tradingActs: Route[] = [
  operatorRoute({
    method: 'POST',
    path: '/suspensions',
    name: 'operatorSuspend',
    role: 'act',
    body: stopSchema,
    answer: doneSchema,
    async handler({ deps, caller, body }) {
      const { ticker = EVERY_MARKET, reason } = body;
      await stopTrading(deps, { ticker, ...actOf(caller, reason) });
      return DONE;
    },
  }),
  operatorRoute({
    method: 'POST',
    path: '/suspensions/lift',
    name: 'operatorLift',
    role: 'act',
    body: stopSchema,
    answer: doneSchema,
    async handler({ deps, caller, body }) {
      const { ticker = EVERY_MARKET, reason } = body;
      await resumeTrading(deps, { ticker, ...actOf(caller, reason) });
      return DONE;
    },
  }),
  operatorRoute({
    method: 'PUT',
    path: '/limits',
    name: 'operatorSetLimit',
    role: 'act',
    body: setLimitSchema,
    answer: doneSchema,
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
  operatorRoute({
    method: 'POST',
    path: '/limits/remove',
    name: 'operatorRemoveLimit',
    role: 'act',
    body: removeLimitSchema,
    answer: doneSchema,
    async handler({ deps, caller, body }) {
      const { scope, subject, reason } = body;
      const isGone = await removeLimit(deps, { scope, subject, ...actOf(caller, reason) });
      if (!isGone) throw new NotAllowedError('This limit does not exist.');
      return DONE;
    },
  }),
];

const settlementActs: Route[] = [
  operatorRoute({
    method: 'POST',
    path: '/settlements/propose',
    name: 'operatorPropose',
    role: 'act',
    body: proposeSchema,
    answer: proposedSchema,
    async handler({ deps, caller, body }) {
      const { ticker, payoutYes, reason } = body;
      const payoutYesMicros = payoutYes === undefined ? undefined : micros('/payoutYes', payoutYes);
      const act = { ticker, payoutYesMicros, ...actOf(caller, reason) };
      return { outcome: await proposeByHand(deps, act) };
    },
  }),
  operatorRoute({
    method: 'POST',
    path: '/settlements/confirm',
    name: 'operatorConfirmProposal',
    role: 'act',
    body: confirmProposalSchema,
    answer: doneSchema,
    async handler({ deps, caller, body }) {
      const { ticker, payoutYes, reason } = body;
      const payoutYesMicros = micros('/payoutYes', payoutYes);
      await confirmProposalByHand(deps, { ticker, payoutYesMicros, ...actOf(caller, reason) });
      return DONE;
    },
  }),
  operatorRoute({
    method: 'POST',
    path: '/settlements/finalize',
    name: 'operatorFinalize',
    role: 'act',
    body: tickerActSchema,
    answer: doneSchema,
    async handler({ deps, caller, body }) {
      await finalizeByHand(deps, { ticker: body.ticker, ...actOf(caller, body.reason) });
      return DONE;
    },
  }),
  operatorRoute({
    method: 'POST',
    path: '/settlements/veto',
    name: 'operatorVeto',
    role: 'act',
    body: tickerActSchema,
    answer: contractCallSchema,
    handler: ({ deps, caller, body }) =>
      prepareVeto(deps, { ticker: body.ticker, ...actOf(caller, body.reason) }),
  }),
  operatorRoute({
    method: 'POST',
    path: '/settlements/attest',
    name: 'operatorAttest',
    role: 'act',
    body: tickerActSchema,
    answer: doneSchema,
    async handler({ deps, caller, body }) {
      await attestByHand(deps, { ticker: body.ticker, ...actOf(caller, body.reason) });
      return DONE;
    },
  }),
];

export const operatorActRoutes: Route[] = [...orderActs, ...tradingActs, ...settlementActs];
