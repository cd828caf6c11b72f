import { join, resolve } from 'node:path'
import type { ProductDatabase, Throwaway } from '../product/index.js'
import { startListener } from './listener.js'
import type { Target } from './targets.js'
import { startVitrine } from './vitrine-process.js'

/** A build of Vitrine, by its checkout with a `dist`, and what its environment has beside the defaults. */
export interface Build {
  readonly name: string
  readonly checkout: string
  readonly env: Readonly<Record<string, string>>
}

/** One of those who take turns. */
export interface Contender {
  readonly name: string
  readonly pid: number
  readonly origin: string
  readonly toPath: (target: Target) => string
  readonly stop: () => Promise<void>
}

/** This checkout, those of `--compare`, and this checkout with each variable of `--env`. */
export function listBuilds(compare: readonly string[], env: readonly string[]): readonly Build[] {
  return [
    { name: 'vitrine', checkout: '.', env: {} },
    ...compare.map((checkout) => ({ name: checkout, checkout, env: {} })),
    ...env.map((variable) => {
      const at = variable.indexOf('=')
      return { name: variable, checkout: '.', env: { [variable.slice(0, at)]: variable.slice(at + 1) } }
    }),
  ]
}

/**
 * The plain handler and every build, all behind one network that delays by this time in each direction.
 */
export async function startContenders(
  throwaway: Throwaway,
  database: ProductDatabase,
  options: { readonly builds: readonly Build[]; readonly delayMs: number; readonly folder: string },
): Promise<{ readonly contenders: readonly Contender[]; readonly stop: () => Promise<void> }> {
  const url = new URL(database.readUrl)
  const proxy =
    options.delayMs === 0
      ? undefined
      : await startListener('delay-proxy.mjs', {
          args: [url.hostname, url.port || '3306', String(options.delayMs)],
        })
  if (proxy !== undefined) url.host = `127.0.0.1:${proxy.port}`
  const contenders = [await startPlain(url.href)]
  for (const [at, { name, checkout, env }] of options.builds.entries()) {
    const vitrine = await startVitrine(
      throwaway,
      { readUrl: url.href, mappingFile: database.mappingFile },
      join(options.folder, `vitrine-${at}.log`),
      // The privileges that another build needs may be fewer.
      { checkout: resolve(checkout), env: { AUDIT: 'warn', ...env } },
    )
    contenders.push({ ...vitrine, name, toPath: (target) => target.vitrine })
  }
  const stop = async (): Promise<void> => {
    for (const contender of contenders) await contender.stop()
    await proxy?.stop()
  }
  return { contenders, stop }
}

async function startPlain(databaseUrl: string): Promise<Contender> {
  const { port, ...process } = await startListener('plain-handler.mjs', {
    env: { DATABASE_URL: databaseUrl },
  })
  return {
    ...process,
    name: 'plain handler',
    origin: `http://127.0.0.1:${port}`,
    toPath: (target) => target.plain,
  }
}
