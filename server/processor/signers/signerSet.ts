import type { Address } from 'viem';
import type { SignerDeps, SignerRole } from './signer.ts';
import { runSigner } from './signerLoop.ts';

/** The keys at work in this process; they can be changed while it runs. */
export type SignerSet = {
  addresses: () => Address[];
  roles(): SignerRole[];
  /** New keys begin, known ones go on, and those that are not named end after what they are at. */
  use: (roles: readonly SignerRole[]) => void;
  /** Settles when the process is told to stop and every key has let go. */
  done: Promise<void>;
};

type Running = { role: SignerRole; end: AbortController; ended: Promise<void> };

export function startSigners(
  deps: SignerDeps,
  signal: AbortSignal,
  run: typeof runSigner = runSigner,
): SignerSet {
  const running = new Map<string, Running>();
  const ending = new Set<Promise<void>>();

  const begin = (name: string, role: SignerRole) => {
    const end = new AbortController();
    const ended = run(deps, role, AbortSignal.any([signal, end.signal])).catch((error: unknown) => {
      // The database is away, so that the key cannot be let go; its lease ends by itself.
      deps.log.warn({ err: error, signer: role.account.address }, 'a key was not let go');
    });
    running.set(name, { role, end, ended });
    ending.add(ended);
    void ended.finally(() => ending.delete(ended));
  };

  return {
    addresses: () => [...running.values()].map(({ role }) => role.account.address),
    roles: () => [...running.values()].map(({ role }) => role),
    use(roles) {
      const wanted = new Map(roles.map((role) => [nameOf(role), role]));
      for (const [name, { end, role }] of running) {
        if (wanted.has(name)) continue;
        running.delete(name);
        end.abort();
        deps.log.info({ signer: role.account.address }, 'a key is no longer used');
      }
      for (const [name, role] of wanted) {
        if (running.has(name)) continue;
        begin(name, role);
        deps.log.info({ signer: role.account.address, kinds: role.kinds }, 'a key is used');
      }
    },
    done: new Promise((resolve) => {
      const finish = () => void Promise.allSettled(ending).then(() => resolve());
      if (signal.aborted) finish();
      else signal.addEventListener('abort', finish, { once: true });
    }),
  };
}

/** The same address with other work is another role. */
function nameOf({ account, kinds }: SignerRole): string {
  return `${account.address} ${kinds.join(' ')}`;
}
