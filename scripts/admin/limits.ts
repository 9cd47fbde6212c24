import { formatMicros, parseMicros } from '#lib/money.ts';
import { StartProblem } from '#sandbox/problem.ts';
import {
  LIMIT_SCOPES,
  type LimitScope,
  listLimits,
  removeLimit,
  setLimit,
} from '#server/domain/limits/limits.ts';
import { bold } from '../terminal.ts';
import { actOf, argumentOf, type Command, done, type Handler } from './command.ts';

export const showLimits: Handler = async (runtime) => {
  const limits = await listLimits(runtime);
  const usdc = (micros: bigint | null) => (micros === null ? '–' : formatMicros(micros));
  const lines = limits.map(
    (one) =>
      `${bold(`${one.scope} ${one.subject}`)}  per order ${usdc(one.maxOrderUsdcMicros)}, ` +
      `per day ${usdc(one.maxDayUsdcMicros)}, position ${usdc(one.maxExposureUsdcMicros)} USDC, ` +
      `open orders ${one.maxOpenOrders ?? '–'} by ${one.setBy}`,
  );
  return { data: limits, lines: lines.length > 0 ? lines : ['No limits set.'] };
};

export const limitOne: Handler = async (runtime, command) => {
  const { scope, subject } = subjectOf(command);
  const values = {
    maxOrderUsdcMicros: micros(command.order),
    maxDayUsdcMicros: micros(command.day),
    maxExposureUsdcMicros: micros(command.exposure),
    maxOpenOrders: count(command.open),
  };
  if (Object.values(values).every((value) => value === null)) {
    throw new StartProblem(
      'A limit needs a value.',
      'Give --order, --day, --exposure (USDC) or --open (orders).',
    );
  }
  await setLimit(runtime, { scope, subject, values, ...actOf(command) });
  return done(`Limit set for ${scope} ${subject}, from the next order on.`);
};

export const unlimitOne: Handler = async (runtime, command) => {
  const { scope, subject } = subjectOf(command);
  const isGone = await removeLimit(runtime, { scope, subject, ...actOf(command) });
  if (!isGone) throw new StartProblem('This limit does not exist.', 'npm run ops -- limits');
  return done(`The limit for ${scope} ${subject} is removed.`);
};

function subjectOf(command: Command): { scope: LimitScope; subject: string } {
  const scope = argumentOf(command, 'a scope: key, account or market');
  const known = LIMIT_SCOPES.find((one) => one === scope);
  if (!known) throw new StartProblem(`“${scope}” is not a scope.`, LIMIT_SCOPES.join(', '));
  return { scope: known, subject: argumentOf(command, 'a subject, or "*" for all', 2) };
}

function micros(text: string | undefined): bigint | null {
  return text === undefined ? null : parseMicros(text);
}

function count(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new StartProblem(`“${text}” is not a number of orders.`, 'Give a whole number.');
}
