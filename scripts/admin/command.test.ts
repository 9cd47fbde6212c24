import { describe, expect, test } from 'vitest';
import type { ActionDeps, AdminAction } from '#server/api/admin/actions.ts';
import { ACTIONS } from './actions.ts';
import { type Command, runAction, USAGE } from './command.ts';
import { READS } from './reads.ts';

/** An action of the list that records its input instead of acting. */
function recorded(name: string) {
  const found = ACTIONS.find(({ commands }) => Object.hasOwn(commands, name));
  const words = found?.commands[name];
  if (!found || !words) throw new Error(`no command ${name}`);
  const inputs: Record<string, unknown>[] = [];
  const action: AdminAction = {
    ...found,
    run: async (_deps, input) => void inputs.push(input),
    done: () => 'done',
  };
  return {
    inputs,
    run: (command: Partial<Command>) =>
      runAction({} as ActionDeps, action, {
        name,
        words,
        command: {
          all: false,
          json: false,
          help: false,
          why: 'to try it',
          as: 'Ada',
          ...command,
        } as Command,
      }),
  };
}

describe('the command line', () => {
  test.each([...ACTIONS.flatMap(({ commands }) => Object.keys(commands)), ...Object.keys(READS)])(
    'given no command, names %s in its help',
    (name) => expect(USAGE).toMatch(new RegExp(`^  (\\w+ \\| )?${name}\\b`, 'm')),
  );

  test('given a limit, takes amounts from its options and leaves the others unset', async () => {
    const { run, inputs } = recorded('limit');
    await run({ positionals: ['limit', 'account', '*'], day: '10.50', open: '7' });
    expect(inputs).toEqual([
      {
        scope: 'account',
        subject: '*',
        maxOrder: null,
        maxDay: 10_500_000n,
        maxExposure: null,
        maxOpenOrders: 7,
        reason: 'to try it',
        by: 'Ada',
      },
    ]);
  });

  test('given a name of two words, takes what follows both', async () => {
    const { run, inputs } = recorded('operators add');
    await run({ positionals: ['operators', 'add', 'Wim'] });
    expect(inputs).toEqual([{ name: 'Wim', role: 'watch', reason: 'to try it', by: 'Ada' }]);
  });

  test.each<[string, string, Partial<Command>, RegExp]>([
    ['no reason', 'pause', { positionals: ['pause'], why: ' ' }, /State a reason/],
    ['no ticker', 'suspend', { positionals: ['suspend'] }, /needs <ticker>/],
    ['no order ID', 'refund', { positionals: ['refund', 'x'] }, /<id> must be an order ID/],
    ['no payout', 'confirm', { positionals: ['confirm', 'T'] }, /--pays is required/],
    [
      'seven decimals',
      'propose',
      { positionals: ['propose', 'T'], pays: '0.0000001' },
      /--pays must/,
    ],
    [
      'a count in words',
      'limit',
      { positionals: ['limit', 'key', '*'], open: 'ten' },
      /--open must/,
    ],
    [
      'an unknown scope',
      'limit',
      { positionals: ['limit', 'all', '*'], open: '1' },
      /<scope> must/,
    ],
    [
      'a past moment',
      'operators add',
      { positionals: ['operators', 'add', 'W'], expires: '2001-01-01' },
      /--expires must/,
    ],
  ])('given %s, refuses and runs nothing', async (_, name, command, message) => {
    const { run, inputs } = recorded(name);
    await expect(run(command)).rejects.toThrow(message);
    expect(inputs).toEqual([]);
  });
});
