import { StartProblem } from '#sandbox/problem.ts';
import { NotAllowedError } from '#server/domain/admin/notAllowed.ts';
import { closeRuntime, openRuntime, type Runtime } from '#server/runtime.ts';
import { ACTIONS } from './admin/actions.ts';
import { type Command, type Reply, readCommand, runAction, USAGE } from './admin/command.ts';
import { READS } from './admin/reads.ts';
import { openService } from './serviceConfig.ts';
import { reportFailure } from './terminal.ts';

type Work = (runtime: Runtime) => Promise<Reply>;

/** What the command does; undefined when there is none of that name. */
function workOf(command: Command): Work | undefined {
  const [first = '', second = ''] = command.positionals;
  for (const name of [`${first} ${second}`, first]) {
    for (const action of ACTIONS) {
      const words = Object.hasOwn(action.commands, name) ? action.commands[name] : undefined;
      if (words) return (runtime) => runAction(runtime, action, { name, words, command });
    }
  }
  const read = Object.hasOwn(READS, first) ? READS[first] : undefined;
  return read && ((runtime) => read(runtime, command));
}

function bigintsAsText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}

async function main(): Promise<void> {
  const command = readCommand();
  const work = workOf(command);
  if (command.help || !work) {
    process.stdout.write(`${USAGE}\n`);
    if (!command.help) process.exitCode = 1;
    return;
  }
  const service = await openService(command.data);
  const config = { ...service.config, logLevel: 'silent' as const };
  try {
    const runtime = await openRuntime(config, 'tool');
    try {
      const { data, lines } = await work(runtime);
      const text = command.json ? JSON.stringify(data, bigintsAsText, 2) : lines.join('\n');
      process.stdout.write(`${text}\n`);
    } finally {
      await closeRuntime(runtime);
    }
  } finally {
    await service.release();
  }
}

try {
  await main();
  process.exit();
} catch (error) {
  if (error instanceof NotAllowedError)
    reportFailure(new StartProblem(error.message, 'Nothing was changed.'));
  else reportFailure(error);
  process.exit(1);
}
