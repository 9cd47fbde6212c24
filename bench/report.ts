/** One line of a benchmark's report: what was measured, ours and the baseline. */
export type Measure = {
  name: string;
  ours: number;
  baseline?: number;
  unit: string;
  /** The maximum of `ours / baseline`, or of `ours` without a baseline. */
  atMost?: number;
  /** The minimum of the same. */
  atLeast?: number;
};

/** A table of measures with their ratios and whether each target is met. */
export function formatReport(title: string, measures: readonly Measure[]): string {
  const rows = [
    ['', 'ours', 'baseline', 'ratio', 'bound', ''],
    ...measures.map((measure) => [
      measure.name,
      `${show(measure.ours)} ${measure.unit}`,
      measure.baseline === undefined ? '' : `${show(measure.baseline)} ${measure.unit}`,
      measure.baseline === undefined ? '' : show(measure.ours / measure.baseline),
      limitOf(measure),
      resultOn(measure),
    ]),
  ];
  const widths = rows[0]?.map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  );
  const lines = rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths?.[column] ?? 0) : cell.padStart(widths?.[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
  return [title, '='.repeat(title.length), ...lines, ''].join('\n');
}

/** Prints the report and sets the process' exit code when a target is missed. */
export function report(title: string, measures: readonly Measure[]): void {
  process.stdout.write(`${formatReport(title, measures)}\n`);
  if (measures.some((measure) => isStored(measure) === false)) process.exitCode = 1;
}

/** The percentile of the samples; `share` is 0 to 1. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const index = Math.min(Math.ceil(sorted.length * share) - 1, sorted.length - 1);
  return sorted[Math.max(index, 0)] ?? Number.NaN;
}

/** Undefined without a target. */
function isStored({ ours, baseline, atMost, atLeast }: Measure): boolean | undefined {
  const value = baseline === undefined ? ours : ours / baseline;
  if (atMost !== undefined) return value <= atMost;
  return atLeast === undefined ? undefined : value >= atLeast;
}

function limitOf({ atMost, atLeast }: Measure): string {
  if (atMost !== undefined) return `<= ${atMost}`;
  return atLeast === undefined ? '' : `>= ${atLeast}`;
}

function resultOn(measure: Measure): string {
  const kept = isStored(measure);
  if (kept === undefined) return '';
  return kept ? 'kept' : 'MISSED';
}

function show(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 3;
  return value.toLocaleString('en-US', { maximumFractionDigits: digits });
}
