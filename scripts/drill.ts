import { missingForCluster } from '#sandbox/cluster/programs.ts';
import { hold } from '#sandbox/drills/drill.ts';
import { DRILLS } from '#sandbox/drills/drills.ts';
import { StartProblem } from '#sandbox/problem.ts';
import { bold, dim, green, red, reportFailure } from './terminal.ts';

const USAGE = `Simulates an incident on its own sandbox, following its runbook in docs/runbooks:
npm run drill -- <name>…|all
  ${DRILLS.map(({ name }) => name).join('\n  ')}
Exit code 1 if anything differs from the runbook.`;

async function main(names: string[]): Promise<number> {
  const wanted = names.includes('all') ? DRILLS : DRILLS.filter(({ name }) => names.includes(name));
  const unknown = names.filter(
    (name) => name !== 'all' && !DRILLS.some((one) => one.name === name),
  );
  if (wanted.length === 0 || unknown.length > 0) throw new StartProblem('Which drill?', USAGE);
  let failed = 0;
  let leftOut = 0;
  for (const drill of wanted) {
    const startedAt = performance.now();
    process.stdout.write(`\n  ${bold(drill.name)}\n`);
    const missing = drill.onCluster ? missingForCluster() : [];
    if (missing.length > 0 && names.includes('all')) {
      leftOut += 1;
      process.stdout.write(`  ${dim(`left out: needs ${missing.join(', ')}`)}\n`);
      continue;
    }
    try {
      await hold(drill, (line) => process.stdout.write(`  ${green('✓')} ${line}\n`));
      const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
      process.stdout.write(`  ${dim(`${seconds} s`)}\n`);
    } catch (error) {
      failed += 1;
      if (!(error instanceof StartProblem)) {
        process.stdout.write(`  ${red('✗')} differs from docs/runbooks/${drill.name}.md\n`);
      }
      reportFailure(error);
    }
  }
  const held = wanted.length - leftOut;
  process.stdout.write(`\n  ${held - failed} of ${held} passed\n\n`);
  return failed === 0 ? 0 : 1;
}

try {
  process.exit(await main(process.argv.slice(2)));
} catch (error) {
  reportFailure(error);
  process.exit(1);
}
