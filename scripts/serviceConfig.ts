import { existsSync } from 'node:fs';
import { type Environment, serverEnvironment } from '#sandbox/environment.ts';
import { StartProblem } from '#sandbox/problem.ts';
import { isAlive } from '#sandbox/process/liveness.ts';
import { anyFreePort } from '#sandbox/process/ports.ts';
import { loadSecrets } from '#sandbox/secrets.ts';
import { chosenDataDir, dataFolderAt } from '#sandbox/stack/dataFolder.ts';
import { readDescription, type SandboxDescription } from '#sandbox/stack/description.ts';
import { silentProgress } from '#sandbox/stack/progress.ts';
import { startStack } from '#sandbox/stack/startStack.ts';
import { type Config, readConfig } from '#server/platform/config/config.ts';

export type Service = {
  config: Config;
  /** Stops what was started for the tool; does nothing when the service runs. */
  release: () => Promise<void>;
};

/**
 * The configuration of the service for a tool: from the environment, or from the sandbox in the
 * data folder. For a stopped sandbox, starts database, chain and exchange while the tool runs.
 * @throws {StartProblem} when there is neither
 */
export async function openService(dataDir: string | undefined): Promise<Service> {
  const { env } = process;
  if (env.DATABASE_URL && env.CHAIN_RPC_URL && env.VENUE_URL) {
    return { config: readConfig(env, 'tool'), release: async () => undefined };
  }
  const folder = dataFolderAt(chosenDataDir(dataDir));
  if (!existsSync(folder.secrets)) {
    throw new StartProblem(
      `No sandbox in ${folder.root}.`,
      'Name its folder with --data <folder>, or set DATABASE_URL, CHAIN_RPC_URL, VENUE_URL and the rest.',
    );
  }
  const running = readDescription(folder.description);
  if (running?.pids.database.some(isAlive)) {
    return { config: await configOf(running, folder.secrets), release: async () => undefined };
  }
  const stack = await startStack({
    dataDir: folder.root,
    port: await anyFreePort(),
    environment: { ...env, SERVE_PAGES: 'false' },
    progress: silentProgress,
    innerPorts: 'any',
    servers: [],
  });
  return { config: await configOf(stack.description(), folder.secrets), release: stack.stop };
}

async function configOf(description: SandboxDescription, secretsFile: string): Promise<Config> {
  return readConfig(await environmentOf(description, secretsFile));
}

/** The environment that the servers of a running sandbox have. */
export async function environmentOf(
  { databaseUrl, rpcUrl, contracts, exchangeUrl, baseUrl }: SandboxDescription,
  secretsFile: string,
): Promise<Environment> {
  return serverEnvironment(process.env, await loadSecrets(secretsFile), {
    port: Number(new URL(baseUrl).port || 80),
    databaseUrl,
    chain: { rpcUrl, contracts },
    exchangeUrl,
  });
}
