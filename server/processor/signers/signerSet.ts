import type { SignerDeps, SignerRole } from './signer.ts';
import { runSigner } from './signerLoop.ts';

export type SignerSet = ReturnType<typeof startSigners>;

/** The active keys of this process; they can change while it runs. */
export function startSigners(
  deps: SignerDeps,
  signal: AbortSignal,
  run: typeof runSigner = runSigner,
) {
  const running = new Map<string, { role: SignerRole; end: AbortController }>();
  const ending = new Set<Promise<void>>();

  const begin = (name: string, role: SignerRole) => {
    const end = new AbortController();
    const ended = run(deps, role, AbortSignal.any([signal, end.signal])).catch((error: unknown) => {
      // Without a database the key cannot be released; its lease expires.
      deps.log.warn({ err: error, signer: role.account.address }, 'a key was not released');
    });
    running.set(name, { role, end });
    ending.add(ended);
    void ended.finally(() => ending.delete(ended));
  };

  return {
    addresses: () => [...running.values()].map(({ role }) => role.account.address),
    roles: () => [...running.values()].map(({ role }) => role),
    /** Starts new keys, keeps known ones, and stops omitted ones after their current work. */
    use(roles: readonly SignerRole[]): void {
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
    /** Settles when the process stops and every key is released. */
    done: new Promise<void>((resolve) => {
      const finish = () => void Promise.allSettled(ending).then(() => resolve());
      if (signal.aborted) finish();
      else signal.addEventListener('abort', finish, { once: true });
    }),
  };
}

/** The same address with other kinds is another role. */
function nameOf({ account, kinds }: SignerRole): string {
  return `${account.address} ${kinds.join(' ')}`;
}
