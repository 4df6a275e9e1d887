import { pino } from 'pino'
import { checkServices } from '../doctor/checkServices.ts'
import type { Finding } from '../doctor/finding.ts'
import { termsOf } from '../doctor/terms.ts'
import { type Env, readEnv } from '../env.ts'
import { COMPANION_PATH, CompanionClient } from '../integrations/companion/CompanionClient.ts'
import { createMailer } from '../integrations/mailer.ts'
import { createDnsRecords } from '../integrations/ownDomain.ts'
import { callbackAddresses, createSignInProviders } from '../integrations/signIn/providers.ts'
import { createStore } from '../integrations/storage/createStore.ts'
import { VERSION } from '../packagePath.ts'
import { print } from '../process/log.ts'
import { readSecret } from '../process/secret.ts'
import { fail, messageOf, showUsage } from './runCommand.ts'

const STATE_LABELS: Record<Finding['state'], string> = { ok: 'ok', off: '-', warning: 'WARN', fault: 'ERROR' }

/** `npm run doctor`: checks the configuration and every connected service, and prints the callback addresses. */
if (process.argv.length > 2)
  showUsage('Usage: npm run doctor\nChecks the settings and every connected service.')
else {
  try {
    await runDoctor(readEnv(process.env))
  } catch (error) {
    fail(messageOf(error))
  }
}
// A check that hangs must not keep the program running.
process.stdout.write('', () => process.exit())

async function runDoctor(env: Env): Promise<void> {
  const log = pino({ level: 'silent' })
  const integrations = {
    mailer: createMailer(env, log),
    signIn: createSignInProviders(env, log),
    // The doctor signs no addresses.
    store: createStore(env, log, ''),
    dns: createDnsRecords(env),
    companion: env.companionUrl ? new CompanionClient(env.companionUrl, readSecret(env)) : null,
  }
  const findings = await checkServices(env, integrations)
  print(`Banger or Bust ${VERSION}, ${env.production ? 'production' : 'development'}, at ${env.publicUrl}`)
  print('')
  for (const { state, part, message } of findings) print(formatRow(STATE_LABELS[state], part, message))
  print('')
  print('Callback addresses to register at the providers')
  const { google, facebook, replit, oidc } = callbackAddresses(env)
  print(formatRow('', 'Google', google))
  print(formatRow('', 'Facebook', facebook))
  print(formatRow('', 'Replit', replit))
  print(formatRow('', 'OpenID', oidc))
  for (const provider of Object.keys(env.remoteProviders))
    print(formatRow('', provider, `${env.publicUrl}${COMPANION_PATH}/${provider}/redirect`))
  print('')
  print('Terms of providers, which nothing here can check')
  for (const { part, text } of termsOf(env)) print(formatRow('', part, text))
  const faults = findings.filter(({ state }) => state === 'fault')
  if (faults.length === 0) return
  print('')
  fail(`Failed: ${faults.map(({ part }) => part).join(', ')}.`)
}

function formatRow(label: string, part: string, message: string): string {
  return `${label.padEnd(7)}${part.padEnd(13)}${message}`
}
