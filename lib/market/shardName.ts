import type { ShardView } from './marketView.ts';

/** The exchange's name of one of its parts, else its number. */
export function shardName({ shard, name }: Pick<ShardView, 'shard' | 'name'>): string {
  return name === '' ? `part ${shard}` : name;
}
