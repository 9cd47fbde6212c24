import type { FaultCounts } from './faultInjector.ts';
import type { ModelReport } from './runSequences.ts';

/** The report as text: how to repeat it, the actions, the faults, the end. */
export function describeReport(report: ModelReport): string {
  return [
    `model: ${report.sequences} sequences, MODEL_SEED=${report.seed}, ` +
      `${report.violations.length} violations`,
    section('done', report.actions),
    section('broken', report.faults),
    section('ended', report.outcomes),
    ...report.violations.slice(0, 40).map((violation) => `  VIOLATION ${violation}`),
  ].join('\n');
}

function section(title: string, counts: FaultCounts): string {
  const sorted = Object.entries(counts).sort(([, a], [, b]) => b - a);
  const total = sorted.reduce((sum, [, count]) => sum + count, 0);
  const list = sorted.map(([name, count]) => `${name} ${count}`).join(', ');
  return `  ${title} (${total}): ${list}`;
}
