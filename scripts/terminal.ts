import { StartProblem } from '#sandbox/problem.ts';
import type { Progress } from '#sandbox/stack/progress.ts';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 100;
const NAME_WIDTH = 22;

const isTty = process.stdout.isTTY === true;
const hasColour = isTty && process.env.NO_COLOR === undefined;

function colour(code: number, text: string): string {
  return hasColour ? `\u001b[${code}m${text}\u001b[0m` : text;
}
export const bold = (text: string) => colour(1, text);
export const dim = (text: string) => colour(2, text);
export const green = (text: string) => colour(32, text);
export const red = (text: string) => colour(31, text);

type Line = {
  name: string;
  since: number;
  remark: string;
  state: 'busy' | 'done' | 'failed' | 'given up';
};

/**
 * One line per step with its time. In a terminal the lines of running steps are redrawn in place;
 * elsewhere each step is printed once, on completion, and long ones also at their start.
 */
export function terminalProgress(): Progress & { close: () => void } {
  let active: Line[] = [];
  let drawn = 0;
  let frame = 0;
  const redraw = () => {
    const finished = active.filter((line) => line.state !== 'busy');
    active = active.filter((line) => line.state === 'busy');
    const lines = [...finished, ...active].map((line) => lineText(line, frame));
    process.stdout.write(`${drawn > 0 ? `\u001b[${drawn}A\u001b[0J` : ''}${lines.join('')}`);
    drawn = active.length;
  };
  const timer = isTty
    ? setInterval(() => {
        frame += 1;
        if (active.length > 0) redraw();
      }, FRAME_MS)
    : undefined;
  const show = (line: Line) => {
    if (isTty) redraw();
    else if (line.state !== 'busy') process.stdout.write(lineText(line, 0));
  };
  return {
    step: async (name, work) => {
      const line: Line = { name, since: performance.now(), remark: '', state: 'busy' };
      active.push(line);
      show(line);
      try {
        const result = await work((text) => {
          line.remark = text;
        });
        line.state = 'done';
        return result;
      } catch (error) {
        // A step aborted by another part's failure has not failed itself.
        const isCutShort = error instanceof Error && error.name === 'AbortError';
        line.state = isCutShort ? 'given up' : 'failed';
        throw error;
      } finally {
        show(line);
      }
    },
    close: () => clearInterval(timer),
  };
}

function lineText(line: Line, frame: number): string {
  const marks = {
    busy: dim(FRAMES[frame % FRAMES.length] ?? '·'),
    done: green('✓'),
    failed: red('✗'),
    'given up': dim('–'),
  };
  const seconds = ((performance.now() - line.since) / 1000).toFixed(1).padStart(6);
  const remark = line.remark ? `  ${dim(line.remark)}` : '';
  return `  ${marks[line.state]} ${line.name.padEnd(NAME_WIDTH)}${dim(`${seconds} s`)}${remark}\n`;
}

/** Prints the error and its cure; a stack only for unexpected errors. */
export function reportFailure(error: unknown): void {
  const indent = (text: string) => text.replaceAll('\n', '\n  ');
  if (error instanceof StartProblem) {
    process.stderr.write(`\n  ${red('✗')} ${indent(error.message)}\n  → ${indent(error.cure)}\n\n`);
    return;
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`\n  ${red('✗')} Unexpected error.\n  ${indent(text)}\n\n`);
}
