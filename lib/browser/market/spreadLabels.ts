/** A label that wants its middle at `at`, in pixels from the top. */
type Label = { at: number; height: number };

type Block = { top: number; height: number; members: number[] };

/**
 * The tops of labels in a column, in the given order of labels: as close to where they want to be as
 * possible without overlapping. Undefined if the column is too short for all.
 */
export function spreadLabels(labels: readonly Label[], room: number): number[] | undefined {
  if (labels.reduce((sum, { height }) => sum + height, 0) > room) return undefined;
  const clamped = (top: number, height: number) => Math.min(Math.max(top, 0), room - height);
  const byPlace = labels
    .map(({ at, height }, index) => ({ top: clamped(at - height / 2, height), height, index }))
    .sort((a, b) => a.top + a.height / 2 - (b.top + b.height / 2));
  const blocks: Block[] = [];
  for (const { top, height, index } of byPlace) {
    let block: Block = { top, height, members: [index] };
    // Labels that touch move together, to the middle of what they want.
    for (let above = blocks.at(-1); above && overlaps(above, block); above = blocks.at(-1)) {
      blocks.pop();
      block = joined(above, block, clamped);
    }
    blocks.push(block);
  }
  const tops = labels.map(() => 0);
  for (const block of blocks) {
    let top = block.top;
    for (const index of block.members) {
      tops[index] = top;
      top += labels[index]?.height ?? 0;
    }
  }
  return tops;
}

function overlaps(above: Block, below: Block): boolean {
  return above.top + above.height > below.top;
}

function joined(above: Block, below: Block, clamped: (top: number, height: number) => number) {
  const members = [...above.members, ...below.members];
  const height = above.height + below.height;
  const wanted =
    (above.top * above.members.length + (below.top - above.height) * below.members.length) /
    members.length;
  return { top: clamped(wanted, height), height, members };
}
