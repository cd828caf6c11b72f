// The floors of src, lowest first: a file imports from its own folder and from lower floors, nothing else.
const floors = [
  'client/',
  '(errors|problems|finding|log|config|environment|coalescer|commit|html|shape)\\.ts$|(values|tools/report)/',
  'database/',
  'collections/',
  'mapping/',
  '(keys|audit)/',
  '(api|pull|tools/(check|init|verify))/',
  'tools/commands/',
  '(cli|vitrine-pull)\\.ts$',
]
const at = (floor) => `^src/(${floor})`
const downward = floors
  .map((floor, i) => ({
    name: `floor-${i}`,
    severity: 'error',
    from: { path: at(floor) },
    to: {
      path: floors
        .slice(i + 1)
        .map(at)
        .join('|'),
    },
  }))
  .slice(0, -1)

module.exports = {
  forbidden: [
    ...downward,
    {
      name: 'same-floor',
      severity: 'error',
      from: { path: '^src/(keys|audit)/' },
      to: { path: '^src/(keys|audit)/', pathNot: '^src/$1/' },
    },
    {
      name: 'api-pull-and-tools-apart',
      severity: 'error',
      from: { path: '^src/(api|pull|tools/check|tools/init|tools/verify)/' },
      to: { path: '^src/(api|pull|tools/check|tools/init|tools/verify)/', pathNot: '^src/$1/' },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'mysql2-only-in-database',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/database/' },
      to: { path: '(^|/)node_modules/mysql2/' },
    },
    {
      name: 'mcp-loaded-only-where-it-is-on',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/api/mcp\\.ts$' },
      to: {
        path: '^src/api/mcp\\.ts$|(^|/)node_modules/@modelcontextprotocol/',
        dependencyTypesNot: ['dynamic-import'],
      },
    },
    {
      name: 'loaded-at-start',
      comment:
        'Node remembers an import that failed for the life of a process. A command ends with its failure; MCP is loaded at the start.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/cli\\.ts$' },
      to: { dependencyTypes: ['dynamic-import'], pathNot: '^src/api/mcp\\.ts$' },
    },
    {
      name: 'knex-only-in-sql-files',
      severity: 'error',
      from: { path: '^src/', pathNot: '-sql\\.ts$' },
      to: { path: '(^|/)node_modules/knex/' },
    },
    { name: 'src-knows-no-test', severity: 'error', from: { path: '^src/' }, to: { path: '^test/' } },
    {
      name: 'client-stands-alone',
      comment: 'It runs where there is neither Node nor our service: fetch is all that it needs.',
      severity: 'error',
      from: { path: '^src/client/' },
      to: { pathNot: '^src/client/' },
    },
    {
      name: 'verify-stands-alone',
      comment:
        'It must find the errors of the service, and so shares only the report, texts, forms, and the names and types of the fields.',
      severity: 'error',
      from: { path: '^src/tools/verify/' },
      to: {
        path: '^(src|test)/',
        pathNot: '^src/(tools/(verify|report)/|finding\\.ts$|client/(forms|records|text)\\.ts$)',
      },
    },
    {
      name: 'pull-needs-no-service',
      comment:
        "It is an integrator's: its package has no database, server or mapping, and installs no other package.",
      severity: 'error',
      from: { path: '^src/vitrine-pull\\.ts$' },
      to: {
        path: '^src/|(^|/)node_modules/',
        pathNot: [
          '^src/(client|pull)/',
          '^src/tools/commands/(pull|command|forms)\\.ts$',
          '^src/(errors|problems|values/printable)\\.ts$',
        ],
        reachable: true,
      },
    },
    {
      name: 'model-stands-alone',
      comment:
        'An oracle that shares code with the service shares its errors. Only the stage starts the service, or compares with it.',
      severity: 'error',
      from: { path: '^test/model/', pathNot: '^test/model/(run-product|seeds|stage|agreement\\.test)\\.ts$' },
      to: { path: '^(src|test/support)/' },
    },
    {
      name: 'product-stands-alone',
      comment: 'QA uses it without our sources.',
      severity: 'error',
      from: { path: '^test/product/' },
      to: { path: '^(src|test)/', pathNot: '^test/product/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.mjs'],
      conditionNames: ['import', 'types', 'node'],
    },
  },
}
