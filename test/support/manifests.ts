import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, copyFileSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'

/** An object of Kubernetes, of any kind. */
export interface Manifest {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly labels?: Labels }
  readonly spec?: unknown
  readonly data?: Readonly<Record<string, string>>
}

/** The labels of an object, or those that a selector asks for. */
export type Labels = Readonly<Record<string, string>>

const found = spawnSync('kubectl', ['version', '--client', '--output=json'], { encoding: 'utf8' })
const hasKubectl = found.status === 0
/** kubectl 1.20, of Debian 12, has a Kustomize without components. */
const hasComponents = hasKubectl && !found.stdout.includes('"gitVersion": "v1.20.')

/** Why a folder cannot be rendered here; undefined where it can. On CI, a missing kubectl is a failure. */
export function findObstacle(folder: 'base' | 'example'): string | undefined {
  if (!hasKubectl) return (process.env['CI'] ?? '') === '' ? 'no kubectl on this machine' : undefined
  return folder === 'example' && !hasComponents ? 'kubectl is older than 1.21' : undefined
}

/** A copy of docker/kubernetes that can be changed, with the file that the example wants. */
export function copyManifests(): string {
  const copy = mkdtempSync(join(tmpdir(), 'vitrine-kubernetes-'))
  cpSync('docker/kubernetes', copy, { recursive: true })
  copyFileSync(join(copy, 'example/database.env.example'), join(copy, 'example/database.env'))
  return copy
}

/**
 * What `kubectl apply -k` would send.
 *
 * @throws Error with the message of kubectl.
 */
export function renderManifests(folder: string): readonly Manifest[] {
  const text = execFileSync('kubectl', ['kustomize', folder], { encoding: 'utf8', stdio: 'pipe' })
  return parseAllDocuments(text).map((document) => document.toJS() as Manifest)
}
