import assert from 'node:assert/strict';
import { startDatabaseCluster } from '#sandbox/cluster/databaseCluster.ts';
import { type AdminConsole, openAdminConsole, readLogs } from './adminConsole.ts';

/** One incident on a sandbox, handled by its runbook in docs/runbooks. */
export type Drill = {
  /** File name of the runbook, without extension. */
  name: string;
  /** Runs on a database cluster of this machine instead of the embedded database. */
  onCluster?: true;
  /** Causes the incident, handles it and asserts the outcome. @throws when it differs */
  play(adminConsole: AdminConsole): Promise<void>;
};

/** The required state after every incident. */
async function assertAllIsWell(adminConsole: AdminConsole): Promise<void> {
  const { output } = await adminConsole.run('npm run ops -- list --all');
  assert.match(output, /No open orders/, 'every order came to its end');
  const compared = await adminConsole.run('npm run reconcile');
  assert.match(compared.output, /Nothing differs/, 'the books are right');
  adminConsole.say('every order has ended, and books, exchange and chain agree');
  await assertNoSecretWasLogged(adminConsole);
  adminConsole.say('no secret is in any log');
}

async function assertNoSecretWasLogged(adminConsole: AdminConsole): Promise<void> {
  const { chain, exchange, jwtSigningKeys, apiKey } = await adminConsole.secrets();
  const logs = readLogs(adminConsole.dataDir);
  assert.ok(logs.length > 0, 'there are logs to look through');
  const password = new URL(adminConsole.sandbox().databaseUrl).password;
  const pem = exchange.privateKeyPem.split('\n').slice(1, -2);
  const secrets = [
    ...[...chain.operators, chain.attestor, chain.resolver, chain.admin, chain.treasury].map(
      (key) => key.slice(2),
    ),
    ...pem,
    ...jwtSigningKeys.map((key) => String(key.d)),
    apiKey,
    password,
  ].filter((secret) => secret.length >= 8);
  for (const secret of secrets) {
    assert.ok(!logs.includes(secret), `a secret beginning with ${secret.slice(0, 4)} is in a log`);
  }
}

/**
 * Runs one drill on a sandbox of its own.
 * @throws {StartProblem} when this machine lacks the programs of a database cluster
 * @throws at the first failed assertion
 */
export async function hold(drill: Drill, say: (line: string) => void): Promise<void> {
  const cluster = drill.onCluster ? await startDatabaseCluster() : undefined;
  try {
    const adminConsole = await openAdminConsole(say, cluster);
    try {
      await drill.play(adminConsole);
      await assertAllIsWell(adminConsole);
    } finally {
      await adminConsole.close();
    }
  } finally {
    cluster?.stop();
  }
}
