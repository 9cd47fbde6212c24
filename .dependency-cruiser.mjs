/**
 * Who may import whom. Each list runs from the top down: a folder may use those listed after it,
 * never one before it, so no two folders use each other.
 */
const LAYERS = [
  'server/(api|processor|notifier)',
  'server/domain',
  'server/(exchange|chain)',
  'server/platform',
];
const FOLDERS = {
  'server/api': ['admin', 'routes', 'middleware'],
  'server/domain': [
    'monitoring',
    'compliance',
    'exports',
    'notifications',
    'activity',
    'portfolio',
    'reconciliation',
    'transfers',
    'preview',
    'relay',
    'collateral',
    'orders',
    'settlement',
    'triggers',
    'markets',
    'accounts',
    'auth',
    'limits',
    'admin',
    'ledger',
  ],
  'server/domain/orders': ['redeem', 'create', 'read', 'lifecycle'],
  'server/processor': ['jobs', 'watchers', 'signers', 'forks', 'runner', 'steps'],
  'server/domain/markets': [
    'sync',
    'pictures',
    'prices',
    'scores',
    'quotes',
    'books',
    'search',
    'tokens',
    'catalogue',
  ],
};

/** Tests may start programs of the layers above the code they test. */
const CODE = { pathNot: '\\.test\\.tsx?$|/testing/' };

function downwards(parent, folders) {
  return folders.slice(1).map((folder, index) => ({
    name: `${parent}: ${folder} imports from above`,
    severity: 'error',
    from: { path: `^${parent}/${folder}/`, ...CODE },
    to: { path: `^${parent}/(${folders.slice(0, index + 1).join('|')})/` },
  }));
}

export default {
  forbidden: [
    ...LAYERS.slice(1).map((layer, index) => ({
      name: `${layer} imports from a layer above`,
      severity: 'error',
      from: { path: `^${layer}/`, ...CODE },
      to: { path: `^(${LAYERS.slice(0, index + 1).join('|')})/|^server/[^/]+\\.ts$` },
    })),
    {
      name: 'programs do not import each other',
      severity: 'error',
      from: { path: '^server/(api|processor|notifier)/', ...CODE },
      to: { path: '^server/(api|processor|notifier)/', pathNot: '^server/$1/' },
    },
    {
      name: 'the chain and the exchange do not know each other',
      severity: 'error',
      from: { path: '^server/(exchange|chain)/', ...CODE },
      to: { path: '^server/(exchange|chain)/', pathNot: '^server/$1/' },
    },
    ...Object.entries(FOLDERS).flatMap(([parent, folders]) => downwards(parent, folders)),
    {
      name: 'no circle of values',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: 'node_modules|/migrations/|contracts/(abi|bytecode)' },
  },
};
