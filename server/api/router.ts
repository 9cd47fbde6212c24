import type { HttpMethod, Route } from './route.ts';

type Resource = {
  segments: string[];
  fixed: { index: number; text: string }[];
  parameters: { index: number; name: string }[];
  methods: Map<HttpMethod, Route>;
};

export type Match =
  | { kind: 'route'; route: Route; params: Record<string, string> }
  | { kind: 'wrong_method'; allow: string[] }
  | { kind: 'not_found' };

export type Router = { match(method: string, path: string): Match };

const isParameter = (segment: string) => segment.startsWith('{');

/** Fixed segments before parameters, so that `/v1/order/calldata` is never an id. */
function bySpecificity(a: Resource, b: Resource): number {
  const rank = (resource: Resource) =>
    resource.segments.map((segment) => (isParameter(segment) ? '1' : '0')).join('');
  return rank(a).localeCompare(rank(b));
}

function partsOf(path: string): Omit<Resource, 'methods'> {
  const segments = path.split('/');
  const fixed: Resource['fixed'] = [];
  const parameters: Resource['parameters'] = [];
  for (const [index, text] of segments.entries()) {
    if (isParameter(text)) parameters.push({ index, name: text.slice(1, -1) });
    else fixed.push({ index, text });
  }
  // The last ones tell paths apart; most begin alike.
  return { segments, fixed: fixed.reverse(), parameters };
}

/** '' for what is no percent-encoded UTF-8. */
function decode(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}

function paramsOf(resource: Resource, segments: string[]): Record<string, string> | undefined {
  for (const { index, text } of resource.fixed) if (segments[index] !== text) return undefined;
  const params = Object.create(null) as Record<string, string>;
  for (const { index, name } of resource.parameters) {
    const value = decode(segments[index] ?? '');
    // No name that is kept anywhere can hold a NUL.
    if (value === '' || value.includes('\0')) return undefined;
    params[name] = value;
  }
  return params;
}

/** Methods of a resource as its `Allow` header lists them. */
function allowOf(resource: Resource): string[] {
  const methods: string[] = [...resource.methods.keys()];
  if (methods.includes('GET')) methods.push('HEAD');
  return [...methods, 'OPTIONS'];
}

/** @throws {Error} when two routes share method and path. */
export function createRouter(routes: readonly Route[]): Router {
  const byPath = new Map<string, Resource>();
  for (const route of routes) {
    const resource = byPath.get(route.path) ?? {
      ...partsOf(route.path),
      methods: new Map<HttpMethod, Route>(),
    };
    if (resource.methods.has(route.method)) {
      throw new Error(`${route.method} ${route.path} is declared twice`);
    }
    resource.methods.set(route.method, route);
    byPath.set(route.path, resource);
  }
  const byLength = new Map<number, Resource[]>();
  for (const resource of [...byPath.values()].sort(bySpecificity)) {
    const sameLength = byLength.get(resource.segments.length) ?? [];
    byLength.set(resource.segments.length, [...sameLength, resource]);
  }

  return {
    match(method, path) {
      const segments = path.split('/');
      for (const resource of byLength.get(segments.length) ?? []) {
        const params = paramsOf(resource, segments);
        if (!params) continue;
        const route = resource.methods.get((method === 'HEAD' ? 'GET' : method) as HttpMethod);
        return route
          ? { kind: 'route', route, params }
          : { kind: 'wrong_method', allow: allowOf(resource) };
      }
      return { kind: 'not_found' };
    },
  };
}
