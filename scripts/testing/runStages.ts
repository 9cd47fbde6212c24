import { spawn } from 'node:child_process';
import { delimiter, dirname } from 'node:path';
import { COMPILE_CACHE } from '#sandbox/process/nodeChild.ts';
import type { Tally } from './reports.ts';

/** One tool run over the project. */
export type Stage = {
  name: string;
  /** Programs run one after the other; the first failure ends the stage. */
  commands: string[][];
  environment?: Record<string, string>;
  /** How many cores it keeps busy. */
  cores: number;
  /** Stages that must have passed before this one makes sense. */
  after?: string[];
  /**
   * Reads the stage's test results from its output or report; without it the stage counts as one
   * test.
   */
  tally?: (output: string) => Tally | undefined;
};

export type StageResult = Required<Tally> & {
  name: string;
  isPassed: boolean;
  ms: number;
  output: string;
};

/** Runs stages side by side as far as cores and their order allow. */
export async function runStages(
  stages: Stage[],
  options: { cores: number; onResult: (result: StageResult) => void },
): Promise<StageResult[]> {
  const results = new Map<string, StageResult>();
  const names = new Set(stages.map((stage) => stage.name));
  let waiting = [...stages];
  const running = new Map<Stage, Promise<void>>();
  const busy = () => [...running.keys()].reduce((sum, stage) => sum + stage.cores, 0);
  const settle = (result: StageResult) => {
    results.set(result.name, result);
    options.onResult(result);
  };
  const isReady = (stage: Stage) =>
    (stage.after ?? []).every((name) => !names.has(name) || results.has(name));
  while (waiting.length > 0 || running.size > 0) {
    for (const stage of waiting) {
      const isRoom = busy() + stage.cores <= options.cores || running.size === 0;
      if (!isReady(stage) || !isRoom) continue;
      waiting = waiting.filter((other) => other !== stage);
      const broken = (stage.after ?? []).find((name) => results.get(name)?.isPassed === false);
      if (broken) {
        settle(notRun(stage, `not run, because ${broken} failed`));
        continue;
      }
      const run = runStage(stage).then((result) => {
        running.delete(stage);
        settle(result);
      });
      running.set(stage, run);
    }
    if (running.size > 0) await Promise.race(running.values());
  }
  return stages.flatMap((stage) => results.get(stage.name) ?? []);
}

async function runStage(stage: Stage): Promise<StageResult> {
  const started = performance.now();
  let output = '';
  let code = 0;
  for (const command of stage.commands) {
    const run = await runCommand(command, stage.environment);
    output += run.output;
    code = run.code;
    if (code !== 0) break;
  }
  const isPassed = code === 0;
  const {
    passed,
    failures,
    remark = '',
  } = stage.tally?.(output) ?? {
    passed: isPassed ? 1 : 0,
    failures: [],
  };
  return {
    name: stage.name,
    isPassed,
    passed,
    // A tool that exits with an error but names no failed test has still failed.
    failures: isPassed || failures.length > 0 ? failures : ['see its output'],
    remark,
    ms: performance.now() - started,
    output,
  };
}

function notRun({ name }: Stage, remark: string): StageResult {
  return { name, isPassed: false, passed: 0, failures: [remark], remark, ms: 0, output: '' };
}

function runCommand(
  command: string[],
  environment: Record<string, string> = {},
): Promise<{ code: number; output: string }> {
  const [program = '', ...args] = command;
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter);
  const child = spawn(program, args, {
    // Tools that start `node` by name get this one too.
    env: { ...process.env, PATH: path, NODE_COMPILE_CACHE: COMPILE_CACHE, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: 1, output: `${output}${error.message}\n` }));
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}
