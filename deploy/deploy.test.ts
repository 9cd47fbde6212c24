import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DCLinter } from 'dclint';
import { validate } from 'dockerfile-utils';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { environmentSchema } from '#server/platform/config/environment.ts';

const DEPLOY = fileURLToPath(new URL('.', import.meta.url));
const PROJECT = join(DEPLOY, '..');
const read = (path: string) => readFileSync(join(DEPLOY, path), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'crossbook-deploy-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Every variable that a program reads, also as a file. */
function isKnownVariable(name: string): boolean {
  const plain = name.replace(/_FILE$/, '');
  const ours = Object.keys(environmentSchema.shape);
  const others = ['NODE_ENV', 'NEXT_TELEMETRY_DISABLED'];
  return (
    [...ours, ...others].includes(plain) ||
    /^DATABASE_(WEB|PROCESSOR|NOTIFICATIONS|OPERATOR)_PASSWORD$/.test(plain)
  );
}

function lint(path: string) {
  const config = { rules: {}, quiet: true, debug: false, exclude: [] };
  const results = new DCLinter(config).lintFiles([path], false);
  expect(results).toHaveLength(1);
  return results.flatMap(({ messages }) => messages.filter(({ type }) => type === 'error'));
}

describe('the image', () => {
  const text = read('container/Containerfile');

  test('a linter accepts it', () => {
    expect(validate(text)).toEqual([]);
  });

  test('the linter would notice', () => {
    expect(validate('FROM node\nRUNN true\n')).not.toEqual([]);
  });

  test('runs as an unprivileged user, from bases of one exact version, in two stages', () => {
    const bases = [...text.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
    expect(bases).toHaveLength(2);
    const { dependencies } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    for (const base of bases) expect(base).toBe(`node:${dependencies.node}-bookworm-slim`);
    expect(text.match(/^USER (.*)$/m)?.[1]).toBe('10001:10001');
  });

  test('starts programs that exist', () => {
    const [, program = ''] = /CMD \["([^"]+)"\]\s*$/.exec(text) ?? [];
    expect(existsSync(join(PROJECT, program))).toBe(true);
  });
});

type Service = {
  command?: string[];
  environment?: Record<string, string>;
  secrets?: string[];
  networks?: string[] | Record<string, unknown>;
  user?: string;
  read_only?: boolean;
};
type Compose = {
  services: Record<string, Service>;
  secrets: Record<string, { file: string }>;
};

describe('the compose file', () => {
  const compose = parse(read('compose/compose.yaml'), { merge: true }) as Compose;
  const signer = parse(read('compose/signer.yaml'), { merge: true }) as Compose;
  const commands = (program: string) =>
    Object.entries(compose.services).filter(([, { command }]) => command?.[0] === program);

  test('a linter accepts it, against the schema of Compose as well', () => {
    expect(lint(join(DEPLOY, 'compose/compose.yaml'))).toEqual([]);
    expect(lint(join(DEPLOY, 'compose/signer.yaml'))).toEqual([]);
  });

  test('the linter would notice', () => {
    const path = join(folder, 'compose.yaml');
    writeFileSync(path, 'services:\n  web:\n    image: web:1\n    comand: [x]\n');
    expect(lint(path)).toMatchObject([{ rule: 'invalid-schema' }]);
  });

  test('has two of each program, the tables made before, and programs that exist', () => {
    expect(commands('server/api/main.ts')).toHaveLength(2);
    expect(commands('server/processor/main.ts')).toHaveLength(2);
    expect(commands('server/notifier/main.ts')).toHaveLength(2);
    expect(commands('scripts/migrate.ts')).toHaveLength(1);
    for (const { command } of Object.values(compose.services)) {
      if (command?.[0]?.endsWith('.ts')) expect(existsSync(join(PROJECT, command[0]))).toBe(true);
    }
  });

  test('gives the web servers no key of chain and exchange, the processors none of tokens, and the senders of notifications none', () => {
    for (const [, { secrets }] of commands('server/api/main.ts')) {
      expect(secrets).toEqual(
        expect.not.arrayContaining([
          'operator_keys',
          'attestor_key',
          'resolver_key',
          'relayer_key',
          'venue_key',
          'database_owner_url',
          'database_processor_url',
        ]),
      );
    }
    for (const [, { secrets }] of commands('server/processor/main.ts')) {
      expect(secrets).toEqual(
        expect.not.arrayContaining(['jwt_signing_keys', 'database_owner_url', 'database_web_url']),
      );
    }
    for (const [, { secrets }] of commands('server/notifier/main.ts')) {
      expect(secrets).toEqual(['database_ca', 'database_notifications_url']);
    }
  });

  test('leaves the keys of attestor, resolver and relayer to hosts that have no other key', () => {
    const apart = ['attestor_key', 'resolver_key', 'relayer_key'];
    for (const name of apart) expect(Object.keys(compose.secrets)).not.toContain(name);
    expect(Object.keys(signer.services)).toEqual(['attestor', 'resolver', 'relayer']);
    for (const [name, { command, secrets, environment }] of Object.entries(signer.services)) {
      expect(command).toEqual(['server/processor/main.ts']);
      expect(secrets?.filter((secret) => secret.endsWith('_key'))).toEqual([`${name}_key`]);
      const keys = Object.keys(environment ?? {}).filter((key) => key.includes('PRIVATE_KEY'));
      expect(keys).toEqual([`${name.toUpperCase()}_PRIVATE_KEY_FILE`]);
    }
  });

  test('names variables and secrets that there are', () => {
    const all = [compose, signer].flatMap(({ services, secrets: known }) =>
      Object.values(services).map((service) => ({ ...service, known })),
    );
    for (const { environment, secrets, command, known } of all) {
      for (const secret of secrets ?? []) expect(Object.keys(known)).toContain(secret);
      if (!command?.[0]?.endsWith('.ts')) continue;
      for (const [name, value] of Object.entries(environment ?? {})) {
        expect(isKnownVariable(name), name).toBe(true);
        if (value.startsWith('/run/secrets/')) {
          expect(secrets).toContain(value.replace('/run/secrets/', ''));
        }
      }
    }
    for (const line of read('compose/common.env.example').split('\n')) {
      if (line === '' || line.startsWith('#')) continue;
      expect(isKnownVariable(line.split('=')[0] ?? ''), line).toBe(true);
    }
  });

  test('what prepare.sh makes is all that is named, with a certificate for the database', () => {
    const own = join(folder, 'compose');
    cpSync(join(DEPLOY, 'compose'), own, {
      recursive: true,
      filter: (path) => !path.includes('/secrets'),
    });
    const run = () => execFileSync('sh', [join(own, 'prepare.sh')], { encoding: 'utf8' });
    expect(run()).toContain('Still empty, fill them in:');
    const made = readdirSync(join(own, 'secrets'));
    for (const { file } of Object.values(compose.secrets)) {
      expect(made).toContain(file.replace('./secrets/', ''));
    }
    const before = readFileSync(join(own, 'secrets/database_web_url'), 'utf8');
    expect(before).toMatch(
      /^postgres:\/\/crossbook_web:[0-9a-f]{48}@postgres:5432\/crossbook\?sslmode=verify-full&sslrootcert=/,
    );
    run();
    expect(readFileSync(join(own, 'secrets/database_web_url'), 'utf8')).toBe(before);
    const checked = spawnSync(
      'openssl',
      [
        'verify',
        '-CAfile',
        join(own, 'secrets/database_ca'),
        '-verify_hostname',
        'postgres',
        join(own, 'secrets/database_server_certificate'),
      ],
      { encoding: 'utf8' },
    );
    expect(checked.stdout).toContain('OK');
    expect(statSync(join(own, 'secrets')).mode & 0o077).toBe(0);
  });
});

describe('the database cluster', () => {
  const own = join(folder, 'cluster');
  const addresses = ['127.0.0.11', '127.0.0.12', '127.0.0.13'];
  const prepare = () =>
    execFileSync('sh', [join(DEPLOY, 'cluster/prepare.sh'), own, ...addresses], {
      encoding: 'utf8',
    });
  const file = (machine: string, name: string) => join(own, machine, name);
  const hasProgram = (name: string) => findProgram(name) !== undefined;
  const run = (program: string, args: string[]) =>
    spawnSync(findProgram(program) ?? program, args, { encoding: 'utf8' });
  beforeAll(() => {
    prepare();
  });

  test('a linter accepts its image and its compose file', () => {
    expect(validate(read('cluster/Containerfile'))).toEqual([]);
    expect(lint(join(DEPLOY, 'cluster/compose.yaml'))).toEqual([]);
  });

  test('prepare.sh fills in every place, keeps its secrets, and certifies each machine', () => {
    const secretsOf = (machine: string) => readFileSync(file(machine, 'patroni.yml'), 'utf8');
    for (const machine of [...addresses, 'programs']) {
      for (const name of readdirSync(join(own, machine))) {
        expect(readFileSync(file(machine, name), 'utf8'), name).not.toMatch(/@[A-Z_]+@/);
      }
    }
    const before = secretsOf('127.0.0.12');
    prepare();
    expect(secretsOf('127.0.0.12')).toBe(before);
    for (const address of addresses) {
      const ca = ['-CAfile', file(address, 'ca.crt')];
      for (const name of [address, '127.0.0.1']) {
        const checked = run('openssl', [
          'verify',
          ...ca,
          '-verify_ip',
          name,
          file(address, 'server.crt'),
        ]);
        expect(checked.stdout, checked.stderr).toContain('OK');
      }
    }
  });

  test('acknowledges a commit when a standby has it, and never without one', () => {
    const patroni = parse(readFileSync(file('127.0.0.11', 'patroni.yml'), 'utf8')) as {
      bootstrap: { dcs: Record<string, unknown> & { postgresql: { parameters: object } } };
    };
    expect(patroni.bootstrap.dcs).toMatchObject({
      synchronous_mode: true,
      synchronous_mode_strict: true,
      postgresql: { parameters: { synchronous_commit: 'on' } },
    });
  });

  test.runIf(hasProgram('haproxy'))('haproxy accepts its configuration', () => {
    const checked = run('haproxy', ['-c', '-f', file('programs', 'haproxy.cfg')]);
    expect(checked.stderr).not.toMatch(/ALERT|WARNING/);
    expect(checked.status).toBe(0);
  });

  test.runIf(hasProgram('patroni') && existsSync('/usr/lib/postgresql/15/bin'))(
    'patroni accepts its configuration',
    () => {
      const config = file('127.0.0.11', 'patroni.yml');
      const text = readFileSync(config, 'utf8').replaceAll('/var/lib/postgresql/crossbook', own);
      writeFileSync(config, text.replaceAll(`data_dir: ${own}`, `data_dir: ${join(own, 'data')}`));
      const checked = run('patroni', ['--validate-config', config]);
      // The addresses of this test have no etcd, and may have another PostgreSQL.
      const faults = `${checked.stdout}${checked.stderr}`
        .split('\n')
        .filter((line) => line !== '' && !/is not reachable|is already in use/.test(line));
      expect(faults).toEqual([]);
    },
  );

  test.runIf(hasProgram('patroni'))('patroni would notice', () => {
    const config = join(own, 'wrong.yml');
    const text = readFileSync(file('127.0.0.12', 'patroni.yml'), 'utf8');
    writeFileSync(config, text.replace('loop_wait: 5', 'loop_wait: soon'));
    const checked = run('patroni', ['--validate-config', config]);
    expect(`${checked.stdout}${checked.stderr}`).toContain('loop_wait');
  });

  test.runIf(hasProgram('pgbackrest'))('pgBackRest accepts its configuration', () => {
    const config = file('127.0.0.11', 'pgbackrest.conf');
    const text = readFileSync(config, 'utf8').replaceAll(/=\/(srv|var|run)\//g, `=${own}/$1/`);
    writeFileSync(config, text);
    const checked = run('pgbackrest', [`--config=${config}`, '--stanza=crossbook', 'info']);
    expect(checked.stdout, checked.stderr).toContain('stanza: crossbook');
    expect(checked.status).toBe(0);
  });
});

/** In the PATH, or where only root looks. */
function findProgram(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/sbin', '/sbin'];
  return folders.map((place) => join(place, name)).find((path) => existsSync(path));
}

describe('the units of systemd', () => {
  const folders = ['systemd', 'cluster/systemd'];
  const pathOf = (name: string) =>
    folders.map((one) => `${one}/${name}`).find((path) => existsSync(join(DEPLOY, path))) ?? name;
  const units = folders
    .flatMap((one) => readdirSync(join(DEPLOY, one)))
    .filter((name) => /\.(service|target|timer)$/.test(name));
  const DIRECTIVES: Record<string, RegExp> = {
    Unit: /^(Description|Documentation|After|Wants|PartOf)$/,
    Install: /^WantedBy$/,
    Timer: /^(Unit|OnCalendar|Persistent)$/,
    Service:
      /^(Type|User|Group|WorkingDirectory|EnvironmentFile|Environment|ExecCondition|ExecStartPre|ExecStart|ExecReload|Restart|RestartSec|RestartPreventExitStatus|KillMode|KillSignal|SuccessExitStatus|LimitNOFILE|CPUWeight|IOWeight|MemoryMax|OOMScoreAdjust|RuntimeDirectory|RuntimeDirectoryPreserve|StateDirectory|StateDirectoryMode|LogsDirectory|ReadWritePaths|TimeoutStopSec|TimeoutStartSec|CacheDirectory|BindPaths|CapabilityBoundingSet|LockPersonality|NoNewPrivileges|Private\w+|Protect\w+|Restrict\w+|SystemCallArchitectures|UMask)$/,
  };

  test.each(units)('%s has directives that systemd knows, and programs that exist', (name) => {
    let section = '';
    for (const line of read(pathOf(name)).split('\n')) {
      if (line === '' || line.startsWith('#')) continue;
      const head = /^\[(\w+)\]$/.exec(line)?.[1];
      if (head !== undefined) {
        section = head;
        continue;
      }
      const [directive = '', ...rest] = line.split('=');
      expect(directive, `${section}: ${line}`).toMatch(DIRECTIVES[section] ?? /^never$/);
      const program = /^ExecStart=\S+node .*?(\S+\.ts)$/.exec(line)?.[1];
      if (program) expect(existsSync(join(PROJECT, program))).toBe(true);
      if (directive !== 'Environment') continue;
      for (const pair of rest.join('=').split(' ')) {
        expect(isKnownVariable(pair.split('=')[0] ?? ''), pair).toBe(true);
      }
    }
  });

  test('give the attestor’s and the resolver’s keys users and files of their own', () => {
    const own = read('systemd/crossbook-signer@.service');
    expect(own).toContain('\nUser=crossbook-%i\n');
    expect(own.match(/^EnvironmentFile=.*$/gm)).toEqual([
      'EnvironmentFile=/etc/crossbook/common.env',
      'EnvironmentFile=/etc/crossbook/%i.env',
    ]);
  });

  const hasAnalyzer = spawnSync('systemd-analyze', ['--version']).status === 0;
  test.runIf(hasAnalyzer)('systemd-analyze finds nothing to say', () => {
    for (const name of units) {
      const text = read(pathOf(name))
        .replaceAll(/^(Exec\w+=)\S+/gm, '$1/bin/true')
        .replaceAll('file:/opt/crossbook', `file:${PROJECT}`);
      writeFileSync(join(folder, name), text);
    }
    const instances = units.map((name) => join(folder, name.replace('@.', '@3001.')));
    for (const name of units.filter((unit) => unit.includes('@.'))) {
      cpSync(join(folder, name), join(folder, name.replace('@.', '@3001.')));
    }
    const said = spawnSync('systemd-analyze', ['verify', '--man=no', ...instances], {
      encoding: 'utf8',
    });
    const ours = said.stderr.split('\n').filter((line) => line.includes('crossbook'));
    expect(ours).toEqual([]);
    expect(said.status).toBe(0);
  });
});
