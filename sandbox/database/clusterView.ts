import { dirname } from 'node:path';
import { StartProblem } from '#sandbox/problem.ts';
import { canReach, type SystemUser } from './unprivilegedUser.ts';

/** How PostgreSQL is told where its cluster is: the folder it starts in and the path it is given. */
export type ClusterView = { path: string; cwd: string };

/**
 * The cluster as its user sees it. Below a folder that only root may enter, the path leads nowhere
 * for that user; but a process starts in its folder before it gives up root, and Linux resolves
 * /proc/self/cwd straight to that folder. PostgreSQL never leaves its data folder, so data stays
 * where it belongs and no permission has to be loosened.
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
