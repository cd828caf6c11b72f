import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Variables } from './environment.js'
import { describeUnusable } from './errors.js'
import type { ConfigIssue } from './errors.js'

/** What the PEM file of a variable must hold; `read` returns what is used of it, or throws. */
const pemFiles = {
  DATABASE_TLS_CA: { holds: 'certificates', read: readCertificates },
  DATABASE_TLS_CERT: { holds: 'certificates', read: readCertificates },
  DATABASE_TLS_KEY: {
    holds: 'a private key without a passphrase',
    read: (text: string) => {
      createPrivateKey(text)
      return text
    },
  },
} as const

/**
 * Each certificate by itself: OpenSSL stops without an error at what it cannot read, such as the zero byte at the end of the
 * certificate that MySQL generates, and the certificates behind it would have no effect.
 */
function readCertificates(text: string): string {
  const all = text.match(/-----BEGIN ((?:X509 |TRUSTED )?CERTIFICATE)-----[^]*?-----END \1-----/g) ?? ['']
  for (const one of all) new X509Certificate(one)
  return all.join('\n')
}

/** The texts of the PEM files that are set. */
export type Pems = Partial<Readonly<Record<keyof typeof pemFiles, string>>>

/** Adds an issue for each file that cannot be read, or holds something else. */
export function readPemFiles(variables: Variables, issues: ConfigIssue[]): Pems {
  const texts = Object.entries(pemFiles).flatMap(([path, { holds, read }]) => {
    const { [path]: file = '' } = variables
    try {
      return file === '' ? [] : [[path, read(readFileSync(file, 'utf8'))] as const]
    } catch (error) {
      const isMissing = error instanceof Error && 'syscall' in error
      const broken = `${JSON.stringify(file)}, which holds none, or one that cannot be read`
      const found = isMissing ? describeUnusable(file, error) : broken
      issues.push({ path, found, allowed: `the name of a PEM file with ${holds}` })
      return []
    }
  })
  const pems: Pems = Object.fromEntries(texts)
  const { DATABASE_TLS_CERT: cert, DATABASE_TLS_KEY: key } = pems
  if (cert && key && !new X509Certificate(cert).checkPrivateKey(createPrivateKey(key)))
    issues.push({ path: 'DATABASE_TLS_KEY', found: 'another key', allowed: 'the key of DATABASE_TLS_CERT' })
  return pems
}
