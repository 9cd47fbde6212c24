import { dirname } from 'node:path';
import { StartProblem } from '#sandbox/problem.ts';
import { canReach, type SystemUser } from './unprivilegedUser.ts';

/** How PostgreSQL finds its cluster: its working directory and the path argument. */
export type ClusterView = { path: string; cwd: string };

/**
 * The cluster as its user reaches it. Below a folder that only root may enter, that user cannot
 * resolve the path; but a process enters its working directory before it drops root, and Linux
 * resolves /proc/self/cwd directly to it. PostgreSQL never leaves its data folder, so data stays in
 * place and no permission has to be loosened.
 */
export function clusterViewFor(clusterPath: string, user: SystemUser | undefined): ClusterView {
  if (!user || canReach(user, dirname(clusterPath))) {
    return { path: clusterPath, cwd: clusterPath };
  }
  if (process.platform === 'linux') return { path: '/proc/self/cwd', cwd: clusterPath };
  throw new StartProblem(
    `PostgreSQL runs as the user ${user.name}, who may not enter ${dirname(clusterPath)}.`,
    'Start as an ordinary user, choose another data folder with --data, or set DATABASE_URL.',
  );
}
