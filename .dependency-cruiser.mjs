/**
 * The rules of ARCHITECTURE.md that are about imports, checked by tests/repository/architecture.test.ts.
 * @type {import('dependency-cruiser').IConfiguration}
 */
const tests = '\\.test\\.tsx?$'
const serverDomains =
  '^server/(auth|discovery|taste|library|community|achievements|collections|mixes|sharing|profiles|onboarding|playback|covers|uploads|feedback|suggestions|desk|diagnostics|songFiles|catalogue)/'
const webDomains =
  '^web/(landing|auth|discovery|library|community|achievements|collections|mixes|sharing|profiles|onboarding|playback|uploads|feedback|suggestions|reports|desk|diagnostics|privacy)/'

export default {
  forbidden: [
    {
      name: 'meet-in-the-contract',
      comment: 'Rule 1: contract/ imports only zod/mini and itself.',
      severity: 'error',
      from: { path: '^contract/', pathNot: tests },
      to: { pathNot: '^contract/|(^|/)node_modules/zod/mini/' },
    },
    {
      name: 'web-and-server-apart',
      comment: 'Rule 1: web/ and server/ never import each other.',
      severity: 'error',
      from: { path: '^web/' },
      to: { path: '^server/' },
    },
    {
      name: 'server-and-web-apart',
      comment: 'Rule 1: web/ and server/ never import each other.',
      severity: 'error',
      from: { path: '^server/' },
      to: { path: '^web/' },
    },
    {
      name: 'server-base-knows-no-domain',
      comment: 'Rule 2: db, http and integrations import no domain.',
      severity: 'error',
      from: { path: '^server/(db|http|integrations)/' },
      to: { path: serverDomains },
    },
    {
      name: 'web-base-knows-no-domain',
      comment: 'Rule 2: ui and api import no domain.',
      severity: 'error',
      from: { path: '^web/(ui|api)/' },
      to: { path: webDomains },
    },
    {
      name: 'nothing-imports-the-app',
      comment: 'Rule 2: nothing imports the app.',
      severity: 'error',
      from: {
        pathNot: ['^web/app/', '^web/main\\.tsx$', '^server/(app|main|serve)\\.ts$', '^tests/', tests],
      },
      to: { path: ['^web/app/', '^server/(app|main|serve)\\.ts$'] },
    },
    {
      name: 'no-cycles',
      comment: 'Rule 3: no import cycles.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-cycles-between-folders',
      comment: 'Rule 3: domains may use one another, but never in a cycle.',
      severity: 'error',
      scope: 'folder',
      from: { path: '^(server|web|contract|catalogue)(/|$)' },
      to: { circular: true },
    },
    {
      name: 'fastify-at-the-edge',
      comment: 'Rule 4: only http/, routes.ts, app.ts and serve.ts use Fastify.',
      severity: 'error',
      from: {
        path: '^server/',
        pathNot: ['^server/http/', '/routes\\.ts$', '^server/(app|main|serve)\\.ts$', tests],
      },
      to: { path: '(^|/)node_modules/(fastify|@fastify)/' },
    },
    {
      name: 'services-at-the-edge',
      comment: 'Rule 4: only integrations/ imports clients of outside services.',
      severity: 'error',
      from: { path: '^server/', pathNot: ['^server/integrations/', tests] },
      to: { path: '(^|/)node_modules/(nodemailer|openid-client|undici|@aws-sdk)/' },
    },
    {
      name: 'no-unresolved',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: '^(virtual:|zod/mini|node:)' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|data)/' },
    tsPreCompilationDeps: true,
    parser: 'swc',
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
    },
    extraExtensionsToScan: [],
  },
}
