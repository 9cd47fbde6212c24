import { StartProblem } from '#sandbox/problem.ts';
import { readAudit } from '#server/domain/admin/audit.ts';
import { refundOrder, retryOrder } from '#server/domain/orders/lifecycle/adminActions.ts';
import {
  isDeadLetter,
  listProblemOrders,
  readWholeStory,
} from '#server/domain/orders/lifecycle/backlog.ts';
import { bold, dim, green, red } from '../terminal.ts';
import { actOf, done, type Handler, iso, orderIdOf } from './command.ts';

export const listOrderRows: Handler = async (runtime, command) => {
  const intents = await listProblemOrders(runtime, { all: command.all });
  const lines = intents.map((one) => {
    const dead = isDeadLetter(one) ? red(' dead letter') : '';
    const past = (one.pastExpirySeconds ?? 0) > 0 ? `, ${one.pastExpirySeconds} s past expiry` : '';
    return (
      `${bold(one.id)}  ${one.kind} ${one.ticker ?? ''} ${one.status}/${one.stage}${dead}\n` +
      `    ${dim(`${one.failures} failures, ${one.overdueSeconds} s overdue${past}, ${one.chainTries} tries on chain`)}`
    );
  });
  const none = command.all ? 'No open orders.' : 'No orders need attention.';
  return { data: intents, lines: lines.length > 0 ? lines : [`${green('●')} ${none}`] };
};

export const showOrder: Handler = async (runtime, command) => {
  const id = orderIdOf(command);
  const story = await readWholeStory(runtime, id);
  if (story.intent?.length === 0) {
    throw new StartProblem(`No order has the ID ${id}.`, 'npm run ops -- list shows them.');
  }
  const lines = Object.entries(story).flatMap(([part, rows]) => [
    bold(part),
    ...rows.map((row) => `  ${JSON.stringify(row)}`),
  ]);
  return { data: story, lines };
};

export const retryOne: Handler = async (runtime, command) => {
  const id = orderIdOf(command);
  await retryOrder(runtime, { id, ...actOf(command) });
  return done(`${id} is due now.`);
};

export const refundOne: Handler = async (runtime, command) => {
  const id = orderIdOf(command);
  await refundOrder(runtime, { id, ...actOf(command) });
  return done(`${id} is being refunded.`);
};

export const showAudit: Handler = async (runtime, command) => {
  const [, subject] = command.positionals;
  const entries = await readAudit(runtime, {
    limit: 200,
    ...(subject === undefined ? {} : { subject }),
  });
  const lines = entries.map(
    (one) => `${dim(iso(one.at))}  ${bold(one.actor)} ${one.action} ${one.subject}: ${one.reason}`,
  );
  return { data: entries, lines: lines.length > 0 ? lines : ['No actions recorded.'] };
};
